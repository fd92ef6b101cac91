/** @file Keeps the typed question and its follow-up context in `sessionStorage`, so that a reload loses nothing. */
import * as z from 'zod/mini';
import type { QuestionContext } from '../../core/contract';
import type { Conversation } from '../../core/contract/run/conversation';
import { contextShape, turns } from '../../core/contract/storage/schema-parts';
import { recall, recallJson, remember } from './tab-memory';

z.config({ jitless: true });

const QUESTION = 'podium.question';
const CONTEXT = 'podium.question-context';

/** The question that was typed before a reload. `null` in a new tab, or if storage is off. */
export function readQuestionDraft(): string | null {
  return recall(QUESTION);
}

export function writeQuestionDraft(question: string): void {
  remember(QUESTION, question);
}

const contextDraft = z.object({ ...contextShape, leftOut: turns });

/** The earlier run that the question follows up on, and the turns before it. `null`: the question is no follow-up. */
export function readContextDraft(): Conversation | null {
  const parsed = z.safeParse(contextDraft, recallJson(CONTEXT));
  return parsed.success ? parsed.data : null;
}

/** The turns that are sent. */
export function sentTurns({ leftOut: _, ...context }: Conversation): QuestionContext {
  return context;
}

export function writeContextDraft(context: Conversation | null): void {
  remember(CONTEXT, context && JSON.stringify(context));
}
