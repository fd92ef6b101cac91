import { describe, expect, it } from 'vitest';
import { outsideName } from '../../../../src/core/evaluation/batches/outside';
import { batchPlan, batchWorker } from '../../../fixtures/evaluation/batches';

const here = batchWorker('here');
const away = { ...batchWorker('away'), origin: 'https://api.example.com' };

describe('outsideName', () => {
  it('returns null if all workers, Conductors and the judge of a batch are on this machine', () => {
    expect(outsideName(batchPlan({ judge: here }))).toBeNull();
  });

  it('returns the name of a judge that runs on a server', () => {
    expect(outsideName(batchPlan({ judge: away }))).toBe(away.name);
  });

  it('returns the name of a worker or Conductor that runs on a server, in any method', () => {
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
