/**
 * @file Images attached to a question. Events refer to an image by the SHA-256 of its bytes. The bytes are stored separately.
 * Only endpoints with `canSee` receive images.
 */
import type { ConductorInfo } from '../workflow/conductor-info';
import type { PoolWorker } from '../worker/worker';
import type { QuestionFile } from './question-file';

/** Formats of stored images. GIF is also accepted and stored as its first frame. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** The reference to an image in events. */
export interface ImageReference {
  /** SHA-256 of the bytes as lower-case hex. */
  readonly hash: string;
  readonly type: ImageType;
  /** In pixels, like `height`. */
  readonly width: number;
  readonly height: number;
  /** Bytes. */
  readonly size: number;
}

/** An image with its bytes. */
export interface ImageFile extends ImageReference {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Storage for the bytes of images, and for the texts of files that are attached to an unsent question. */
export interface ImageStore {
  /** Stores an image. If no run ever refers to the image, `clearOut` deletes it later. Rejects with a `FaultError`. */
  put(image: ImageFile): Promise<void>;
  /** Like `put`, for the text of a file. A run stores the texts of its files itself. Rejects with a `FaultError`. */
  putText(file: Pick<QuestionFile, 'hash' | 'text'>): Promise<void>;
  /**
   * Call this when the user removes an image or file from a question. Deletes it, unless runs refer to it. In that case, the image
   * is deleted together with the last of these runs. Rejects with a `FaultError`.
   */
  drop(hash: string): Promise<void>;
  /**
   * Deletes images that no run refers to. Keeps images that were stored within the last day, because a question
   * that is not submitted yet may use them. Rejects with a `FaultError`.
   * @param keep hashes of images to keep in any case
   */
  clearOut(keep: readonly string[]): Promise<void>;
  /** Reads an image. `null`: the image is not stored in this browser. Rejects with a `FaultError`. */
  get(hash: string): Promise<Pick<ImageFile, 'type' | 'bytes'> | null>;
  /** Reads the text of a file. `null`: the text is not stored in this browser. Rejects with a `FaultError`. */
  getText(hash: string): Promise<string | null>;
}

/** Maximum number of images per question. */
export const MOST_IMAGES = 4;

/** Whether a worker receives the images of a question. Only workers of the kind `endpoint` receive images. */
export function canSee(worker: Pick<PoolWorker, 'kind' | 'canSee'>): boolean {
  return worker.kind === 'endpoint' && worker.canSee === true;
}

/** Whether a Conductor receives the images of a question with the request for a plan. */
export function conductorSees(info: Pick<ConductorInfo, 'kind' | 'canSee'>): boolean {
  return info.kind === 'endpoint' && info.canSee === true;
}

/** Formats a number of images: “1 image”, “3 images”. */
export function imageCount(count: number): string {
  return count === 1 ? '1 image' : `${count} images`;
}
