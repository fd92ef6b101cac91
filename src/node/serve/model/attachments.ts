/** @file Turns the attachments of a conversation into the images and files of a question. */
import {
  canSee,
  LONGEST_NAME,
  MOST_FILES,
  MOST_IMAGES,
  sha256Hex,
  sha256HexOfBytes,
  toFault,
  type ImageFile,
  type PoolWorker,
  type QuestionFile,
} from '../../../core/contract';
import { readBytes } from '../../../platform/documents/read-bytes';
import { ApiError } from '../http/api-error';
import type { Attachment } from './content';
import { imageSize } from './image-size';

/** Maximum size of an image in bytes. The page scales larger images down, which the server can't do. */
const MOST_IMAGE_BYTES = 5 * 2 ** 20;

export interface Attached {
  readonly images: readonly ImageFile[];
  readonly files: readonly QuestionFile[];
}

/** Throws an `ApiError` (400) that states what is wrong with an attachment. @param pool the workers that may get the images */
export async function readAttachments(
  attachments: readonly Attachment[],
  pool: readonly PoolWorker[],
): Promise<Attached> {
  const images = attachments.filter(({ kind }) => kind === 'image').map(imageOf);
  // Clients send the images of a conversation with each message.
  const different = [...new Map(images.map((image) => [image.hash, image])).values()];
  const files = await Promise.all(attachments.filter(({ kind }) => kind === 'file').map(fileOf));
  if (different.length > MOST_IMAGES) throw refused(`A conversation can have at most ${MOST_IMAGES} images.`);
  if (files.length > MOST_FILES) throw refused(`A conversation can have at most ${MOST_FILES} files.`);
  if (different.length > 0 && !pool.some(canSee)) {
    throw refused(
      'No worker of this server can see images. Mark a worker as able to see images, and export the pool again.',
    );
  }
  return { images: different, files };
}

function imageOf({ bytes }: Attachment): ImageFile {
  if (bytes.length > MOST_IMAGE_BYTES) throw refused('An image is larger than 5 MB. Send a smaller one.');
  const found = imageSize(bytes);
  if (!found) throw refused('An image is damaged, or is no PNG, JPEG or WebP image.');
  return { ...found, hash: sha256HexOfBytes(bytes), size: bytes.length, bytes };
}

async function fileOf({ name, bytes }: Attachment): Promise<QuestionFile> {
  try {
    const { kind, text } = await readBytes(name, bytes);
    return { name: name.slice(-LONGEST_NAME), kind, text, hash: sha256Hex(text) };
  } catch (thrown) {
    throw refused(`${name}: ${toFault(thrown).message}`);
  }
}

function refused(message: string): ApiError {
  return new ApiError(400, message, { code: 'invalid_attachment' });
}
