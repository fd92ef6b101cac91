/**
 * @file Keeps the typed question, its follow-up context and the list of attached images in `sessionStorage`, so that a reload
 * loses nothing. The images' bytes are in the image store.
 */
import * as z from 'zod/mini';
import { IMAGE_TYPES, MOST_IMAGES, type ImageReference, type QuestionContext } from '../../core/contract';
import { recall, recallJson, remember } from './tab-memory';

z.config({ jitless: true });

const QUESTION = 'podium.question';
const IMAGES = 'podium.question-images';
const CONTEXT = 'podium.question-context';

/** An attached image, without its bytes. */
export interface ImageDraft extends ImageReference {
  readonly name: string;
}

const amount = z.number();
const imageDrafts = z
  .array(
    z.object({
      hash: z.string().check(z.minLength(1)),
      type: z.enum(IMAGE_TYPES),
      width: amount,
      height: amount,
      size: amount,
      name: z.string(),
    }),
  )
  .check(z.maxLength(MOST_IMAGES));

/** The question that was typed before a reload. `null` in a new tab, or if storage is off. */
export function readQuestionDraft(): string | null {
  return recall(QUESTION);
}

export function writeQuestionDraft(question: string): void {
  remember(QUESTION, question);
}

const contextDraft = z.object({
  runId: z.string(),
  question: z.string(),
  answer: z.string(),
  isConfidential: z.optional(z.literal(true)),
});

/** The earlier run that the question follows up on. `null`: the question is no follow-up. */
export function readContextDraft(): QuestionContext | null {
  const parsed = z.safeParse(contextDraft, recallJson(CONTEXT));
  return parsed.success ? parsed.data : null;
}

export function writeContextDraft(context: QuestionContext | null): void {
  remember(CONTEXT, context && JSON.stringify(context));
}

export function readImageDrafts(): readonly ImageDraft[] {
  const parsed = z.safeParse(imageDrafts, recallJson(IMAGES));
  return parsed.success ? parsed.data : [];
}

export function writeImageDrafts(images: readonly ImageDraft[]): void {
  remember(IMAGES, images.length > 0 ? JSON.stringify(images) : null);
}
