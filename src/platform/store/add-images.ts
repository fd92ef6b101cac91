/** @file Adds the images of imported runs. */
import type { ImageFile } from '../../core/contract';
import type { Database, RunTransaction } from './database';

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

export function freshImage({ bytes, type }: ImageBytes) {
  return { blob: new Blob([bytes], { type }), runs: [] };
}
