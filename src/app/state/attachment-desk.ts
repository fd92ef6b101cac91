/** @file Reads, stores and restores the images and files of `Attachments`. Loaded when something is attached. */
import {
  fault,
  FaultError,
  isAbort,
  MOST_FILES,
  MOST_IMAGES,
  toFault,
  type Fault,
  type ImageFile,
  type QuestionFile,
} from '../../core/contract';
import type { ImageServices } from '../services';
import {
  readFileDrafts,
  readImageDrafts,
  writeFileDrafts,
  writeImageDrafts,
  type FileDraft,
  type ImageDraft,
} from './attachment-drafts';
import { withParts, type PartRange } from '../../core/contract/run/file-parts';
import type { AttachedFile, AttachedImage, AttachmentState } from './attached';
import { shownName } from './file-name';

export class AttachmentDesk {
  readonly #state: AttachmentState;
  readonly #services: ImageServices;
  /** Images and files from before a reload that couldn't be read. Their drafts are kept, so that the next reload tries again. */
  #unread: { readonly images: readonly ImageDraft[]; readonly files: readonly FileDraft[] } = { images: [], files: [] };
  #reading = new AbortController();

  constructor(state: AttachmentState, services: ImageServices) {
    this.#state = state;
    this.#services = services;
  }

  async load(): Promise<void> {
    const [images, files] = [readImageDrafts(), readFileDrafts()];
    const foundImages = await Promise.all(images.map((draft) => recalled(draft, () => this.#image(draft))));
    const foundFiles = await Promise.all(files.map((draft) => recalled(draft, () => this.#file(draft))));
    this.#unread = { images: unreadOf(foundImages), files: unreadOf(foundFiles) };
    if (images.length > 0) this.#setImages([...hereOf(foundImages), ...this.#state.images]);
    if (files.length > 0) this.#setFiles([...hereOf(foundFiles), ...this.#state.attachedFiles]);
    this.#state.fault = faultOf([...foundImages, ...foundFiles]);
    // A storage fault is ignored here. If it persists, `keep` rejects before the next run.
    await this.#services.images.clearOut([...images, ...files].map(({ hash }) => hash)).catch(() => undefined);
  }

  async add(files: readonly File[]): Promise<void> {
    this.#state.fault = null;
    this.#reading = new AbortController();
    for (const file of files) {
      const name = shownName(file.name);
      try {
        this.#state.reading = name;
        if (isImage(file)) await this.#addImage(file, name);
        else await this.#addFile({ ...(await this.#services.readFile(file, this.#reading.signal)), name });
      } catch (thrown) {
        if (isAbort(thrown)) break;
        const found = toFault(thrown);
        this.#state.fault = { ...found, message: `${name}: ${found.message}` };
      }
    }
    this.#state.reading = '';
  }

  async adopt(files: readonly QuestionFile[]): Promise<void> {
    for (const file of files) await this.#addFile(file);
  }

  stop(): void {
    this.#reading.abort();
  }

  remove(hash: string): void {
    const { images, attachedFiles } = this.#state;
    for (const { image, url } of images) if (image.hash === hash) URL.revokeObjectURL(url);
    this.#setImages(images.filter(({ image }) => image.hash !== hash));
    this.#setFiles(attachedFiles.filter(({ whole }) => whole.hash !== hash));
    this.#state.fault = null;
    void this.#services.images.drop(hash).catch(() => undefined);
  }

  keepParts(attached: AttachedFile, range: PartRange): void {
    const changed = { whole: attached.whole, file: withParts(attached.whole, range), range };
    this.#setFiles(this.#state.attachedFiles.map((each) => (each === attached ? changed : each)));
  }

  async #addImage(file: File, name: string): Promise<void> {
    const { images } = this.#state;
    const image = await this.#services.prepareImage(file);
    if (images.some((each) => each.image.hash === image.hash)) return;
    if (images.length >= MOST_IMAGES) throw tooMany(MOST_IMAGES, 'images');
    // The image is attached even if it can't be stored now. `keep` tries again, and rejects if that fails.
    await this.#services.images.put(image).catch(() => undefined);
    this.#setImages([...images, attachedImage(image, name)]);
  }

  async #addFile(file: QuestionFile): Promise<void> {
    const { attachedFiles } = this.#state;
    if (attachedFiles.some(({ whole }) => whole.hash === file.hash)) return;
    if (attachedFiles.length >= MOST_FILES) throw tooMany(MOST_FILES, 'files');
    // The text is stored for a reload. A run stores it again.
    await this.#services.images.putText(file).catch(() => undefined);
    this.#setFiles([...attachedFiles, { file, whole: file, range: null }]);
  }

  async #image({ name, ...reference }: ImageDraft): Promise<AttachedImage | null> {
    const found = await this.#services.images.get(reference.hash);
    return found && attachedImage({ ...reference, bytes: found.bytes }, name);
  }

  async #file({ range, name, kind, hash, part }: FileDraft): Promise<AttachedFile | null> {
    const text = await this.#services.images.getText(hash);
    if (text === null) return null;
    const whole = { name, kind, hash, text, ...(part === undefined ? {} : { part }) };
    return { whole, range: range ?? null, file: range ? withParts(whole, range) : whole };
  }

  #setImages(images: readonly AttachedImage[]): void {
    this.#state.images = images;
    const drafts = this.#state.references.map((image, index) => ({ ...image, name: images[index]?.name ?? '' }));
    writeImageDrafts([...drafts, ...this.#unread.images.filter(isNotIn(drafts))]);
  }

  #setFiles(files: readonly AttachedFile[]): void {
    this.#state.attachedFiles = files;
    const drafts = files.map(({ whole: { text: _text, ...draft }, range }) => ({
      ...draft,
      ...(range ? { range } : {}),
    }));
    writeFileDrafts([...drafts, ...this.#unread.files.filter(isNotIn(drafts))]);
  }
}

/** SVG images are text, which no model sees as an image. */
function isImage({ type }: File): boolean {
  return type.startsWith('image/') && type !== 'image/svg+xml';
}

function tooMany(most: number, things: string): FaultError {
  return new FaultError(fault('bad-request', `A question can have at most ${most} ${things}. Remove one first.`));
}

function isNotIn(known: readonly { readonly hash: string }[]): (draft: { readonly hash: string }) => boolean {
  return ({ hash }) => !known.some((each) => each.hash === hash);
}

function attachedImage(image: ImageFile, name: string): AttachedImage {
  return { image, url: URL.createObjectURL(new Blob([image.bytes], { type: image.type })), name };
}

/** The result of reading something that was attached before a reload. */
type Recalled<Draft, Attached> =
  | { readonly kind: 'here'; readonly attached: Attached }
  | { readonly kind: 'gone'; readonly draft: Draft }
  | { readonly kind: 'unread'; readonly draft: Draft; readonly fault: Fault };

async function recalled<Draft, Attached>(
  draft: Draft,
  read: () => Promise<Attached | null>,
): Promise<Recalled<Draft, Attached>> {
  try {
    const attached = await read();
    return attached ? { kind: 'here', attached } : { kind: 'gone', draft };
  } catch (thrown) {
    return { kind: 'unread', draft, fault: toFault(thrown) };
  }
}

function hereOf<Attached>(found: readonly Recalled<unknown, Attached>[]): Attached[] {
  return found.flatMap((each) => (each.kind === 'here' ? [each.attached] : []));
}

function unreadOf<Draft>(found: readonly Recalled<Draft, unknown>[]): Draft[] {
  return found.flatMap((each) => (each.kind === 'unread' ? [each.draft] : []));
}

/** Why images and files from before a reload are missing. `null` if all were found. */
function faultOf(found: readonly Recalled<{ readonly name: string }, unknown>[]): Fault | null {
  const missing = found.filter((each) => each.kind === 'gone').map(({ draft }) => draft.name);
  const unread = found.filter((each) => each.kind === 'unread');
  const sentences: string[] = [];
  if (unread.length > 0) {
    const names = unread.map(({ draft }) => draft.name).join(', ');
    sentences.push(`${names} cannot be read now: ${unread[0]?.fault.message} Reload the page to try again.`);
  }
  if (missing.length > 0) {
    const [verb, them] = missing.length === 1 ? ['is', 'it'] : ['are', 'them'];
    sentences.push(`${missing.join(', ')} ${verb} no longer stored in this browser. Attach ${them} again.`);
  }
  if (sentences.length === 0) return null;
  const { code = 'storage-failed' as const } = unread[0]?.fault ?? {};
  return fault(code, sentences.join(' '), { retryable: unread.length > 0 });
}
