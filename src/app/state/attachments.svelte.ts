/**
 * @file The images attached to the current question. Their bytes are stored immediately, so that a reload loses no image.
 * Images that no run uses are deleted after a day.
 */
import {
  canSee,
  fault,
  MOST_IMAGES,
  toFault,
  type Fault,
  type ImageFile,
  type ImageReference,
  type PoolWorker,
} from '../../core/contract';
import type { ImageServices } from '../services';
import { shownName } from './file-name';
import { readImageDrafts, writeImageDrafts, type ImageDraft } from './question-draft';

export interface Attachment {
  readonly image: ImageFile;
  /** Object URL of the image's bytes. */
  readonly url: string;
  readonly name: string;
}

export class Attachments {
  all: readonly Attachment[] = $state.raw([]);
  /** Why the newest image was rejected, or why images from before a reload are missing. */
  fault: Fault | null = $state.raw(null);
  /** Resolves once all files so far have been read. Files are read one after another. A run waits for this promise. */
  #reading: Promise<void> = Promise.resolve();

  /** Images from before a reload that couldn't be read. Their drafts are kept, so that the next reload tries again. */
  #unread: readonly ImageDraft[] = [];

  readonly #services: ImageServices;

  constructor(services: ImageServices) {
    this.#services = services;
  }

  /** Resolves once all files attached so far have been read. */
  get settled(): Promise<void> {
    return this.#reading;
  }

  /** References to the images, as events store them. */
  get references(): readonly ImageReference[] {
    return this.all.map(({ image }) => referenceTo(image));
  }

  /** Restores images that were attached before a reload, and deletes old images that no run uses. Call once. */
  load(): Promise<void> {
    return this.#inTurn(async () => {
      const drafts = readImageDrafts();
      const found = await Promise.all(drafts.map((draft) => this.#recall(draft)));
      const there = found.flatMap((each) => (each.kind === 'here' ? [each.attachment] : []));
      this.#unread = found.flatMap((each) => (each.kind === 'unread' ? [each.draft] : []));
      if (drafts.length > 0) this.#set([...there, ...this.all]);
      this.fault = faultOf(found);
      // A storage fault is ignored here. If it persists, `keep` rejects before the next run.
      await this.#services.images.clearOut(drafts.map(({ hash }) => hash)).catch(() => undefined);
    });
  }

  /** Attaches files that were picked, pasted or dropped. If a file is rejected, `fault` has the reason. */
  add(files: Iterable<File>): Promise<void> {
    const all = [...files];
    return this.#inTurn(async () => {
      this.fault = null;
      for (const file of all) {
        const name = shownName(file.name);
        try {
          const image = await this.#services.prepareImage(file);
          if (!this.#isWanted(image)) continue;
          // The image is attached even if it can't be stored now. `keep` tries again, and rejects if that fails.
          await this.#services.images.put(image).catch(() => undefined);
          this.#attach(image, name);
        } catch (thrown) {
          const found = toFault(thrown);
          this.fault = { ...found, message: `${name}: ${found.message}` };
        }
      }
    });
  }

  remove(hash: string): void {
    for (const { image, url } of this.all) if (image.hash === hash) URL.revokeObjectURL(url);
    this.#set(this.all.filter(({ image }) => image.hash !== hash));
    this.fault = null;
    void this.#services.images.drop(hash).catch(() => undefined);
  }

  /** Stores all images again, in case an earlier attempt failed. Call before a run starts. Rejects with a `FaultError`. */
  async keep(): Promise<void> {
    for (const { image } of this.all) await this.#services.images.put(image);
  }

  async #recall(draft: ImageDraft): Promise<Recalled> {
    const { name, ...reference } = draft;
    try {
      const found = await this.#services.images.get(reference.hash);
      if (!found) return { kind: 'gone', draft };
      return { kind: 'here', attachment: attachmentOf({ ...reference, bytes: found.bytes }, name) };
    } catch (thrown) {
      return { kind: 'unread', draft, fault: toFault(thrown) };
    }
  }

  #isHere({ hash }: ImageReference): boolean {
    return this.all.some(({ image }) => image.hash === hash);
  }

  /** Whether an image is new and can be attached. Sets `fault` if the maximum number of images is reached. */
  #isWanted(image: ImageFile): boolean {
    if (this.#isHere(image)) return false;
    if (this.all.length < MOST_IMAGES) return true;
    this.fault = fault('bad-request', `A question can have at most ${MOST_IMAGES} images. Remove one first.`);
    return false;
  }

  #attach(image: ImageFile, name: string): void {
    this.#set([...this.all, attachmentOf(image, name)]);
  }

  #set(all: readonly Attachment[]): void {
    this.all = all;
    const drafts = all.map(({ image, name }) => ({ ...referenceTo(image), name }));
    const unread = this.#unread.filter((draft) => !this.#isHere(draft));
    // The schema of the drafts rejects longer lists.
    writeImageDrafts([...drafts, ...unread].slice(0, MOST_IMAGES));
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#reading = this.#reading.then(work);
    return this.#reading;
  }
}

/** The result of reading an image that was attached before a reload. */
type Recalled =
  | { readonly kind: 'here'; readonly attachment: Attachment }
  | { readonly kind: 'gone'; readonly draft: ImageDraft }
  | { readonly kind: 'unread'; readonly draft: ImageDraft; readonly fault: Fault };

/** Why images from before a reload are missing. `null` if all images were found. */
function faultOf(found: readonly Recalled[]): Fault | null {
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

function referenceTo({ hash, type, width, height, size }: ImageFile): ImageReference {
  return { hash, type, width, height, size };
}

function attachmentOf(image: ImageFile, name: string): Attachment {
  return { image, url: URL.createObjectURL(new Blob([image.bytes], { type: image.type })), name };
}

/** Says that an image was rejected, or that no worker in the pool can see images. `''` if there is no problem. */
export function imageNote({ fault, all }: Pick<Attachments, 'fault' | 'all'>, pool: readonly PoolWorker[]): string {
  if (fault) return fault.message;
  if (all.length === 0 || pool.some(canSee)) return '';
  const candidate = pool.find(({ kind }) => kind === 'endpoint');
  return candidate
    ? `None of the chosen workers can see images. If ${candidate.name} can, edit this worker under Workers and tick “Can see images”.`
    : 'None of the chosen workers can see images. Under Workers, add a model that can, and tick “Can see images”.';
}
