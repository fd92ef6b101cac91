import { describe, expect, test } from 'vitest';
import { policySentence, scoreWords } from '../../../src/app/shared/policy-words';
import { policyPart } from '../../../src/app/shared/steps/run-line';
import { withPolicyInfo } from '../../../src/core/conductor/with-policy-info';
import type { ConductorInfo, Plan } from '../../../src/core/contract';

const MODEL: ConductorInfo = { id: 'local:tiny', label: 'Tiny', kind: 'webllm' };
type Contribution = Pick<Plan, 'policy' | 'conductor' | 'source' | 'chosenBy' | 'edited'>;
const plan = (part: 'skeleton' | 'ranking', more: Partial<Contribution> = {}): Contribution => ({
  policy: { part, revision: 'r1' },
  conductor: withPolicyInfo(part, MODEL),
  source: 'conductor',
  chosenBy: part === 'ranking' ? 'rank' : null,
  edited: false,
  ...more,
});

describe('the words for who wrote a plan', () => {
  test.each([
    [plan('skeleton'), 'Steps, workers and access by the trained policy (r1), words by Tiny.'],
    [
      plan('skeleton', { edited: true }),
      'As proposed: steps, workers and access by the trained policy (r1), words by Tiny.',
    ],
    [plan('ranking'), 'Written by Tiny, ranked by the trained policy (r1).'],
    [plan('ranking', { edited: true }), 'As proposed: written by Tiny, ranked by the trained policy (r1).'],
    [
      plan('ranking', { chosenBy: 'vote' }),
      'Written by Tiny, chosen by vote, because the trained policy (r1) couldn’t rank the plans.',
    ],
    [plan('ranking', { source: 'fallback', chosenBy: null }), ''],
    [plan('ranking', { policy: null }), ''],
  ])(
    'state what the policy and the model contributed, and are empty if the policy did not contribute: %#',
    (expected, sentence) => {
      expect(policySentence(expected)).toBe(sentence);
    },
  );

  test('are shorter in the one-line summary of a plan, and left out there if the plan was edited', () => {
    expect(policyPart(plan('skeleton'))).toBe('steps by the policy, words by Tiny');
    expect(policyPart(plan('ranking'))).toBe('the policy’s first choice');
    for (const part of ['skeleton', 'ranking'] as const) expect(policyPart(plan(part, { edited: true }))).toBe('');
  });

  test('are “ranked last” for a plan without a score if other plans have scores, else “Not ranked”', () => {
    const score = { logProbability: null, choices: 0, reason: 'The last step gives no answer.' };
    expect(scoreWords(score, true)).toBe('ranked last: The last step gives no answer.');
    expect(scoreWords(score, false)).toBe('Not ranked: The last step gives no answer.');
    expect(scoreWords(null, true)).toBe('');
  });
});
