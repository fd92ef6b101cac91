/**
 * @file Keeps the list of attached images and files in `sessionStorage`, so that a reload loses nothing. The bytes of images and
 * the texts of files are in the image store.
 */
import * as z from 'zod/mini';
import { IMAGE_TYPES, MOST_FILES, MOST_IMAGES, type ImageReference, type QuestionFile } from '../../core/contract';
import type { PartRange } from '../../core/contract/run/file-parts';
import { DRAFTS } from './attached';
import { recallJson, remember } from './tab-memory';

z.config({ jitless: true });

/** An attached image, without its bytes. */
export interface ImageDraft extends ImageReference {
  readonly name: string;
}

/** An attached file, without its text. */
export interface FileDraft extends Omit<QuestionFile, 'text'> {
  /** The parts that belong to the question. Absent: all. */
  readonly range?: PartRange;
}

const amount = z.number();
const hash = z.string().check(z.minLength(1));
const imageDrafts = z
  .array(z.object({ hash, type: z.enum(IMAGE_TYPES), width: amount, height: amount, size: amount, name: z.string() }))
  .check(z.maxLength(MOST_IMAGES));
const fileDrafts: z.ZodMiniType<FileDraft[]> = z
  .array(
    z.object({
      name: z.string(),
      kind: z.string(),
      hash,
      part: z.exactOptional(z.string()),
      range: z.exactOptional(z.tuple([amount, amount])),
    }),
  )
  .check(z.maxLength(MOST_FILES));

export function readImageDrafts(): readonly ImageDraft[] {
  const parsed = z.safeParse(imageDrafts, recallJson(DRAFTS.images));
  return parsed.success ? parsed.data : [];
}

/** Longer lists than the schema allows are shortened. */
export function writeImageDrafts(images: readonly ImageDraft[]): void {
  remember(DRAFTS.images, images.length > 0 ? JSON.stringify(images.slice(0, MOST_IMAGES)) : null);
}

export function readFileDrafts(): readonly FileDraft[] {
  const parsed = z.safeParse(fileDrafts, recallJson(DRAFTS.files));
  return parsed.success ? parsed.data : [];
}

/** Longer lists than the schema allows are shortened. */
export function writeFileDrafts(files: readonly FileDraft[]): void {
  remember(DRAFTS.files, files.length > 0 ? JSON.stringify(files.slice(0, MOST_FILES)) : null);
}
