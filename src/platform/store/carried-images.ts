/**
 * @file Encodes and decodes the images in run files. Each line of such a file is one run, with its
 * images as base64 and their SHA-256. Decoding verifies these hashes.
 */
import * as z from 'zod/mini';
import { IMAGE_TYPES, MOST_IMAGES, sha256HexOfBytes, type ImageStore, type StoredEvent } from '../../core/contract';
import { fromBase64, toBase64 } from '../base64';
import type { ImageBytes } from './add-images';
import { imagesOf } from './images';

z.config({ jitless: true });

const carriedImages = z.array(
  z.object({ hash: z.string().check(z.minLength(1)), type: z.enum(IMAGE_TYPES), data: z.string() }),
);
export type CarriedImage = z.infer<typeof carriedImages>[number];

/**
 * Encodes the images that a run refers to, for the run's line in a run file. Leaves out images that are no
 * longer stored.
 */
export async function carryImages(
  events: readonly StoredEvent[],
  get: ImageStore['get'] | undefined,
): Promise<readonly CarriedImage[]> {
  if (!get) return [];
  const found = await Promise.all(
    [...new Set(imagesOf(events))].map(async (hash): Promise<CarriedImage[]> => {
      const image = await get(hash);
      return image ? [{ hash, type: image.type, data: toBase64(image.bytes) }] : [];
    }),
  );
  return found.flat();
}

/**
 * Decodes the images in a run's line, without duplicates.
 * @returns `null` if the value is invalid, an image does not match its hash, or there are more than
 *   `MOST_IMAGES` images
 */
export function readCarriedImages(value: unknown): readonly ImageBytes[] | null {
  if (value === undefined) return [];
  // Limits the number of images before the schema is applied, because the schema would list the
  // problems of every image.
  if (!Array.isArray(value) || value.length > MOST_IMAGES) return null;
  const parsed = z.safeParse(carriedImages, value);
  if (!parsed.success) return null;
  const images: ImageBytes[] = [];
  for (const { hash, type, data } of parsed.data) {
    if (images.some((image) => image.hash === hash)) continue;
    const bytes = fromBase64(data);
    if (!bytes || sha256HexOfBytes(bytes) !== hash) return null;
    images.push({ hash, type, bytes });
  }
  return images;
}
