import { describe, expect, test } from 'vitest';
import type { DefaultReason, WorkerRank } from '../../../src/core/conductor/default-conductor';
import { POLICY_INFO } from '../../../src/core/conductor/policy-info';
import { automaticLabel, plannerSentence } from '../../../src/app/conduct/conduct-words';

const desk = { label: 'Desk', kind: 'endpoint' } as const;
const chosen = (more: Partial<Extract<DefaultReason, { kind: 'worker' }>> = {}) => ({
  id: 'endpoint:desk',
  reason: { kind: 'worker', rank: 'only', strongest: null, sees: false, ...more } as const,
});

describe('the sentence about the automatic choice', () => {
  test.each([
    ['empty', ''],
    ['practice', 'Planned by the trained policy, because the workers are simulated.'],
    ['private', 'Planned by the trained policy, because Private is on and no model is loaded.'],
    ['offline', 'Planned by the trained policy, because you are offline.'],
    ['no-writer', 'Planned by the trained policy, because no worker in the pool can write plans.'],
    ['scouts', 'Two cheap workers answer first. The others are called only if these disagree.'],
    ['local', 'Planned by Desk, which is loaded on this machine and free.'],
  ] as const)('states who plans and why, except for an empty pool (reason “%s”)', (kind, sentence) => {
    expect(plannerSentence({ id: 'any', reason: { kind } }, desk, 0)).toBe(sentence);
  });

  test('names the built-in rules if they plan', () => {
    const rules = { label: 'Built in, by rules', kind: 'heuristic' } as const;
    expect(plannerSentence({ id: 'heuristic', reason: { kind: 'offline' } }, rules, 0)).toBe(
      'Planned by the built-in rules, because you are offline.',
    );
  });

  test.each([
    ['only', 'the only model'],
    ['best', 'highest-rated model'],
    ['near-best', 'cheapest of the highest-rated models'],
    ['cheapest', 'cheapest model'],
    ['first', 'first model in the pool'],
  ] satisfies [WorkerRank, string][])('says why a worker with the rank “%s” plans', (rank, why) => {
    expect(plannerSentence(chosen({ rank }), desk, 0)).toBe(`Planned by Desk: ${why}. The plan is free.`);
  });

  test('names the worker’s strongest domain, and its image support if that was a reason for the choice', () => {
    expect(plannerSentence(chosen({ rank: 'best', strongest: 'maths', sees: true }), desk, 0.0123)).toBe(
      'Planned by Desk: highest-rated model that can see images, strongest in maths. The plan costs about $0.0123.',
    );
  });

  test('says that the plan costs under $0.0001, or that its price is unknown', () => {
    const cost = (usd: number | null) => plannerSentence(chosen(), desk, usd).split('only model. ')[1];
    expect(cost(0.000_01)).toBe('The plan costs under $0.0001.');
    expect(cost(null)).toBe('Price of the plan: unknown.');
  });

  test('says that a Conductor with an unknown price can’t be called if there is a budget', () => {
    const sentence = plannerSentence(chosen(), desk, null, true);
    expect(sentence).toContain('Its price is unknown, so it can’t be called while there is a budget.');
    expect(plannerSentence(chosen(), desk, 0.01, true)).not.toContain('unknown');
  });
});

test('the menu names the automatic Conductor', () => {
  expect(automaticLabel(null)).toBe('Automatic');
  expect(automaticLabel(POLICY_INFO)).toBe('Automatic: trained policy');
  expect(automaticLabel({ id: 'endpoint:desk', label: 'Desk', kind: 'endpoint' })).toBe('Automatic: Desk');
});
