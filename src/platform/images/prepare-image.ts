/**
 * @file Prepares an image for a run: scales it down to the size that models use, and removes the camera's metadata
 * (place, time, device) by encoding it again.
 */
import { fault, FaultError, IMAGE_TYPES, sha256HexOfBytes, type ImageFile, type ImageType } from '../../core/contract';

/** File types that can be picked, pasted or dropped. */
const READABLE: readonly string[] = [...IMAGE_TYPES, 'image/gif'];
/** Longest side in pixels. The large providers themselves scale larger images down to this size. */
export const LONGEST_SIDE = 1568;
/** Largest file that is read, bytes. */
const LARGEST_FILE = 30 * 1024 * 1024;
/** Maximum size of a PNG, bytes. Larger images become JPEG. */
const LARGEST_LOSSLESS = 1024 * 1024;
const JPEG_QUALITY = 0.86;

/** Throws a `FaultError` with a message for the user. */
export async function prepareImage(file: Blob): Promise<ImageFile> {
  if (!READABLE.includes(file.type))
    throw refused('This file type isn’t supported. Attach a PNG, JPEG, WebP or GIF image.');
  if (file.size > LARGEST_FILE) throw refused('This image is larger than 30 MB. Attach a smaller one.');
  const picture = await decode(file);
  try {
    const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
    const width = Math.max(1, Math.round(picture.width * scale));
    const height = Math.max(1, Math.round(picture.height * scale));
    const blob = await encode(picture, width, height, file.type === 'image/jpeg');
    const bytes = new Uint8Array(await blob.arrayBuffer());
    return { hash: sha256HexOfBytes(bytes), type: typeOf(blob), width, height, size: bytes.length, bytes };
  } finally {
    picture.close();
  }
}

async function decode(file: Blob): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file);
  } catch {
    throw refused('Couldn’t read this image. It may be damaged. Save it again and attach the new file.');
  }
}

/** @param isPhoto encodes the image as JPEG even if it is small */
async function encode(picture: ImageBitmap, width: number, height: number, isPhoto: boolean): Promise<Blob> {
  if (!isPhoto) {
    const lossless = await draw(picture, width, height, null).convertToBlob({ type: 'image/png' });
    if (lossless.size <= LARGEST_LOSSLESS) return lossless;
  }
  return draw(picture, width, height, '#fff').convertToBlob({ type: 'image/jpeg', quality: JPEG_QUALITY });
}

/** @param ground the color behind transparent pixels. `null` keeps them transparent */
function draw(picture: ImageBitmap, width: number, height: number, ground: string | null): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new FaultError(fault('internal', 'This browser can’t process images, so none can be attached.'));
  if (ground !== null) {
    context.fillStyle = ground;
    context.fillRect(0, 0, width, height);
  }
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, width, height);
  return canvas;
}

function typeOf({ type }: Blob): ImageType {
  return type === 'image/png' ? 'image/png' : 'image/jpeg';
}

function refused(message: string): FaultError {
  return new FaultError(fault('bad-request', message));
}
