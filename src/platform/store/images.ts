/**
 * @file Stores each image and each text of a file of a question once, under its SHA-256, with the ids of the runs that use it.
 * It is deleted together with the last run that uses it, unless an unsent question may still need it.
 */
import { isKnownEvent, type Clock, type ImageFile, type ImageType, type StoredEvent } from '../../core/contract';
import type { Database, RunTransaction } from './database';
import type { StoredAttachment } from './migrations';

/** How long an image without a run is kept after it was attached, ms. Another tab may have an unsent question with this image. */
const PATIENCE = 24 * 60 * 60 * 1000;

/** `null` if the image is not stored, or if the browser has lost its data. */
export async function readImage(database: Database, hash: string): Promise<Pick<ImageFile, 'type' | 'bytes'> | null> {
  const found = await database.transact(['images'], 'readonly', (transaction) =>
    transaction.objectStore('images').get(hash),
  );
  if (!found?.blob) return null;
  const bytes = await found.blob.arrayBuffer().catch(() => null);
  return bytes && { type: imageType(found.blob.type), bytes: new Uint8Array(bytes) };
}

/** The SHA-256 of each image that a run's events refer to. */
export function imagesOf(events: readonly StoredEvent[]): string[] {
  return events.flatMap((event) =>
    isKnownEvent(event) && event.type === 'run-started' ? (event.question.images ?? []).map(({ hash }) => hash) : [],
  );
}

/** A reference of a run to an image, or to the text of a file. */
export interface AttachmentReference {
  readonly hash: string;
  /** The text of a file. Absent for an image, whose bytes are not part of events. */
  readonly text?: string;
}

/** References to the images and files of a run's question. */
export function attachmentsOf(events: readonly StoredEvent[]): readonly AttachmentReference[] {
  const files = events.flatMap((event) =>
    isKnownEvent(event) && event.type === 'run-started' ? (event.question.files ?? []) : [],
  );
  return [...imagesOf(events).map((hash) => ({ hash })), ...files.map(({ hash, text }) => ({ hash, text }))];
}

/**
 * Records which runs use which images and files. Stores the texts of files, but ignores images that are not stored. The updates
 * are sequential, because runs may share an image.
 */
export async function referToAttachments(
  transaction: RunTransaction<'readwrite'>,
  referring: readonly (readonly [runId: string, attachments: readonly AttachmentReference[]])[],
): Promise<void> {
  const images = transaction.objectStore('images');
  for (const [runId, attachments] of referring) {
    for (const { hash, text } of attachments) {
      const stored = await images.get(hash);
      if (!stored && text === undefined) continue;
      const { runs = [] } = stored ?? {};
      const hasText = text === undefined || stored?.text !== undefined;
      if (hasText && runs.includes(runId)) continue;
      await images.put({ ...stored, ...(hasText ? {} : { text }), runs: [...new Set([...runs, runId])] }, hash);
    }
  }
}

/**
 * Deletes the images that only this deleted run used. Keeps recently attached images, because an unsent question may use them.
 * `clearOut` deletes these images later.
 */
export async function releaseImages(
  transaction: RunTransaction<'readwrite'>,
  runId: string,
  clock: Pick<Clock, 'now'>,
): Promise<void> {
  const images = transaction.objectStore('images');
  for (const hash of await images.index('runs').getAllKeys(runId)) {
    const image = await images.get(hash);
    const runs = image?.runs.filter((each) => each !== runId) ?? [];
    if (image && (runs.length > 0 || isAwaited(image, clock.now()))) await images.put({ ...image, runs }, hash);
    else await images.delete(hash);
  }
}

/** Does the same as `releaseImages`, for all runs at once. */
export async function releaseAllImages(images: ImageRecords, clock: Pick<Clock, 'now'>): Promise<void> {
  for (const hash of await images.getAllKeys()) {
    const image = await images.get(hash);
    if (image && isAwaited(image, clock.now())) await images.put({ ...image, runs: [] }, hash);
    else await images.delete(hash);
  }
}

/**
 * The methods of the object store `images` that `releaseAllImages` uses. This type accepts the object store
 * of any transaction.
 */
interface ImageRecords {
  getAllKeys(): Promise<string[]>;
  get(hash: string): Promise<StoredAttachment | undefined>;
  put(image: StoredAttachment, hash: string): Promise<unknown>;
  delete(hash: string): Promise<void>;
}

/** Whether an unsent question may still need the image. */
export function isAwaited(image: StoredAttachment | undefined, now: number): boolean {
  return (image?.attachedAt ?? 0) >= now - PATIENCE;
}

function imageType(type: string): ImageType {
  return type === 'image/png' || type === 'image/webp' ? type : 'image/jpeg';
}
