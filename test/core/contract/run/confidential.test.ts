import { describe, expect, it } from 'vitest';
import {
  confidentialityCheck,
  foldEvents,
  type EventBody,
  type RunStarted,
  type StoredEvent,
} from '../../../../src/core/contract';
import { followUpContext } from '../../../../src/core/contract/run/conversation';
import { runStarted, stampEvents } from '../../../fixtures/run-events';

const OF_BATCH = { id: 'batch', dataset: 'gpqa', task: 't', method: 'm', repeat: 0 };
const parent = (runId: string) => ({ runId, round: 0, step: 0 });
const context = (runId: string) => ({ text: 'And then?', context: { runId, question: 'Why?', answer: 'So.' } });

type More = Partial<Pick<RunStarted, 'batch' | 'parent' | 'question' | 'isConfidential'>>;

function eventsOf(runId: string, more: More = {}): readonly StoredEvent[] {
  const bodies: EventBody[] = [{ ...runStarted(), ...more }];
  return stampEvents(bodies, { runId });
}

/** The ids of the runs that are recognized as confidential. The dataset `gpqa` is confidential, and the dataset `open` is not. */
async function found(runs: Readonly<Record<string, More>>): Promise<readonly string[]> {
  const stored = new Map(Object.entries(runs).map(([runId, more]) => [runId, eventsOf(runId, more)]));
  const isConfidential = confidentialityCheck({
    read: async (runId) => stored.get(runId) ?? [],
    datasets: [
      { id: 'gpqa', isConfidential: true },
      { id: 'open', isConfidential: false },
    ],
    batches: [],
  });
  const secret: string[] = [];
  for (const [runId, [first]] of stored) if (first && (await isConfidential(first))) secret.push(runId);
  return secret;
}

describe('a confidential run', () => {
  it('is recognized if the run, its batch or the run that it follows up is marked as confidential', () => {
    const marked = [
      { batch: { ...OF_BATCH, isConfidential: true as const } },
      { isConfidential: true as const },
      { question: { text: 'And?', context: { ...context('a').context, isConfidential: true as const } } },
    ];
    for (const more of marked) {
      const run = foldEvents(eventsOf('a', more));
      expect(run?.isConfidential).toBe(true);
      expect(run && followUpContext({ ...run, answer: 'So.' })?.isConfidential).toBe(true);
    }
    expect(foldEvents(eventsOf('a', { batch: OF_BATCH }))?.isConfidential).toBe(false);
  });

  it('is recognized by the dataset of its batch if nothing is marked', async () => {
    expect(await found({ a: { batch: OF_BATCH }, b: { batch: { ...OF_BATCH, dataset: 'open' } }, c: {} })).toEqual([
      'a',
    ]);
  });

  it('is recognized if it descends from a confidential run by any number of forks and follow-ups', async () => {
    const runs = {
      a: { batch: OF_BATCH },
      b: { parent: parent('a') },
      c: { question: context('b') },
      d: {},
      e: { parent: parent('c') },
      f: { question: context('e') },
    };
    expect(await found(runs)).toEqual(['a', 'b', 'c', 'e', 'f']);
  });

  it('is recognized if a turn that it includes is confidential, even if the run between them was deleted', async () => {
    const [turn] = [context('a').context];
    const later = { text: 'And?', context: { ...context('gone').context, earlier: [turn] } };
    expect(await found({ a: { batch: OF_BATCH }, b: { question: later } })).toEqual(['a', 'b']);
  });

  it('is not found if two unmarked runs are each other’s parent', async () => {
    expect(await found({ a: { parent: parent('b') }, b: { parent: parent('a') } })).toEqual([]);
  });

  it('is recognized in a circle of runs if one of them also descends from a confidential run', async () => {
    const runs = {
      a: { parent: parent('b'), question: context('c') },
      b: { parent: parent('a') },
      c: { batch: OF_BATCH },
    };
    expect(await found(runs)).toEqual(['a', 'b', 'c']);
  });
});
