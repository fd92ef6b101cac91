/**
 * @file The images and files attached to the current question. They are stored immediately, so that a reload loses none.
 * Those that no run uses are deleted after a day. The code that reads them is lazy-loaded, because most questions have none.
 */
import { loadOnce, toFault, type Fault, type ImageReference, type QuestionFile } from '../../core/contract';
import type { ImageServices } from '../services';
import type { AttachmentDesk } from './attachment-desk';
import { DRAFTS, type AttachedFile, type AttachedImage, type AttachmentState } from './attached';
import { recall } from './tab-memory';

export class Attachments implements AttachmentState {
  images: readonly AttachedImage[] = $state.raw([]);
  attachedFiles: readonly AttachedFile[] = $state.raw([]);
  /** The files, as events store them. */
  readonly files: readonly QuestionFile[] = $derived.by(() => this.attachedFiles.map(({ file }) => file));
  /** Why the newest image or file was rejected, or why some from before a reload are missing. */
  fault: Fault | null = $state.raw(null);
  /** Name of the file that is being read. `''`: none. */
  reading = $state('');
  /** Resolves once everything so far has been read, one after another. A run waits for this promise. */
  #turn: Promise<void> = Promise.resolve();

  readonly #services: ImageServices;
  /** Loads the code that adds, removes and restores images and files. */
  readonly desk = loadOnce(async () => {
    const { AttachmentDesk } = await import('./attachment-desk');
    return new AttachmentDesk(this, this.#services);
  }, 'the code that attaches files');

  constructor(services: ImageServices) {
    this.#services = services;
  }

  /** Resolves once everything attached so far has been read. */
  get settled(): Promise<void> {
    return this.#turn;
  }

  /** References to the images, as events store them. */
  get references(): readonly ImageReference[] {
    return this.images.map(({ image: { hash, type, width, height, size } }) => ({ hash, type, width, height, size }));
  }

  /** Whether there is anything to show. */
  get isShown(): boolean {
    return this.images.length + this.files.length > 0 || this.fault !== null || this.reading !== '';
  }

  /** Restores what was attached before a reload, and deletes old images and files that no run uses. Call once. */
  load(): Promise<void> {
    if (Object.values(DRAFTS).some((key) => recall(key) !== null)) return this.#do((desk) => desk.load());
    return this.#services.images.clearOut([]).catch(() => undefined);
  }

  /** Attaches files that were picked, pasted or dropped. If one is rejected, `fault` has the reason. */
  add(files: Iterable<File>): Promise<void> {
    const all = [...files];
    return this.#do((desk) => desk.add(all));
  }

  /** Attaches the files of an earlier run's question, for a follow-up. */
  adopt(files: readonly QuestionFile[]): Promise<void> {
    return this.#do((desk) => desk.adopt(files));
  }

  /** Stores all images again, in case an earlier attempt failed. Call before a run starts. Rejects with a `FaultError`. */
  async keep(): Promise<void> {
    for (const { image } of this.images) await this.#services.images.put(image);
  }

  #do(work: (desk: AttachmentDesk) => Promise<void>): Promise<void> {
    this.#turn = this.#turn
      .then(this.desk)
      .then(work)
      .catch((thrown: unknown) => void (this.fault = toFault(thrown)));
    return this.#turn;
  }
}
