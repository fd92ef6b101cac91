/**
 * @file The images that are attached to the question which is being written. Their bytes are kept at once, so that a reload
 * loses none; those that no run takes up in the end are cleared out.
 */
import { fault, MOST_IMAGES, toFault, type Fault, type ImageFile, type ImageReference } from '../../core/contract';
import type { Services } from '../services';
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
  /** Why the newest was not taken. */
  fault: Fault | null = $state.raw(null);
  /** What is being read, in order; a run waits for it. */
  #reading: Promise<void> = Promise.resolve();

  readonly #services: Pick<Services, 'prepareImage' | 'images'>;

  constructor(services: Pick<Services, 'prepareImage' | 'images'>) {
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
      const there = found.filter((attachment) => attachment !== null);
      if (drafts.length > 0) this.#set([...there, ...this.all]);
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

  async #recall({ name, ...reference }: ImageDraft): Promise<Attachment | null> {
    const found = await this.#services.images.get(reference.hash).catch(() => null);
    return found && attachmentOf({ ...reference, bytes: found.bytes }, name);
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
    writeImageDrafts(all.map(({ image, name }) => ({ ...referenceTo(image), name })));
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#reading = this.#reading.then(work);
    return this.#reading;
  }
}

function referenceTo({ hash, type, width, height, size }: ImageFile): ImageReference {
  return { hash, type, width, height, size };
}

function attachmentOf(image: ImageFile, name: string): Attachment {
  return { image, url: URL.createObjectURL(new Blob([image.bytes], { type: image.type })), name };
}
