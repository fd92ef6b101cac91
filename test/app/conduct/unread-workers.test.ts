import { describe, expect, it } from 'vitest';
import { unreadBy } from '../../../src/app/conduct/unread-workers.svelte';
import type { PoolWorker, WorkerKind } from '../../../src/core/contract';
import { canRead } from '../../../src/core/tasks';

function worker(id: string, kind: WorkerKind): PoolWorker {
  return { id, name: id, mark: id, colour: 1, kind, model: id, origin: null, price: null };
}

const ALDER = worker('Alder', 'simulated');
const BIRCH = worker('Birch', 'simulated');
const DESK = worker('Desk', 'endpoint');
const PYTHON = worker('Python', 'python');

const EVERYDAY = 'Which city is larger, Lyon or Marseille?';
const PUZZLE = 'What is 17 + 25?';

const step = (index: number, subtask = 'Solve it') => ({ worker: index, subtask, access: [] });

describe('without a plan, the list of workers that cannot read the question', () => {
  it.each([
    ['every simulated worker, because the question is not a puzzle', EVERYDAY, [ALDER, BIRCH, PYTHON], [ALDER, BIRCH]],
    ['no worker, because the question is a puzzle', PUZZLE, [ALDER, BIRCH], []],
    ['no worker if one worker of the pool can read the question', EVERYDAY, [ALDER, DESK], []],
    ['no worker in a pool with only Python', EVERYDAY, [PYTHON], []],
  ])('names %s', (_, question, pool, expected) => {
    expect(unreadBy({ question, workflow: null, pool }, canRead)).toEqual(expected);
  });
});

describe('with a plan, the list of workers that cannot read the question', () => {
  const pool = [ALDER, BIRCH, DESK];

  it('names only workers in the plan, each once', () => {
    const workflow = { steps: [step(2), step(0), step(0)] };
    expect(unreadBy({ question: EVERYDAY, workflow, pool }, canRead)).toEqual([ALDER]);
  });

  it('does not name a worker whose subtask is a puzzle', () => {
    const workflow = { steps: [step(0, PUZZLE)] };
    expect(unreadBy({ question: EVERYDAY, workflow, pool }, canRead)).toEqual([]);
  });
});
