import { expect, test } from 'vitest';
import type { EventBody, Preference, RunStarted } from '../../../../src/core/contract';
import { collectPairs } from '../../../../src/core/evaluation/pairs/collected-pairs';
import { pairsAsCsv, pairsAsJsonLines } from '../../../../src/core/evaluation/pairs/pairs-table';
import { runningVerdicts } from '../../../../src/core/evaluation/pairs/running-verdict';
import { isConductorFirst } from '../../../../src/core/runs/pairs/draw';
import { MemoryStore } from '../../../fixtures/memory-store';
import { finishedRunBodies, poolWorker, runStarted, stampEvents } from '../../../fixtures/run-events';

const DRAWN = { worker: poolWorker(1).id, share: 1 };
const TEXT = 'Seven.';

async function stored(runs: readonly (readonly [Partial<RunStarted>, Preference | null, ...EventBody[]])[]) {
  const store = new MemoryStore();
  for (const [index, [more, preferred, ...rest]] of runs.entries()) {
    const [, ...ran] = finishedRunBodies();
    const bodies: EventBody[] = [
      runStarted({ alone: DRAWN, ...more }),
      ...ran,
      { type: 'alone-answered', output: TEXT, usage: null, cost: 0.25 },
      ...(preferred ? [{ type: 'pair-compared', preferred } as const] : []),
      ...rest,
    ];
    for (const event of stampEvents(bodies, { runId: `run-${index}`, at: 1000 * index })) await store.append(event);
  }
  await store.flush();
  return collectPairs(store, new AbortController().signal);
}

test('collects the pairs that the user has compared, without those of imported runs', async () => {
  const pairs = await stored([
    [{}, 'alone'],
    [{}, null],
    [{}, 'conductor', { type: 'run-imported' }],
    [{ seed: 5 }, 'skipped'],
  ]);
  expect(pairs.map(({ runId, preferred }) => [runId, preferred]).toSorted()).toEqual([
    ['run-0', 'alone'],
    ['run-3', 'skipped'],
  ]);
  const [pair] = pairs.filter(({ runId }) => runId === 'run-0');
  expect(pair).toMatchObject({ alone: { length: TEXT.length, usd: 0.25 }, workerName: 'Birch' });
  expect(pair?.isConductorFirst).toBe(isConductorFirst(1, runStarted().question.text));
});

test('begins a new series when the worker, the prompt or the Conductor changes, but not with another question or seed', async () => {
  const endpoint = { id: 'endpoint:x', label: 'X', kind: 'endpoint' } as const;
  const pairs = await stored([
    [{}, 'alone'],
    [{ seed: 9, question: { text: 'Why?' } }, 'alone'],
    [{ alone: { ...DRAWN, worker: poolWorker(2).id } }, 'alone'],
    [{ pool: [0, 1, 2].map((index) => poolWorker(index, { model: 'newer' })) }, 'alone'],
    [{ prompt: { ownExamples: 'Like this.' } }, 'alone'],
    [{ conductor: endpoint }, 'alone'],
    [{ conductor: { ...endpoint, model: 'other' } }, 'alone'],
    [{ alone: { ...DRAWN, equalCost: true } }, 'alone'],
  ]);
  expect(runningVerdicts(pairs).map(({ all }) => all.losses)).toEqual([1, 1, 1, 1, 1, 1, 2]);
});

test('exports the same figures as CSV and as JSON lines', async () => {
  const pairs = await stored([[{}, 'equal']]);
  const row: unknown = JSON.parse(pairsAsJsonLines(pairs));
  expect(row).toMatchObject({ run: 'run-0', preferred: 'equal', alone_usd: 0.25, alone_characters: TEXT.length });
  const [header, line, ...rest] = pairsAsCsv(pairs).trim().split('\r\n');
  expect(header).toContain('at,run,series,conductor,worker,alone_answers,preferred,first,');
  expect(line?.split(',')).toEqual(Object.values(row ?? {}).map(String));
  expect(rest).toEqual([]);
  expect(pairsAsCsv([])).toHaveLength(1);
});
