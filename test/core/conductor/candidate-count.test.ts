import { expect, test } from 'vitest';
import { BY_HAND_INFO } from '../../../src/core/conductor/by-hand';
import { candidatesFor } from '../../../src/core/conductor/candidate-count';
import { HEURISTIC_INFO } from '../../../src/core/conductor/heuristic';
import { POLICY_INFO } from '../../../src/core/conductor/policy-info';
import { RANKED_CANDIDATES, withPolicyInfo } from '../../../src/core/conductor/with-policy-info';
import type { ConductorInfo } from '../../../src/core/contract';

const MODEL: ConductorInfo = { ...POLICY_INFO, id: 'endpoint:one', kind: 'endpoint', label: 'One' };

test('requests the configured number of plans from a Conductor that can write different plans', () => {
  for (const info of [POLICY_INFO, MODEL, withPolicyInfo('skeleton', MODEL)]) expect(candidatesFor(info, 3)).toBe(3);
});

test('requests at least four plans if the policy ranks them', () => {
  const ranked = withPolicyInfo('ranking', MODEL);
  expect([1, 6].map((wanted) => candidatesFor(ranked, wanted))).toEqual([RANKED_CANDIDATES, 6]);
});

test('requests one plan from a Conductor that always writes the same plan', () => {
  for (const info of [BY_HAND_INFO, HEURISTIC_INFO]) expect(candidatesFor(info, 3)).toBe(1);
});
