/**
 * @file Images attached to a question. A run refers to them by the SHA-256 of their bytes. The bytes are stored
 * separately from the events. Images are sent only to endpoints that are marked as able to see images.
 */
import type { ConductorInfo } from '../workflow/conductor-info';
import type { PoolWorker } from '../worker/worker';

/** Formats of stored images. GIF is also accepted and stored as its first frame. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** An image as referenced by events. */
export interface ImageReference {
  /** SHA-256 of the bytes as lower-case hex. */
  readonly hash: string;
  readonly type: ImageType;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Bytes. */
  readonly size: number;
}

/** An image with its bytes. */
export interface ImageFile extends ImageReference {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Storage for the bytes of images. */
export interface ImageStore {
  /** Stores an image. `clearOut` deletes it later if no run refers to it. Rejects with a `FaultError`. */
  put(image: ImageFile): Promise<void>;
  /**
   * Called when no question shows the image any longer. Deletes the image. If runs refer to it, it is deleted with the last of
   * these runs instead. Rejects with a `FaultError`.
   */
  drop(hash: string): Promise<void>;
  /**
   * Deletes images that no run refers to and that were last stored more than a day ago. Their question was never submitted.
   * Rejects with a `FaultError`.
   * @param keep hashes of images to keep in any case
   */
  clearOut(keep: readonly string[]): Promise<void>;
  /** The image. `null` if it is not stored here. Rejects with a `FaultError`. */
  get(hash: string): Promise<Pick<ImageFile, 'type' | 'bytes'> | null>;
}

/** Maximum number of images per question. */
export const MOST_IMAGES = 4;

/** Whether a worker receives the images of a question. Only endpoints do, even if `canSee` is set for another kind of worker. */
export function canSee(worker: Pick<PoolWorker, 'kind' | 'canSee'>): boolean {
  return worker.kind === 'endpoint' && worker.canSee === true;
}

/** Whether a Conductor receives the images of a question when it is asked for a plan. */
export function conductorSees(info: Pick<ConductorInfo, 'kind' | 'canSee'>): boolean {
  return info.kind === 'endpoint' && info.canSee === true;
}

/** A number of images as text, such as “1 image” and “3 images”. */
export function imageCount(count: number): string {
  return count === 1 ? '1 image' : `${count} images`;
}
