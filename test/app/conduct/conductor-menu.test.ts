import { describe, expect, test } from 'vitest';
import { MOST_WRITERS, menuGroups, secondMenu } from '../../../src/app/conduct/conductor-menu';
import { composeConductors } from '../../../src/composition/conductors';
import { withWorker } from '../../../src/core/conductor/solo';
import type { PoolWorker } from '../../../src/core/contract';
import { poolWorker } from '../../fixtures/run-events';

const { conductors: conductorChoices } = composeConductors({
  setups: new Map(),
  client: { run: () => unused() },
  local: () => unused(),
});
const PAPER = 'Baselines of the paper';
const WRITERS = 'A worker writes the plan';

function unused(): never {
  throw new Error('The menu must not call a worker.');
}

function pool(size: number): PoolWorker[] {
  const kind = { kind: 'endpoint', origin: 'https://a.example' } as const;
  return Array.from({ length: size }, (_, index) => poolWorker(index, { id: `w${index}`, name: `W${index}`, ...kind }));
}
const labelsOf = (size: number, chosen = 'policy') =>
  Object.fromEntries(
    menuGroups(conductorChoices(pool(size), []), chosen).map(({ label, options }) => [
      label,
      options.map((option) => option.label),
    ]),
  );
const countOf = (size: number) => Object.values(labelsOf(size)).flat().length;

describe('the Conductor menu', () => {
  test('lists the Conductors in groups, with separate groups for the paper’s baselines and Podium’s templates', () => {
    expect(labelsOf(2)).toEqual({
      'Built in': ['Built in, trained policy', 'Built in, by rules'],
      [WRITERS]: ['W0', 'W1'],
      'A model and the trained policy': ['Policy, words by W0', 'W0, ranked by the policy'],
      [PAPER]: ['Best single worker', 'Self-reflection, five rounds', 'Consensus, five samples', 'Mixture of Agents'],
      'Podium’s own templates': [
        'Routing by history',
        'Scouts first',
        'Sample until sure',
        'Sample and aggregate',
        'Debate',
        'Random workflow',
      ],
    });
  });

  test('has one entry per plan-writing worker, but a single entry for more than eight of them', () => {
    expect(labelsOf(7)[WRITERS]).toHaveLength(7);
    expect(labelsOf(MOST_WRITERS + 1)[WRITERS]).toEqual(['W0']);
    expect(countOf(100)).toBe(countOf(1));
  });

  test('lists the chosen Conductor exactly once, whichever it is', () => {
    const choices = conductorChoices(pool(20), []);
    for (const { info } of choices) {
      const shown = menuGroups(choices, info.id).flatMap(({ options }) => options.map(({ id }) => id));
      expect(shown).toContain(info.id);
      expect(new Set(shown).size).toBe(shown.length);
    }
  });

  test('has a second menu of models only if the chosen entry stands for several models', () => {
    const choices = conductorChoices(pool(20), []);
    for (const chosen of ['endpoint:w3', 'policy+endpoint:w3', 'ranked+endpoint:w3']) {
      const second = secondMenu(choices, chosen, []);
      expect(second?.options).toHaveLength(20);
      expect(second?.options[3]).toEqual({ id: chosen, label: 'W3' });
    }
    expect(secondMenu(choices, 'policy', pool(3))).toBeNull();
    expect(secondMenu(conductorChoices(pool(3), []), 'endpoint:w1', pool(3))).toBeNull();
    expect(secondMenu(conductorChoices(pool(1), []), 'policy+endpoint:w0', pool(1))).toBeNull();
  });

  test('has a second menu of workers if the chosen template uses a single worker', () => {
    const choices = conductorChoices(pool(2), []);
    const python = poolWorker(2, { kind: 'python', name: 'Python' });
    for (const { info, acceptsWorker } of choices) {
      const labels = secondMenu(choices, info.id, [...pool(2), python])?.options.map(({ label }) => label) ?? null;
      if (acceptsWorker) expect(labels).toEqual(['Best worker', 'W0', 'W1']);
      else if (info.kind === 'template') expect(labels).toBeNull();
    }
    const info = choices.find(({ acceptsWorker }) => acceptsWorker)?.info;
    if (!info) throw new Error('No template takes a worker.');
    const chosen = withWorker(info, { id: 'w1', name: 'W1' }).id;
    expect(menuGroups(choices, chosen).find(({ label }) => label === PAPER)?.options[0]?.id).toBe(chosen);
    expect(secondMenu(choices, chosen, pool(2))?.options[2]?.id).toBe(chosen);
  });
});
