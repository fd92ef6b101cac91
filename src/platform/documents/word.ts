/**
 * @file Reads the text of a Word document (.docx). Its decompressed size is counted before the document is read. Lazy-loaded,
 * because mammoth is large.
 */
import mammoth from 'mammoth';
import { refused, unreadable } from './refusals';
import { inflatedSize, zipEntries } from './zip';

/** Maximum decompressed size of all XML in a document, in bytes. A document of 1000 pages has about 10 MB. */
const MOST_XML = 24 * 2 ** 20;
const MOST_ENTRIES = 5000;

/** @param bytes a ZIP archive. Rejects with a `FaultError` with a sentence for the user */
export async function wordText(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const entries = zipEntries(bytes);
  const names = entries.map(({ name }) => name);
  if (names.some((name) => name.startsWith('xl/')))
    throw refused('This is a spreadsheet. Save it as CSV, and attach that file.');
  if (names.some((name) => name.startsWith('ppt/')))
    throw refused('These are slides. Save them as PDF, and attach that file.');
  if (!names.some((name) => name.startsWith('word/'))) throw unreadable();
  await checkSize(entries);
  try {
    // The first is for browsers, the second for Node.
    const { value } = await mammoth.extractRawText({ ...{ arrayBuffer: bytes.slice().buffer }, ...{ buffer: bytes } });
    return value.replaceAll(/\n{3,}/g, '\n\n').trim();
  } catch {
    throw refused('This Word document is damaged. Open it in Word, save it again, and attach the new file.');
  }
}

/** Only XML is read. Images stay compressed. */
async function checkSize(entries: ReturnType<typeof zipEntries>): Promise<void> {
  let left = entries.length > MOST_ENTRIES ? -1 : MOST_XML;
  for (const entry of entries) {
    if (left < 0) break;
    if (/\.(?:xml|rels)$/i.test(entry.name)) left -= await inflatedSize(entry, left);
  }
  if (left < 0)
    throw refused('This document is too large after decompression. Save a part of it as a new file, and attach that.');
}
