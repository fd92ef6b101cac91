/**
 * @file Stores each image and each text of a file of a question once, under its SHA-256, with the ids of the runs that use it.
 * It is deleted together with the last run that uses it, unless an unsent question may still need it.
 */
import {
  isKnownEvent,
  type Clock,
  type ImageFile,
  type ImageStore,
  type ImageType,
  type StoredEvent,
} from '../../core/contract';
import type { Database, RunTransaction } from './database';
import type { StoredAttachment } from './migrations';

/** How long an image without a run is kept after it was attached, ms. Another tab may have an unsent question with this image. */
const PATIENCE = 24 * 60 * 60 * 1000;

export function createImageStore(database: Database, clock: Pick<Clock, 'now'>): ImageStore {
  return {
    put: (image) =>
      database.transact(['images'], 'readwrite', async (transaction) => {
        const images = transaction.objectStore('images');
        const runs = (await images.get(image.hash))?.runs ?? [];
        // Writes the whole record again, because the browser may have lost the image's data.
        await images.put({ ...freshImage(image), runs, attachedAt: clock.now() }, image.hash);
      }),
    putText: ({ hash, text }) =>
      database.transact(['images'], 'readwrite', async (transaction) => {
        const images = transaction.objectStore('images');
        const stored = await images.get(hash);
        await images.put({ ...stored, text, runs: stored?.runs ?? [], attachedAt: clock.now() }, hash);
      }),
    get: (hash) => readImage(database, hash),
    getText: (hash) =>
      database.transact(['images'], 'readonly', async (transaction) => {
        return (await transaction.objectStore('images').get(hash))?.text ?? null;
      }),
    drop: (hash) =>
      database.transact(['images'], 'readwrite', async (transaction) => {
        const images = transaction.objectStore('images');
        const image = await images.get(hash);
        if (!image) return;
        const { attachedAt: _attachedAt, ...rest } = image;
        if (rest.runs.length === 0) await images.delete(hash);
        else await images.put(rest, hash);
      }),
    clearOut: (keep) =>
      database.transact(['images'], 'readwrite', async (transaction) => {
        const images = transaction.objectStore('images');
        // Reads only keys, because there may be many large images.
        const [all, referred] = await Promise.all([images.getAllKeys(), images.index('runs').getAllKeys()]);
        const needed = new Set([...referred, ...keep]);
        for (const hash of all.filter((each) => !needed.has(each))) {
          if (!isAwaited(await images.get(hash), clock.now())) await images.delete(hash);
        }
      }),
  };
}

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
function isAwaited(image: StoredAttachment | undefined, now: number): boolean {
  return (image?.attachedAt ?? 0) >= now - PATIENCE;
}

/**
 * Stores images that were read from an imported file. An image that is already stored stays unchanged, unless its data is lost.
 * @param wanted the hashes of the images to store. Other images are ignored
 * @param lost see `lostImages`
 * @returns the hashes of the added images
 */
export async function addImages(
  transaction: RunTransaction<'readwrite'>,
  added: readonly ImageBytes[],
  wanted: ReadonlySet<string>,
  lost: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const images = transaction.objectStore('images');
  const written = new Set<string>();
  for (const image of added) {
    if (!wanted.has(image.hash) || written.has(image.hash)) continue;
    const here = await images.get(image.hash);
    if (here?.blob && !lost.has(image.hash)) continue;
    await images.put({ ...here, ...freshImage(image), runs: here?.runs ?? [] }, image.hash);
    written.add(image.hash);
  }
  return written;
}

/**
 * The hashes of stored images whose data the browser has lost. Call this function outside transactions, because a transaction
 * would end while a `Blob` is read.
 */
export async function lostImages(database: Database, hashes: readonly string[]): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set();
  const found = await database.transact(['images'], 'readonly', (transaction) =>
    Promise.all(
      [...new Set(hashes)].map(async (hash) => ({ hash, image: await transaction.objectStore('images').get(hash) })),
    ),
  );
  const lost = found.map(async ({ hash, image }) => (image?.blob && !(await isThere(image.blob)) ? [hash] : []));
  return new Set((await Promise.all(lost)).flat());
}

/** Whether the data of a `Blob` still exists. Reads only the first byte, because any read of a lost `Blob` fails. */
function isThere(blob: Blob): Promise<boolean> {
  return blob
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
}

/** An image from a file of runs. */
export type ImageBytes = Pick<ImageFile, 'hash' | 'type' | 'bytes'>;

function freshImage({ bytes, type }: ImageBytes) {
  return { blob: new Blob([bytes], { type }), runs: [] };
}

function imageType(type: string): ImageType {
  return type === 'image/png' || type === 'image/webp' ? type : 'image/jpeg';
}
