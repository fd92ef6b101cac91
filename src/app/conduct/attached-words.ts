/** @file The words about the images and files attached to the question. */
import {
  promptRoom,
  questionTokens,
  samplingOf,
  tokensOf,
  type PoolWorker,
  type Question,
  type QuestionFile,
} from '../../core/contract';
import { count, listed } from '../ui/figures';

/** Says that no worker in the pool can see images, and what to do. */
export function sightNote(pool: readonly PoolWorker[]): string {
  const candidate = pool.find(({ kind }) => kind === 'endpoint');
  return candidate
    ? `None of the chosen workers can see images. If ${candidate.name} can, edit this worker under Workers and tick “Can see images”.`
    : 'None of the chosen workers can see images. Under Workers, add a model that can, and tick “Can see images”.';
}

/** Tokens of the rest of a step's prompt: Podium's own wording, and the subtask. */
const FRAME = 350;

/** Files that are too long for some workers. */
export interface TooLong {
  readonly note: string;
  /** The longest file, of which the user can keep parts. */
  readonly longest: QuestionFile;
  /** Tokens of the longest file that would fit. */
  readonly room: number;
}

/** Whether the files fit the contexts of all workers in the pool. `null`: they fit, or no context is known. */
export function tooLongFor(
  question: Question,
  pool: readonly PoolWorker[],
  sampling: { readonly maxTokens: number },
): TooLong | null {
  const { files = [] } = question;
  const [longest] = files.toSorted((one, other) => tokensOf(other) - tokensOf(one));
  if (!longest) return null;
  const tokens = questionTokens(question);
  const rooms = pool.flatMap((worker) => {
    if (worker.contextWindow === undefined) return [];
    const room = promptRoom(worker.contextWindow, samplingOf(worker, sampling).maxTokens) - FRAME;
    return room < tokens ? [{ name: worker.name, room }] : [];
  });
  if (rooms.length === 0) return null;
  const least = Math.max(0, Math.min(...rooms.map(({ room }) => room)));
  const names = listed(rooms.map(({ name }) => name));
  const [reads, gets] = rooms.length === 1 ? ['reads', 'gets'] : ['read', 'get'];
  return {
    note: `The question has about ${count(tokens)} tokens, but ${names} ${reads} at most about ${count(least)}, and ${gets} only the beginning and the end of each long file.`,
    longest,
    room: Math.max(0, least - (tokens - tokensOf(longest))),
  };
}
