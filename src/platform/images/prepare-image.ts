/**
 * @file Makes of any picture what a run keeps of it: no larger than models look at, and written anew, so that nothing the
 * camera added (place, time, device) goes along.
 */
import { fault, FaultError, IMAGE_TYPES, sha256HexOfBytes, type ImageFile, type ImageType } from '../../core/contract';

/** What may be picked, pasted or dropped. */
const READABLE: readonly string[] = [...IMAGE_TYPES, 'image/gif'];
/** Longest side, pixels: what the large providers scale down to by themselves. */
export const LONGEST_SIDE = 1568;
/** Largest file that is read, bytes. */
const LARGEST_FILE = 30 * 1024 * 1024;
/** A picture without loss is kept up to this size, bytes; above it a JPEG shows as much. */
const LARGEST_LOSSLESS = 1024 * 1024;
const JPEG_QUALITY = 0.86;

/** Throws a `FaultError` with a sentence for whoever attached it. */
export async function prepareImage(file: Blob): Promise<ImageFile> {
  if (!READABLE.includes(file.type)) throw refused('This is no image that can be used. Attach PNG, JPEG, WebP or GIF.');
  if (file.size > LARGEST_FILE) throw refused('This image is larger than 30 MB. Make it smaller and attach it again.');
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
    throw refused('This image cannot be read. It may be damaged; save it anew and attach it again.');
  }
}

/** Screenshots and drawings keep every pixel where that is not dear; photographs, and what would be dear, become JPEG. */
async function encode(picture: ImageBitmap, width: number, height: number, isPhoto: boolean): Promise<Blob> {
  if (!isPhoto) {
    const lossless = await draw(picture, width, height, null).convertToBlob({ type: 'image/png' });
    if (lossless.size <= LARGEST_LOSSLESS) return lossless;
  }
  return draw(picture, width, height, '#fff').convertToBlob({ type: 'image/jpeg', quality: JPEG_QUALITY });
}

/** @param ground what shows through; `null` keeps it clear */
function draw(picture: ImageBitmap, width: number, height: number, ground: string | null): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new FaultError(fault('internal', 'This browser cannot draw images, so none can be attached.'));
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
