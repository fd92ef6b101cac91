import { describe, expect, it } from 'vitest';
import type { ConductorInfo } from '../../../src/core/contract';
import { type MethodChoice, forRecordedWorkers } from '../../../src/app/evaluate/evaluate-methods';

function choice(id: string, section: MethodChoice['section']): MethodChoice {
  const info: ConductorInfo = { id, label: id, kind: id === 'policy' ? 'policy' : 'template' };
  return { info, section, description: '', instant: true };
}

describe('the methods for recorded workers, whose answers come from a table', () => {
  it('are available only if they call one worker once, and otherwise show what is missing', () => {
    const choices = forRecordedWorkers(
      [
        choice('model', 'conductors'),
        choice('template:best-single', 'baselines'),
        choice('template:best-single@recorded:t:lynx', 'workers'),
        choice('template:routing', 'templates'),
        choice('template:debate', 'templates'),
      ],
      false,
    );
    expect(choices.map(({ missing }) => missing)).toEqual([
      'Needs answers that are not in the table.',
      undefined,
      undefined,
      undefined,
      'Needs answers that are not in the table.',
      undefined,
      undefined,
    ]);
  });

  it('include the routers that learn from the table, unless a judge grades the tasks', () => {
    const routers = forRecordedWorkers([], false);
    expect(routers.map(({ info, missing }) => [info.id, missing])).toEqual([
      ['template:nearest-neighbours', undefined],
      ['template:fitted-router', undefined],
    ]);
    expect(forRecordedWorkers([], true).map(({ missing }) => missing)).toEqual([
      'Needs tasks that are graded without a judge.',
      'Needs tasks that are graded without a judge.',
    ]);
  });

  it('include the trained policy, with one step', () => {
    const [policy] = forRecordedWorkers([choice('policy', 'conductors')], false);
    expect(policy).toMatchObject({ name: 'policy, one step', maxSteps: 1 });
    expect(policy?.missing).toBeUndefined();
  });

  it('include the random workflow, as one call to a random worker', () => {
    const [random] = forRecordedWorkers([choice('template:random', 'templates')], false);
    expect(random).toMatchObject({ name: 'Random worker', maxSteps: 1 });
    expect(random?.missing).toBeUndefined();
  });
});
