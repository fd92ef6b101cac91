/**
 * @file The conversation that a follow-up goes on with: the question and answer of a run, and the turns before it. Not part of the
 * contract's index, because it is needed only after a run.
 */
import type { Sampling } from '../model/message';
import { estimateTokens } from '../money/estimate';
import type { PoolWorker } from '../worker/worker';
import { samplingOf } from '../worker/worker-sampling';
import { promptRoom } from './fit-prompt';
import { MOST_TURNS, threadOf, withContext } from './follow-up';
import type { QuestionContext, Turn } from './settings';
import type { Run } from './state';

/** Maximum lengths of the earlier question and answer in a follow-up, in UTF-16 units. Longer texts are shortened. */
export const MOST_CONTEXT = { question: 4_000, answer: 12_000 } as const;

/** A context with the turns that the user has left out, so that they can be included again. */
export interface Conversation extends QuestionContext {
  /** Oldest first. All are older than the turns in `earlier`. Absent: none. */
  readonly leftOut?: readonly Turn[];
}

type Source = Pick<Run, 'id' | 'question' | 'answer' | 'isConfidential'>;

/**
 * The context for a follow-up to a run: its question and answer, and the turns before it, if the run is itself a follow-up.
 * @returns `null` if the run has no answer
 */
export function followUpContext({ id, question, answer, isConfidential }: Source): QuestionContext | null {
  if (answer === null || answer.trim() === '') return null;
  const { context } = question;
  const thread = threadOf(question);
  return {
    ...turnOf(id, question.text, answer),
    ...(context
      ? { earlier: [...(context.earlier ?? []), turnOf(context.runId, context.question, context.answer)] }
      : {}),
    first: thread?.id ?? id,
    turn: (thread?.turn ?? 1) + 1,
    ...(isConfidential ? { isConfidential } : {}),
  };
}

/**
 * The conversation for a follow-up to a run, with the turns that an earlier follow-up left out. Those are read from their runs. If one
 * of these runs has been deleted, the turns before it are missing.
 * @param read reads a run. `null`: it was deleted
 * @param room maximum tokens of all turns. The oldest turns are left out if there is too little room
 */
export async function conversationAfter(
  run: Source,
  read: (runId: string) => Promise<Source | null>,
  room: number,
): Promise<Conversation | null> {
  const context = followUpContext(run);
  if (!context) return null;
  const sent = new Set((context.earlier ?? []).map(({ runId }) => runId));
  const visited = new Set([run.id]);
  const older: Turn[] = [];
  let before: Source | null = run;
  for (let next = run.question.context; next && visited.size < MOST_TURNS; next = before?.question.context) {
    const { runId } = next;
    before = visited.has(runId) ? null : await read(runId);
    if (!before) break;
    visited.add(runId);
    if (!sent.has(runId) && before.answer) older.unshift(turnOf(runId, before.question.text, before.answer));
  }
  // Runs of older versions don't know the first run.
  const found = before && !before.question.context ? { first: before.id, turn: visited.size + 1 } : {};
  return withinRoom({ ...context, ...found, ...(older.length > 0 ? { leftOut: older } : {}) }, room);
}

function withinRoom(conversation: Conversation, room: number): Conversation {
  let fitting = conversation;
  while (fitting.leftOut && contextTokens(includeNewest(fitting)) <= room) fitting = includeNewest(fitting);
  while (fitting.earlier && contextTokens(fitting) > room) fitting = leaveOutOldest(fitting);
  return fitting;
}

/**
 * Maximum tokens of all turns: half of what the worker with the smallest context can read, because steps also see the outputs of other
 * steps.
 */
export function roomOf(pool: readonly PoolWorker[], sampling: Pick<Sampling, 'maxTokens'>): number {
  const rooms = pool.map((worker) => promptRoom(worker.contextWindow, samplingOf(worker, sampling).maxTokens));
  return (rooms.length > 0 ? Math.min(...rooms) : promptRoom(undefined, sampling.maxTokens)) / 2;
}

/** The names of the workers whose context is too small for the turns of a conversation. */
export function tooSmallFor(context: QuestionContext, pool: readonly PoolWorker[]): string[] {
  const tokens = contextTokens(context);
  return pool.flatMap(({ name, contextWindow, sampling }) =>
    contextWindow !== undefined && promptRoom(contextWindow, sampling?.maxTokens ?? 0) < tokens ? [name] : [],
  );
}

/** The approximate tokens that a conversation adds to each prompt. */
export function contextTokens(context: QuestionContext): number {
  return estimateTokens(withContext({ text: '', context }));
}

/** Leaves out the oldest turn that is sent. The newest turn always stays. */
export function leaveOutOldest(conversation: Conversation): Conversation {
  const { earlier: [oldest, ...rest] = [], leftOut = [], ...others } = conversation;
  if (!oldest) return conversation;
  return { ...others, ...(rest.length > 0 ? { earlier: rest } : {}), leftOut: [...leftOut, oldest] };
}

/** Includes the newest turn that was left out. */
export function includeNewest(conversation: Conversation): Conversation {
  const { earlier = [], leftOut = [], ...others } = conversation;
  const newest = leftOut.at(-1);
  if (!newest) return conversation;
  const rest = leftOut.slice(0, -1);
  return { ...others, earlier: [newest, ...earlier], ...(rest.length > 0 ? { leftOut: rest } : {}) };
}

function turnOf(runId: string, question: string, answer: string): Turn {
  return {
    runId,
    question: shortened(question, MOST_CONTEXT.question),
    answer: shortened(answer, MOST_CONTEXT.answer),
  };
}

/**
 * Shortens a text to at most `most` UTF-16 units. Two thirds come from the beginning, and one third from the end. A note between
 * them states how many units are left out.
 */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = most - mark(text.length).length;
  const head = wholeCharacters(text.slice(0, Math.ceil((kept * 2) / 3)));
  const tail = text.slice(text.length - (kept - head.length)).replace(/^[\uDC00-\uDFFF]/, '');
  return `${head}${mark(text.length - head.length - tail.length)}${tail}`;
}

function mark(leftOut: number): string {
  return `\n[… ${leftOut} characters left out …]\n`;
}

/** If a text ends with the first half of a surrogate pair, drops this half. */
function wholeCharacters(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '');
}
