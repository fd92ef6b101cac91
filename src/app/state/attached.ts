/** @file What is attached to the current question: the state that `Attachments` holds and `AttachmentDesk` changes. */
import type { Fault, ImageFile, ImageReference, QuestionFile } from '../../core/contract';
import type { PartRange } from '../../core/contract/run/file-parts';

/** The keys of the drafts in `sessionStorage`. They are absent if nothing is attached. */
export const DRAFTS = { images: 'podium.question-images', files: 'podium.question-files' } as const;

export interface AttachedImage {
  readonly image: ImageFile;
  /** Object URL of the image's bytes. */
  readonly url: string;
  readonly name: string;
}

export interface AttachedFile {
  /** The part of the file that belongs to the question. */
  readonly file: QuestionFile;
  readonly whole: QuestionFile;
  /** `null`: the whole file. */
  readonly range: PartRange | null;
}

/** The part of `Attachments` that the code which reads images and files changes. */
export interface AttachmentState {
  images: readonly AttachedImage[];
  attachedFiles: readonly AttachedFile[];
  readonly references: readonly ImageReference[];
  fault: Fault | null;
  reading: string;
}
