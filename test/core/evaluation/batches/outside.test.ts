import { describe, expect, it } from 'vitest';
import { outsideName } from '../../../../src/core/evaluation/batches/outside';
import { batchPlan, batchWorker } from '../../../fixtures/evaluation/batches';

const here = batchWorker('here');
const away = { ...batchWorker('away'), origin: 'https://api.example.com' };

describe('what a batch calls outside this machine', () => {
  it('is nothing if all workers, the Conductors and the judge are on this machine', () => {
    expect(outsideName(batchPlan({ judge: here }))).toBeNull();
  });

  it('is a judge that is not on this machine', () => {
    expect(outsideName(batchPlan({ judge: away }))).toBe(away.name);
  });

  it('is a worker or a Conductor of any method', () => {
    const plan = batchPlan({});
    const [method] = plan.methods;
    if (!method) throw new Error('The plan has no method.');
    const { settings } = method;
    const inPool = { ...method, settings: { ...settings, pool: [here, away] } };
    const planning = {
      ...method,
      settings: { ...settings, conductor: { ...settings.conductor, origin: away.origin } },
    };
    expect(outsideName({ ...plan, methods: [method, inPool] })).toBe(away.name);
    expect(outsideName({ ...plan, methods: [method, planning] })).toBe(settings.conductor.label);
  });
});
