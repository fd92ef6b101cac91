import { describe, expect, it } from 'vitest';
import type { ConductorChoice } from '../../../src/app/services';
import { planHere, type PlanParts } from '../../../src/app/evaluate/evaluate-plan-here';
import { endpointConductorInfo } from '../../../src/core/conductor/endpoint-info';
import { withWorker } from '../../../src/core/conductor/solo';
import { TEMPLATES } from '../../../src/core/conductor/templates';
import type { BatchPlan, ConductorInfo, PoolWorker } from '../../../src/core/contract';
import { batchMethod, batchPlan, batchWorker, storedDataset } from '../../fixtures/evaluation/batches';

const REMOTE: PoolWorker = {
  ...batchWorker('r'),
  kind: 'endpoint',
  model: 'big',
  origin: 'https://api.example.com',
  price: { input: 1, output: 2 },
};
const CONDUCTOR = endpointConductorInfo(REMOTE);
const templates = TEMPLATES.map(({ info }): ConductorChoice => ({ info, description: '', instant: true }));
const ALL: PlanParts = {
  datasets: [storedDataset('mine', 4, { revision: 'r1', isConfidential: true })],
  workers: [batchWorker('a'), batchWorker('b'), REMOTE],
  conductors: [...templates, { info: CONDUCTOR, description: '', instant: false }],
  preferences: { isPrivate: false },
};

function planWith(pool: readonly PoolWorker[], conductor: ConductorInfo = CONDUCTOR): BatchPlan {
  const method = batchMethod('one');
  return batchPlan({ methods: [{ ...method, settings: { ...method.settings, pool, conductor } }] });
}

function problemsOf(plan: BatchPlan, parts: Partial<PlanParts> = {}): readonly string[] {
  const here = planHere(plan, { ...ALL, ...parts });
  return here.ok ? [] : here.problems;
}

describe('the plan of an imported batch', () => {
  it('uses this browser’s dataset with the same revision, and keeps its confidential mark', () => {
    const here = planHere(planWith([REMOTE]), ALL);
    expect(here.ok && here.plan.datasets).toEqual([
      { id: 'mine', name: 'Sums', revision: 'r1', isConfidential: true, taskIds: ['t0', 't1', 't2', 't3'] },
    ]);
  });

  it('uses the prices of this browser, for workers, Conductors and the judge', () => {
    const free = { input: 0, output: 0 };
    const plan = planWith([{ ...REMOTE, price: free }], { ...CONDUCTOR, price: free });
    const here = planHere({ ...plan, judge: { ...REMOTE, price: free } }, ALL);
    const [method] = here.ok ? here.plan.methods : [];
    expect(method?.settings.pool[0]?.price).toEqual(REMOTE.price);
    expect(method?.settings.conductor.price).toEqual(REMOTE.price);
    expect(here.ok && here.plan.judge?.price).toEqual(REMOTE.price);
  });

  it('recognizes a template whose id includes the id of a worker', () => {
    const [template] = TEMPLATES;
    if (!template) throw new Error('There are no templates.');
    expect(problemsOf(planWith([batchWorker('a')], withWorker(template.info, batchWorker('a'))))).toEqual([]);
  });

  it.each<[string, BatchPlan, Partial<PlanParts>, string]>([
    ['a dataset', planWith([REMOTE]), { datasets: [] }, 'This browser has no dataset named “Sums”.'],
    [
      'the tasks of a dataset',
      planWith([REMOTE]),
      { datasets: [storedDataset('mine', 4, { name: 'Sums' })] },
      'The dataset Sums differs from the one in this batch',
    ],
    ['a worker', planWith([batchWorker('c')]), {}, 'This browser has no worker named “Worker c”.'],
    ['a judge', { ...planWith([REMOTE]), judge: batchWorker('c') }, {}, 'This browser has no worker named “Worker c”.'],
    [
      'a recorded table',
      planWith([{ ...batchWorker('a'), kind: 'recorded' }]),
      {},
      'The recorded workers of this batch belong to a table in another browser.',
    ],
    [
      'a Conductor',
      planWith([REMOTE], { ...CONDUCTOR, id: 'endpoint:gone' }),
      {},
      'This browser has no Conductor named',
    ],
    [
      'the model of a Conductor',
      planWith([REMOTE]),
      { conductors: [{ info: CONDUCTOR, description: '', instant: false, missing: 'It is not loaded.' }] },
      'It is not loaded.',
    ],
  ])('reports a missing part: %s', (_, plan, parts, words) => {
    expect(problemsOf(plan, parts).join('\n')).toContain(words);
  });

  it('reports a worker and a Conductor whose address differs in this browser', () => {
    const moved = { ...REMOTE, origin: 'https://other.example.com' };
    expect(problemsOf(planWith([moved], endpointConductorInfo(moved)))).toEqual([
      'The Conductor Worker r has another model or address here. Change it under Workers.',
      'The worker Worker r is big at https://other.example.com in this batch, but big at https://api.example.com here. Change it under Workers.',
    ]);
  });

  it('reports a worker and a Conductor whose model differs in this browser', () => {
    const changed = { ...REMOTE, model: 'small' };
    expect(problemsOf(planWith([changed], endpointConductorInfo(changed)))).toEqual([
      'The Conductor Worker r has another model or address here. Change it under Workers.',
      'The worker Worker r is small at https://api.example.com in this batch, but big at https://api.example.com here. Change it under Workers.',
    ]);
  });

  it('reports that the Private setting must be off to use a Conductor or worker on a server', () => {
    const own = { workers: [batchWorker('a')], conductors: templates, preferences: { isPrivate: true } };
    expect(problemsOf(planWith([REMOTE]), own)).toEqual([
      'The Conductor “Worker r” runs on a server. Turn Private off to use it.',
      'The worker “Worker r” runs on a server. Turn Private off to use it.',
    ]);
  });
});
