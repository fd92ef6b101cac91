import { describe, expect, it } from 'vitest';
import { defaultConductor, type DefaultRequest } from '../../../src/core/conductor/default-conductor';
import type { GradedRun, PoolWorker } from '../../../src/core/contract';
import { published, worker } from './requests';

const LOCAL = { id: 'local:tiny', label: 'Tiny', kind: 'webllm', origin: null } as const;
const ENDPOINT = { kind: 'endpoint', origin: 'https://api.example' } as const;
const CHEAP = { price: { input: 0.1, output: 0.4 } };
const EXPENSIVE = { price: { input: 3, output: 15 } };

/** A worker behind an endpoint, rated by the user for maths. */
function rated(index: number, maths: number, more: Partial<PoolWorker> = {}): PoolWorker {
  return worker(index, { ...ENDPOINT, domains: { maths }, ...more });
}

function unknown(index: number, more: Partial<PoolWorker> = {}): PoolWorker {
  return worker(index, { ...ENDPOINT, ...more });
}

function graded(workerId: string, right: number, wrong: number): GradedRun[] {
  return Array.from({ length: right + wrong }, (_, index) => ({
    runId: `${workerId}-${index}`,
    startedAt: index,
    question: 'What is 2 + 2?',
    right: index < right,
    played: [{ workerId, role: 'solve' }],
  }));
}

interface Row {
  readonly when: string;
  readonly requested: Partial<DefaultRequest>;
  readonly id: string;
  readonly reason: object;
}

const two = [rated(0, 0.9, EXPENSIVE), rated(1, 0.5, CHEAP)];

/** The rows of the table in docs/plans.md. */
const ROWS: readonly Row[] = [
  {
    when: 'scouts go first',
    requested: { pool: two, local: LOCAL, scouts: true },
    id: 'template:scouts-first',
    reason: { kind: 'scouts' },
  },
  {
    when: 'scouts should go first, and the workers are simulated',
    requested: { pool: [worker(0), worker(1)], scouts: true },
    id: 'template:scouts-first',
    reason: { kind: 'scouts' },
  },
  {
    when: 'scouts should go first, but only one worker can answer',
    requested: { pool: [unknown(0), worker(1, { kind: 'python' })], scouts: true },
    id: 'endpoint:alder',
    reason: { kind: 'worker', rank: 'only', strongest: null, sees: false },
  },
  {
    when: 'scouts should go first, but images are attached',
    requested: { pool: [worker(0), worker(1)], scouts: true, hasImages: true },
    id: 'policy',
    reason: { kind: 'practice' },
  },
  { when: 'no worker is in the pool', requested: { pool: [] }, id: 'policy', reason: { kind: 'empty' } },
  {
    when: 'all workers are simulated, even if a local model is loaded',
    requested: { pool: [worker(0), worker(1)], local: LOCAL },
    id: 'policy',
    reason: { kind: 'practice' },
  },
  {
    when: 'all workers are endpoints and a local model is loaded',
    requested: { pool: two, local: LOCAL },
    id: 'local:tiny',
    reason: { kind: 'local' },
  },
  {
    when: 'the pool has simulated workers and endpoints, and a local model is loaded, even if Private is on and the browser is offline',
    requested: { pool: [worker(2), ...two], local: LOCAL, isPrivate: true, isOnline: false },
    id: 'local:tiny',
    reason: { kind: 'local' },
  },
  {
    when: 'all workers are endpoints and no local model is loaded',
    requested: { pool: two },
    id: 'endpoint:alder',
    reason: { kind: 'worker', rank: 'best', strongest: 'maths', sees: false },
  },
  {
    when: 'a simulated worker, which can’t write plans, has the highest rating for the role plan',
    requested: { pool: [worker(2, { strengths: { plan: 1 } }), ...two] },
    id: 'endpoint:alder',
    reason: { kind: 'worker', rank: 'best', strongest: 'maths', sees: false },
  },
  {
    when: 'Private is on and no local model is loaded',
    requested: { pool: two, isPrivate: true },
    id: 'heuristic',
    reason: { kind: 'private' },
  },
  {
    when: 'Private is on and no local model is loaded, and the effort is thorough',
    requested: { pool: two, isPrivate: true, effort: 'thorough' },
    id: 'policy',
    reason: { kind: 'private' },
  },
  {
    when: 'Private is on and no local model is loaded, and the effort is quick',
    requested: { pool: two, isPrivate: true, effort: 'quick' },
    id: 'policy',
    reason: { kind: 'private' },
  },
  {
    when: 'the browser is offline and no local model is loaded',
    requested: { pool: two, isOnline: false },
    id: 'heuristic',
    reason: { kind: 'offline' },
  },
  {
    when: 'the browser is offline and one server is on this computer',
    requested: { pool: [...two, rated(2, 0.1, { origin: 'http://localhost:11434' })], isOnline: false },
    id: 'endpoint:cedar',
    reason: { kind: 'worker', rank: 'only', strongest: 'maths', sees: false },
  },
  {
    when: 'no worker of the pool can write a plan',
    requested: { pool: [worker(0, { kind: 'local' })] },
    id: 'heuristic',
    reason: { kind: 'no-writer' },
  },
];

/** Cases in which one of several workers is chosen. */
const CHOICES: readonly Row[] = [
  {
    when: 'a worker nearly as able as the best is cheaper',
    requested: { pool: [rated(0, 0.9, EXPENSIVE), rated(1, 0.86, CHEAP)] },
    id: 'endpoint:birch',
    reason: { rank: 'near-best' },
  },
  {
    when: 'a cheaper worker is clearly less able',
    requested: { pool: [rated(0, 0.9, EXPENSIVE), rated(1, 0.84, CHEAP)] },
    id: 'endpoint:alder',
    reason: { rank: 'best' },
  },
  {
    when: 'the ability of a cheaper worker is unknown',
    requested: { pool: [unknown(0, CHEAP), rated(1, 0.2, EXPENSIVE)] },
    id: 'endpoint:birch',
    reason: { rank: 'best' },
  },
  {
    when: 'the price of an equally able worker is unknown',
    requested: { pool: [rated(0, 0.9), rated(1, 0.9, EXPENSIVE)] },
    id: 'endpoint:birch',
    reason: { rank: 'best' },
  },
  {
    when: 'no abilities and only some prices are known',
    requested: { pool: [unknown(0), unknown(1, EXPENSIVE), unknown(2, CHEAP)] },
    id: 'endpoint:cedar',
    reason: { rank: 'cheapest', strongest: null },
  },
  {
    when: 'neither abilities nor prices are known',
    requested: { pool: [unknown(0), unknown(1)] },
    id: 'endpoint:alder',
    reason: { rank: 'first', strongest: null },
  },
  {
    when: 'images are attached and only a less able worker can see images',
    requested: { pool: [rated(0, 0.9), rated(1, 0.2, { canSee: true })], hasImages: true },
    id: 'endpoint:birch',
    reason: { sees: true },
  },
  {
    when: 'images are attached and no worker can see images',
    requested: { pool: two, hasImages: true },
    id: 'endpoint:alder',
    reason: { sees: false },
  },
  {
    when: 'graded runs contradict the user’s ratings',
    requested: { pool: two, history: [...graded('alder', 0, 12), ...graded('birch', 12, 0)] },
    id: 'endpoint:birch',
    reason: { rank: 'best' },
  },
  {
    when: 'abilities are known only from published benchmarks',
    requested: { pool: [published(0, 'gemma-3-27b-it', CHEAP), published(1, 'gpt-5', EXPENSIVE)] },
    id: 'endpoint:birch',
    reason: { rank: 'best' },
  },
];

const NOTHING: DefaultRequest = {
  pool: [],
  local: null,
  isOnline: true,
  isPrivate: false,
  hasImages: false,
  effort: 'balanced',
  scouts: false,
  history: [],
};

describe('the default Conductor', () => {
  it.each(ROWS)('is $id when $when', ({ requested, id, reason }) => {
    expect(defaultConductor({ ...NOTHING, ...requested })).toEqual({ id, reason });
  });

  it.each(CHOICES)('is $id when $when', ({ requested, id, reason }) => {
    expect(defaultConductor({ ...NOTHING, ...requested })).toMatchObject({ id, reason });
  });
});
