/**
 * @file Writes the images of a run to the run's line in a file, as base64 with their SHA-256, and reads them back. Reading
 * verifies the hashes.
 */
import * as z from 'zod/mini';
import { IMAGE_TYPES, MOST_IMAGES, sha256HexOfBytes, type ImageStore, type StoredEvent } from '../../core/contract';
import { imagesOf, type ImageBytes } from './images';

z.config({ jitless: true });

const carriedImages = z.array(
  z.object({ hash: z.string().check(z.minLength(1)), type: z.enum(IMAGE_TYPES), data: z.string() }),
);
export type CarriedImage = z.infer<typeof carriedImages>[number];

/** The images that a run refers to, for its line. Images that are no longer stored are left out. */
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
 * Reads the images of a run's line. An image that occurs twice is returned once.
 * @returns `null` if the value is invalid, if an image does not match its hash, or if there are more images than a question may
 *   have
 */
export function readCarriedImages(value: unknown): readonly ImageBytes[] | null {
  if (value === undefined) return [];
  // Checks the number of images before the schema does, because the schema would collect the problems of every image.
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

/** Converts the bytes in pieces, because the number of arguments of a call is limited. */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bytes.length; from += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(from, from + 0x8000));
  }
  return btoa(text);
}

function fromBase64(data: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
