/**
 * @file Tests that a fold (computing a run from its events) copies few array elements per event. Durations are printed
 * but not checked.
 */
import * as fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import {
  applyEvent,
  applyEvents,
  foldEvents,
  summarize,
  type EventBody,
  type Run,
  type StoredEvent,
} from '../../../src/core/contract';
import { endedRun } from '../../fixtures/run-arbitrary';
import { poolWorker, runStarted, stampEvents, step } from '../../fixtures/run-events';

const iterate = Array.prototype[Symbol.iterator];
afterEach(() => {
  Array.prototype[Symbol.iterator] = iterate;
});

/** Counts the elements of all arrays that are spread or iterated during `work`. */
function elementsCopied(work: () => void): number {
  let copied = 0;
  Array.prototype[Symbol.iterator] = function <T>(this: T[]) {
    copied += this.length;
    return iterate.call(this);
  };
  try {
    work();
  } finally {
    Array.prototype[Symbol.iterator] = iterate;
  }
  return copied;
}

const planned = (steps: number): EventBody[] => [
  runStarted(),
  { type: 'round-started', round: 0 },
  { type: 'plan-started', round: 0, conductor: runStarted().conductor, messages: [] },
  {
    type: 'plan-finished',
    round: 0,
    workflow: { steps: Array.from({ length: steps }, (_, index) => step(index % 3, `Part ${index}`)) },
    thought: '',
    text: '',
    source: 'conductor',
    usage: null,
    cost: null,
    finishReason: null,
  },
];
const started = (index: number, attempt = 0): EventBody => ({
  type: 'step-started',
  round: 0,
  step: index,
  attempt,
  workerId: poolWorker(index % 3).id,
  messages: [],
  sha256: '',
});
const finished = (index: number): EventBody => ({
  type: 'step-finished',
  round: 0,
  step: index,
  attempt: 0,
  output: 'done',
  reasoning: '',
  usage: null,
  cost: null,
  finishReason: 'stop',
});

const SIZES: readonly [what: string, bodies: readonly EventBody[]][] = [
  [
    '20,000 deltas of one step',
    [
      ...planned(1),
      started(0),
      ...Array.from({ length: 20_000 }, (): EventBody => {
        return { type: 'step-delta', round: 0, step: 0, attempt: 0, channel: 'content', text: 'word ' };
      }),
    ],
  ],
  [
    '20,000 deltas of one plan',
    [
      ...planned(0).slice(0, 3),
      ...Array.from({ length: 20_000 }, (): EventBody => {
        return { type: 'plan-delta', round: 0, channel: 'content', text: 'word ' };
      }),
    ],
  ],
  [
    '5,000 steps',
    [...planned(5_000), ...Array.from({ length: 5_000 }, (_, index) => [started(index), finished(index)]).flat()],
  ],
  ['5,000 attempts', [...planned(1), ...Array.from({ length: 5_000 }, (_, attempt) => started(0, attempt))]],
  [
    '5,000 rounds',
    [runStarted(), ...Array.from({ length: 5_000 }, (_, round) => ({ type: 'round-started' as const, round }))],
  ],
];

describe('a fold', () => {
  test.each(SIZES)('copies fewer than ten array elements for each event: %s', (what, bodies) => {
    const events = stampEvents([...bodies]);
    let run: Run | null = null;
    const began = performance.now();
    const copied = elementsCopied(() => (run = foldEvents(events)));
    console.log(
      `${what}: ${events.length} events, ${copied} elements copied, ${(performance.now() - began).toFixed(0)} ms`,
    );
    expect(run).not.toBeNull();
    expect(copied).toBeLessThan(10 * events.length);
  });

  test('joins an attempt’s deltas (pieces of output) into one text. Its other fields have under 1,000 characters', () => {
    const [, bodies] = SIZES[0] ?? ['', []];
    const run = foldEvents(stampEvents([...bodies]));
    const attempt = run?.rounds[0]?.steps[0]?.attempts[0];
    expect(attempt?.output).toHaveLength(20_000 * 'word '.length);
    expect(JSON.stringify({ ...attempt, output: '' }).length).toBeLessThan(1_000);
  });

  test('of 5,000 steps is summarized with a glyph (small picture) of at most 240 bars', () => {
    const [, bodies] = SIZES[2] ?? ['', []];
    const run = foldEvents(stampEvents([...bodies]));
    expect(run && summarize(run).steps).toBe(5_000);
    expect(run && summarize(run).glyph.length).toBeLessThanOrEqual(240);
  });
});

describe('events folded in batches', () => {
  test('give the same run as single events, and leave the results of earlier batches unchanged', () => {
    fc.assert(
      fc.property(endedRun(), fc.nat(), fc.nat(), (events: readonly StoredEvent[], one, other) => {
        const [first, second] = [one % events.length, other % events.length].sort((a, b) => a - b);
        let single: Run | null = null;
        for (const event of events) single = applyEvent(single, event);
        const beginning = applyEvents(null, events.slice(0, first));
        const kept = structuredClone(beginning);
        const middle = applyEvents(beginning, events.slice(first, second));
        const keptMiddle = structuredClone(middle);
        expect(applyEvents(middle, events.slice(second))).toEqual(single);
        expect(applyEvents(beginning, events.slice(first))).toEqual(single);
        expect(beginning).toEqual(kept);
        expect(middle).toEqual(keptMiddle);
        expect(foldEvents(events)).toEqual(single);
      }),
      { numRuns: 100 },
    );
  });
});
