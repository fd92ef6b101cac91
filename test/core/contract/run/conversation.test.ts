/** @file Tests conversations of several runs: which turns a follow-up includes, and how the user changes them. */
import { describe, expect, it } from 'vitest';
import { summarize, foldEvents, type QuestionContext } from '../../../../src/core/contract';
import {
  contextTokens,
  conversationAfter,
  includeNewest,
  leaveOutOldest,
  roomOf,
  tooSmallFor,
} from '../../../../src/core/contract/run/conversation';
import { poolWorker, runStarted, stampEvents } from '../../../fixtures/run-events';

const turn = (number: number, answer = `Answer ${number}.`) => ({
  runId: `run-${number}`,
  question: `Question ${number}?`,
  answer,
});

/** The run of a turn, which follows up on the turn before it. `context`: more fields of its context. */
function runOf(number: number, context: Partial<QuestionContext> = {}, answer = `Answer ${number}.`) {
  const question =
    number === 1
      ? { text: 'Question 1?' }
      : { text: `Question ${number}?`, context: { ...turn(number - 1), ...context } };
  return { id: `run-${number}`, question, answer, isConfidential: false };
}

/** Reads from these runs. */
const readFrom =
  (...runs: readonly ReturnType<typeof runOf>[]) =>
  (id: string) =>
    Promise.resolve(runs.find((run) => run.id === id) ?? null);

const placed = (number: number) => ({ first: 'run-1', turn: number });
const MUCH = 10_000;

describe('the conversation of a follow-up', () => {
  it('includes every turn, and goes on for many turns', async () => {
    let context: QuestionContext = { ...turn(1), ...placed(2) };
    for (let number = 2; number < 20; number++) {
      const next = await conversationAfter(runOf(number, context), readFrom(runOf(1)), MUCH);
      if (!next) throw new Error('There is no conversation.');
      context = next;
    }
    expect(context.turn).toBe(20);
    expect(context.first).toBe('run-1');
    expect(context.earlier?.map(({ runId }) => runId)).toEqual(Array.from({ length: 18 }, (_, at) => `run-${at + 1}`));
    expect(context.runId).toBe('run-19');
  });

  it('reads turns that an earlier follow-up left out, and the whole conversation of runs by older versions', async () => {
    const old = [runOf(1), runOf(2), runOf(3)] as const;
    const context = await conversationAfter(old[2], readFrom(...old), MUCH);
    expect(context).toEqual({ ...turn(3), earlier: [turn(1), turn(2)], ...placed(4) });
  });

  it('leaves out the oldest turns if there is too little room', async () => {
    const runs = [runOf(1), runOf(2), runOf(3)] as const;
    const two = contextTokens({ ...turn(3), earlier: [turn(2)] });
    const context = await conversationAfter(runs[2], readFrom(...runs), two);
    expect(context).toEqual({ ...turn(3), earlier: [turn(2)], leftOut: [turn(1)], ...placed(4) });
    const none = await conversationAfter(runs[2], readFrom(...runs), 0);
    expect(none).toEqual({ ...turn(3), leftOut: [turn(1), turn(2)], ...placed(4) });
  });

  it('keeps the texts of turns whose runs were deleted', async () => {
    const run = runOf(3, { earlier: [turn(1)], ...placed(3) });
    const context = await conversationAfter(run, readFrom(), MUCH);
    expect(context).toEqual({ ...turn(3), earlier: [turn(1), turn(2)], ...placed(4) });
  });

  it('ends if runs from a file follow up on each other in a circle', async () => {
    const one = { ...runOf(2), id: 'run-1', question: { text: 'Question 1?', context: turn(2) } };
    const two = runOf(2);
    const context = await conversationAfter(two, readFrom(one, two), MUCH);
    expect(context?.earlier).toEqual([turn(1)]);
  });
});

describe('the user', () => {
  const all = { ...turn(3), earlier: [turn(1), turn(2)], ...placed(4) };

  it('leaves out turns, the oldest first, and includes them again', () => {
    const less = leaveOutOldest(all);
    expect(less).toEqual({ ...turn(3), earlier: [turn(2)], leftOut: [turn(1)], ...placed(4) });
    const least = leaveOutOldest(less);
    expect(least).toEqual({ ...turn(3), leftOut: [turn(1), turn(2)], ...placed(4) });
    expect(leaveOutOldest(least)).toEqual(least);
    expect(includeNewest(includeNewest(least))).toEqual(all);
    expect(includeNewest(all)).toEqual(all);
    expect(contextTokens(less)).toBeLessThan(contextTokens(all));
  });
});

it('a worker whose context is too small for the turns is named', () => {
  const long = { ...turn(1), answer: 'x'.repeat(8000) };
  const pool = [poolWorker(0, { contextWindow: 2000 }), poolWorker(1, { contextWindow: 8000 }), poolWorker(2)];
  expect(tooSmallFor(long, pool)).toEqual(['Alder']);
  expect(tooSmallFor(turn(1), pool)).toEqual([]);
});

it('turns may take half of the smallest context in the pool', () => {
  const sampling = { maxTokens: 1000 };
  const small = poolWorker(0, { contextWindow: 8000 });
  expect(roomOf([small, poolWorker(1, { contextWindow: 100_000 })], sampling)).toBe((8000 * 0.8 - 1000) / 2);
  expect(roomOf([], sampling)).toBe(roomOf([poolWorker(0)], sampling));
});

it('the summary of a follow-up states its conversation and its turn', () => {
  const summaryOf = (context?: QuestionContext) => {
    const run = foldEvents(stampEvents([runStarted({ question: { text: 'And?', ...(context ? { context } : {}) } })]));
    return run && summarize(run).thread;
  };
  expect(summaryOf()).toBeUndefined();
  expect(summaryOf({ ...turn(2), ...placed(3) })).toEqual({ id: 'run-1', turn: 3 });
  expect(summaryOf(turn(2)), 'a run of an older version').toEqual({ id: 'run-2', turn: 2 });
});
