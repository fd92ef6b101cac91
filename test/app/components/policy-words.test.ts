import { describe, expect, test } from 'vitest';
import { policyPart, policySentence, scoreWords } from '../../../src/app/components/policy-words';
import { withPolicyInfo } from '../../../src/core/conductor/with-policy-info';
import type { ConductorInfo, Plan } from '../../../src/core/contract';

const MODEL: ConductorInfo = { id: 'local:tiny', label: 'Tiny', kind: 'webllm' };
type Said = Pick<Plan, 'policy' | 'conductor' | 'source' | 'chosenBy' | 'edited'>;
const plan = (part: 'skeleton' | 'ranking', more: Partial<Said> = {}): Said => ({
  policy: { part, revision: 'r1' },
  conductor: withPolicyInfo(part, MODEL),
  source: 'conductor',
  chosenBy: part === 'ranking' ? 'rank' : null,
  edited: false,
  ...more,
});

describe('who wrote what', () => {
  test.each([
    [plan('skeleton'), 'Steps, workers and views by the trained policy (r1), words by Tiny.'],
    [
      plan('skeleton', { edited: true }),
      'As proposed: steps, workers and views by the trained policy (r1), words by Tiny.',
    ],
    [plan('ranking'), 'Written by Tiny, ranked by the trained policy (r1).'],
    [plan('ranking', { edited: true }), 'As proposed: written by Tiny, ranked by the trained policy (r1).'],
    [
      plan('ranking', { chosenBy: 'vote' }),
      'Written by Tiny, chosen by vote as none could be ranked by the trained policy (r1).',
    ],
    [plan('ranking', { source: 'fallback', chosenBy: null }), ''],
    [plan('ranking', { policy: null }), ''],
  ])('is told as it was: %#', (told, sentence) => {
    expect(policySentence(told)).toBe(sentence);
  });

  test('is no part of the line of a plan that a person changed', () => {
    expect(policyPart(plan('skeleton'))).toBe('steps by the policy, words by Tiny');
    expect(policyPart(plan('ranking'))).toBe('the policy’s favourite');
    for (const part of ['skeleton', 'ranking'] as const) expect(policyPart(plan(part, { edited: true }))).toBe('');
  });

  test('says of a plan without a score whether others have one', () => {
    const score = { logProbability: null, choices: 0, reason: 'The last step gives no answer.' };
    expect(scoreWords(score, true)).toBe('ranked last: The last step gives no answer.');
    expect(scoreWords(score, false)).toBe('Not ranked: The last step gives no answer.');
    expect(scoreWords(null, true)).toBe('');
  });
});
