/**
 * @file Reads the text of a PDF, page by page. Scripts, forms, attachments and images of the PDF are not read, and pdf.js must not
 * compile any code. Lazy-loaded, because pdf.js is large.
 */
import { loadOnce, LONGEST_FILE_TEXT } from '../../core/contract';
import { PAGE_BREAK } from '../../core/contract/run/file-parts';
import { refused, tooLong } from './refusals';

const MOST_PAGES = 5000;

/** Rejects with a `FaultError` with a sentence for the user. */
export async function pdfText(data: Uint8Array): Promise<string> {
  const { getDocument, VerbosityLevel } = await loadPdfjs();
  const task = getDocument({
    // pdf.js takes over the buffer.
    data: data.slice(),
    BinaryDataFactory: CharacterMaps,
    // Without an address, pdf.js would not ask `CharacterMaps`.
    cMapUrl: 'cmaps/',
    useWorkerFetch: false,
    useWasm: false,
    isEvalSupported: false,
    enableXfa: false,
    disableFontFace: true,
    useSystemFonts: true,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    const pdf = await task.promise.catch(explain);
    if (pdf.numPages > MOST_PAGES) throw refused(`This PDF has more than ${MOST_PAGES} pages. Attach a part of it.`);
    const pages: string[] = [];
    let length = 0;
    let hasText = false;
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      const text = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
      page.cleanup();
      hasText ||= text.trim() !== '';
      pages.push(`[Page ${number}]\n${text.replaceAll(/[\f\0]/g, ' ').trim() || '(no text)'}\n`);
      length += text.length;
      if (length > LONGEST_FILE_TEXT) throw tooLong();
    }
    if (!hasText) throw refused(NO_TEXT);
    return pages.join(PAGE_BREAK);
  } finally {
    await task.destroy();
  }
}

const NO_TEXT =
  'This PDF has no text. It is probably a scan. Attach its pages as images, or a version with recognized text (OCR).';

function explain(thrown: unknown): never {
  const name = thrown instanceof Error ? thrown.name : '';
  if (name === 'PasswordException') {
    throw refused('This PDF needs a password. Save it without a password, and attach the new file.');
  }
  throw refused('This PDF is damaged. Open it in another program, save it again, and attach the new file.');
}

/** Loads pdf.js so that it runs in the current thread, which the caller can end. */
const loadPdfjs = loadOnce(async () => {
  const scope: Record<string, unknown> = globalThis;
  // In a Web Worker without `window`, pdf.js would take over the messages of the Web Worker.
  if ('WorkerGlobalScope' in scope) scope.window ??= scope;
  // Node has no canvas. pdf.js needs these classes only to draw pages, but warns if they are missing.
  for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) scope[name] ??= class {};
  const { warn } = console;
  // In Node, pdf.js also warns that the canvas itself is missing.
  console.warn = () => undefined;
  try {
    // This import sets `globalThis.pdfjsWorker`. With it, pdf.js starts no Web Worker of its own.
    await import('pdfjs-dist/legacy/build/pdf.worker.mjs');
    return await import('pdfjs-dist/legacy/build/pdf.mjs');
  } finally {
    console.warn = warn;
  }
}, 'the part of Podium that reads PDF files');

/** Gives pdf.js the character maps that old fonts of Chinese, Japanese and Korean texts need. Nothing else is needed for text. */
class CharacterMaps {
  async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
    const { characterMap } = await import('./character-maps');
    const found = kind === 'cMapUrl' ? characterMap(filename) : null;
    if (!found) throw new Error(`${filename} is not needed for text.`);
    return found;
  }
}
