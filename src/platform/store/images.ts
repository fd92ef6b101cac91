/**
 * @file Images of questions: their bytes once under their SHA-256, each with the runs that refer to it, so that it goes with
 * the last of them.
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

/** How long an image waits for a run to refer to it, in ms: another tab may be writing its question. */
const PATIENCE = 24 * 60 * 60 * 1000;

export function createImageStore(database: Database, clock: Pick<Clock, 'now'>): ImageStore {
  return {
    put: (image) =>
      database.transact(['images'], 'readwrite', async (transaction) => {
        const images = transaction.objectStore('images');
        const here = await images.get(image.hash);
        if (here && here.runs.length > 0) return;
        await images.put({ ...(here ?? freshImage(image)), attachedAt: clock.now() }, image.hash);
      }),
    get: (hash) => readImage(database, hash),
    drop: (hash) =>
      database.transact(['images'], 'readwrite', async (transaction) => {
        const images = transaction.objectStore('images');
        if ((await images.get(hash))?.runs.length === 0) await images.delete(hash);
      }),
    clearOut: (keep) =>
      database.transact(['images'], 'readwrite', async (transaction) => {
        const images = transaction.objectStore('images');
        // Keys only: the images themselves may be many and large.
        const [all, referred] = await Promise.all([images.getAllKeys(), images.index('runs').getAllKeys()]);
        const needed = new Set([...referred, ...keep]);
        for (const hash of all.filter((each) => !needed.has(each))) {
          const { attachedAt = 0 } = (await images.get(hash)) ?? {};
          if (attachedAt < clock.now() - PATIENCE) await images.delete(hash);
        }
      }),
  };
}

/** `null`: it is not here, or not any more. */
export async function readImage(database: Database, hash: string): Promise<Pick<ImageFile, 'type' | 'bytes'> | null> {
  const found = await database.transact(['images'], 'readonly', (transaction) =>
    transaction.objectStore('images').get(hash),
  );
  if (!found) return null;
  // A browser may keep the record and lose the file behind it; then the image is as good as gone.
  const bytes = await found.blob.arrayBuffer().catch(() => null);
  return bytes && { type: imageType(found.blob.type), bytes: new Uint8Array(bytes) };
}

/** The images that a run's events refer to, by SHA-256. */
export function imagesOf(events: readonly StoredEvent[]): string[] {
  return events.flatMap((event) =>
    isKnownEvent(event) && event.type === 'run-started' ? (event.question.images ?? []).map(({ hash }) => hash) : [],
  );
}

/** Says which runs refer to which images. One that is not here stays away. One after the other: runs may share an image. */
export async function referToImages(
  transaction: RunTransaction<'readwrite'>,
  referring: readonly (readonly [runId: string, hashes: readonly string[]])[],
): Promise<void> {
  const images = transaction.objectStore('images');
  for (const [runId, hashes] of referring) {
    for (const hash of new Set(hashes)) {
      const image = await images.get(hash);
      if (image && !image.runs.includes(runId)) await images.put({ ...image, runs: [...image.runs, runId] }, hash);
    }
  }
}

/** A run is gone, and with it the images that only it referred to. */
export async function leaveImages(transaction: RunTransaction<'readwrite'>, runId: string): Promise<void> {
  const images = transaction.objectStore('images');
  for (const hash of await images.index('runs').getAllKeys(runId)) {
    const image = await images.get(hash);
    const runs = image?.runs.filter((each) => each !== runId) ?? [];
    if (image && runs.length > 0) await images.put({ ...image, runs }, hash);
    else await images.delete(hash);
  }
}

/** Adds those images of a file that are wanted; what is here already stays as it is. */
export async function addImages(
  transaction: RunTransaction<'readwrite'>,
  added: readonly ImageBytes[],
  wanted: ReadonlySet<string>,
): Promise<void> {
  const images = transaction.objectStore('images');
  for (const image of added) {
    if (!wanted.has(image.hash) || (await images.getKey(image.hash)) !== undefined) continue;
    await images.put(freshImage(image), image.hash);
  }
}

/** What a file says of an image. */
export type ImageBytes = Pick<ImageFile, 'hash' | 'type' | 'bytes'>;

function freshImage({ bytes, type }: ImageBytes) {
  return { blob: new Blob([bytes], { type }), runs: [] };
}

function imageType(type: string): ImageType {
  return type === 'image/png' || type === 'image/webp' ? type : 'image/jpeg';
}
