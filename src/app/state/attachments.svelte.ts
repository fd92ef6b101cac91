/**
 * @file The images that are attached to the question which is being written. They live in this page until the run begins.
 */
import { fault, MOST_IMAGES, toFault, type Fault, type ImageFile, type ImageReference } from '../../core/contract';
import type { Services } from '../services';

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
  #reading = $state(0);

  readonly #services: Pick<Services, 'prepareImage' | 'images'>;

  constructor(services: Pick<Services, 'prepareImage' | 'images'>) {
    this.#services = services;
  }

  get isReading(): boolean {
    return this.#reading > 0;
  }

  /** As events refer to them. */
  get references(): readonly ImageReference[] {
    return this.all.map(({ image: { hash, type, width, height, size } }) => ({ hash, type, width, height, size }));
  }

  /** Takes images as they are picked, pasted or dropped; what cannot be taken is said and left out. */
  async add(files: Iterable<File>): Promise<void> {
    this.fault = null;
    for (const file of files) {
      this.#reading += 1;
      try {
        this.#take(await this.#services.prepareImage(file), file.name);
      } catch (thrown) {
        const found = toFault(thrown);
        this.fault = { ...found, message: `${file.name}: ${found.message}` };
      } finally {
        this.#reading -= 1;
      }
    }
  }

  remove(hash: string): void {
    for (const { image, url } of this.all) if (image.hash === hash) URL.revokeObjectURL(url);
    this.all = this.all.filter(({ image }) => image.hash !== hash);
    this.fault = null;
  }

  /** Hands the bytes to the store, before a run that refers to them begins. Rejects with a `FaultError`. */
  async keep(): Promise<void> {
    for (const { image } of this.all) await this.#services.images.put(image);
  }

  #take(image: ImageFile, name: string): void {
    if (this.all.some((each) => each.image.hash === image.hash)) return;
    if (this.all.length >= MOST_IMAGES) {
      this.fault = fault('bad-request', `A question takes at most ${MOST_IMAGES} images. Remove one first.`);
      return;
    }
    const url = URL.createObjectURL(new Blob([image.bytes], { type: image.type }));
    this.all = [...this.all, { image, url, name }];
  }
}
