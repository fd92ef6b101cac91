/**
 * @file Images that come with a question. A run knows them by the SHA-256 of their bytes; the bytes lie beside the events and
 * go only to workers that are marked as able to see.
 */
import type { ConductorInfo } from '../workflow/conductor-info';
import type { PoolWorker } from '../worker/worker';

/** What images are kept as. GIF comes in, too, and is kept as its first picture. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** An image as events know it. */
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

/** Where the bytes of images lie. */
export interface ImageStore {
  /** Keeps an image; one that no run refers to in the end is cleared out. Rejects with a `FaultError`. */
  put(image: ImageFile): Promise<void>;
  /** It stands at no question any more: deletes it, or lets it go with the last run that refers to it. Rejects with a `FaultError`. */
  drop(hash: string): Promise<void>;
  /**
   * Deletes the images that no run refers to and that nobody has put for a day: their question was never asked. Rejects with
   * a `FaultError`.
   * @param keep hashes of those that stay all the same
   */
  clearOut(keep: readonly string[]): Promise<void>;
  /** `null`: it is not here. Rejects with a `FaultError`. */
  get(hash: string): Promise<Pick<ImageFile, 'type' | 'bytes'> | null>;
}

/** Most images of one question. */
export const MOST_IMAGES = 4;

/** Whether a worker is sent the images of a question. Only an address can be, however others are marked. */
export function canSee(worker: Pick<PoolWorker, 'kind' | 'canSee'>): boolean {
  return worker.kind === 'endpoint' && worker.canSee === true;
}

/** Whether a Conductor is sent the images of a question when it is asked for a plan. */
export function conductorSees(info: Pick<ConductorInfo, 'kind' | 'canSee'>): boolean {
  return info.kind === 'endpoint' && info.canSee === true;
}

/** "1 image", "3 images". */
export function imageCount(count: number): string {
  return count === 1 ? '1 image' : `${count} images`;
}
