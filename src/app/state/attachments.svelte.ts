/**
 * @file The images that are attached to the question which is being written. Their bytes are kept at once, so that a reload
 * loses none; those that no run takes up in the end are cleared out.
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
  /** As the page shows it. */
  readonly url: string;
  readonly name: string;
}

export class Attachments {
  all: readonly Attachment[] = $state.raw([]);
  /** Why the newest was not taken, or why some that were attached before a reload are not here. */
  fault: Fault | null = $state.raw(null);
  /** What is being read, in order; a run waits for it. */
  #reading: Promise<void> = Promise.resolve();

  /** Attached before a reload, and not to be read now. The next reload tries again. */
  #unread: readonly ImageDraft[] = [];

  readonly #services: ImageServices;

  constructor(services: ImageServices) {
    this.#services = services;
  }

  /** All that was attached until now has been read. */
  get settled(): Promise<void> {
    return this.#reading;
  }

  /** As events refer to them. */
  get references(): readonly ImageReference[] {
    return this.all.map(({ image }) => referenceTo(image));
  }

  /** Takes up what was attached before a reload, and clears out what was attached and never asked. Call once. */
  load(): Promise<void> {
    return this.#inTurn(async () => {
      const drafts = readImageDrafts();
      const found = await Promise.all(drafts.map((draft) => this.#recall(draft)));
      const there = found.flatMap((each) => (each.kind === 'here' ? [each.attachment] : []));
      this.#unread = found.flatMap((each) => (each.kind === 'unread' ? [each.draft] : []));
      if (drafts.length > 0) this.#set([...there, ...this.all]);
      this.fault = faultOf(found);
      // What storage has to say is said where a run needs it.
      await this.#services.images.clearOut(drafts.map(({ hash }) => hash)).catch(() => undefined);
    });
  }

  /** Takes images as they are picked, pasted or dropped; what cannot be taken is said and left out. */
  add(files: Iterable<File>): Promise<void> {
    const all = [...files];
    return this.#inTurn(async () => {
      this.fault = null;
      for (const file of all) {
        const name = shownName(file.name);
        try {
          const image = await this.#services.prepareImage(file);
          if (!this.#isWanted(image)) continue;
          // Before it is shown, so that what is shown is kept; where there is no room for it, the run will say so.
          await this.#services.images.put(image).catch(() => undefined);
          this.#take(image, name);
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

  /** Sees to it that the bytes are there, before a run that refers to them begins. Rejects with a `FaultError`. */
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

  /** Says in `fault` where there is no room for it. */
  #isWanted(image: ImageFile): boolean {
    if (this.#isHere(image)) return false;
    if (this.all.length < MOST_IMAGES) return true;
    this.fault = fault('bad-request', `A question takes at most ${MOST_IMAGES} images. Remove one first.`);
    return false;
  }

  #take(image: ImageFile, name: string): void {
    this.#set([...this.all, attachmentOf(image, name)]);
  }

  #set(all: readonly Attachment[]): void {
    this.all = all;
    const drafts = all.map(({ image, name }) => ({ ...referenceTo(image), name }));
    const unread = this.#unread.filter((draft) => !this.#isHere(draft));
    // No more than a question takes: what the tab remembers is read back whole or not at all.
    writeImageDrafts([...drafts, ...unread].slice(0, MOST_IMAGES));
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#reading = this.#reading.then(work);
    return this.#reading;
  }
}

/** What became of an image that was attached before a reload. */
type Recalled =
  | { readonly kind: 'here'; readonly attachment: Attachment }
  | { readonly kind: 'gone'; readonly draft: ImageDraft }
  | { readonly kind: 'unread'; readonly draft: ImageDraft; readonly fault: Fault };

/** `null` where all are here. */
function faultOf(found: readonly Recalled[]): Fault | null {
  const gone = found.filter((each) => each.kind === 'gone').map(({ draft }) => draft.name);
  const unread = found.filter((each) => each.kind === 'unread');
  const sentences: string[] = [];
  if (unread.length > 0) {
    const names = unread.map(({ draft }) => draft.name).join(', ');
    sentences.push(`${names} cannot be read now: ${unread[0]?.fault.message} Reload the page to try again.`);
  }
  if (gone.length > 0) {
    const [verb, them] = gone.length === 1 ? ['is', 'it'] : ['are', 'them'];
    sentences.push(`${gone.join(', ')} ${verb} not kept in this browser any more. Attach ${them} again.`);
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

/** What is to be said of attached images: why one was not taken, or that nobody in the pool sees them. */
export function imageNote({ fault, all }: Pick<Attachments, 'fault' | 'all'>, pool: readonly PoolWorker[]): string {
  if (fault) return fault.message;
  if (all.length === 0 || pool.some(canSee)) return '';
  const candidate = pool.find(({ kind }) => kind === 'endpoint');
  return candidate
    ? `None of the chosen workers can see images. If ${candidate.name} can, edit it under Workers and tick “Can see images”.`
    : 'None of the chosen workers can see images. Add a model that can under Workers, and tick “Can see images”.';
}
