import { describe, expect, test } from 'vitest';
import { fallbackNotice, fallbackWords, nextWords } from '../../../src/app/shared/fallback-words';
import { POLICY_INFO } from '../../../src/core/conductor/policy-info';
import { withPolicyInfo } from '../../../src/core/conductor/with-policy-info';
import { fault, type ConductorInfo, type Plan, type PlanRetry } from '../../../src/core/contract';

const MODEL: ConductorInfo = { id: 'endpoint:desk', label: 'Desk', kind: 'endpoint' };
const words = withPolicyInfo('skeleton', MODEL);
const retry = (more: Partial<PlanRetry> = {}): PlanRetry => ({
  problem: null,
  fault: fault('unreachable', 'Couldn’t reach Desk.'),
  text: '',
  usage: null,
  cost: null,
  endedAt: 0,
  next: 'fallback',
  correction: null,
  maxTokens: null,
  ...more,
});
type RetriedPlan = Parameters<typeof fallbackNotice>[0];
const planBy = (
  conductor: ConductorInfo,
  retries: readonly PlanRetry[],
  policy: Plan['policy'] = null,
): RetriedPlan => ({
  conductor,
  policy,
  retries,
});

describe('the words about a failed attempt to plan', () => {
  test('name the Conductor that failed, the reason, and the Conductor that planned instead', () => {
    expect(fallbackNotice(planBy(MODEL, [retry()]))).toBe(
      'Desk couldn’t plan. Couldn’t reach Desk. The built-in Conductor took over.',
    );
    expect(fallbackWords(planBy(MODEL, []))).toBe('by the built-in Conductor, after Desk failed');
  });

  test('say that the built-in rules planned if the trained policy couldn’t be loaded', () => {
    const missing = retry({ fault: fault('internal', 'Couldn’t load the trained policy.') });
    expect(fallbackNotice(planBy(POLICY_INFO, [missing]))).toBe(
      'Couldn’t load the trained policy. Planned by rules instead.',
    );
    expect(fallbackWords(planBy(POLICY_INFO, []))).toBe('by rules, because the trained policy couldn’t be loaded');
  });

  test('say that the policy’s own words are used if the model couldn’t write the subtasks', () => {
    const policy = { part: 'skeleton', revision: 'r1' } as const;
    const failed = retry({
      fault: null,
      problem: { code: 'not-found', message: 'There is no list.', at: 0 },
    });
    expect(fallbackNotice(planBy(words, [failed], policy))).toBe(
      'Desk couldn’t write the subtasks. There is no list. Used the policy’s own words instead.',
    );
  });

  test('mention no fallback if the same Conductor planned again', () => {
    const stricter = retry({ next: 'stricter' });
    expect(fallbackNotice(planBy(MODEL, [stricter]))).toBe('');
    expect(nextWords(planBy(MODEL, []), stricter)).toBe('Retried with stricter instructions.');
  });

  test('give a general reason if none was recorded', () => {
    expect(fallbackNotice(planBy(MODEL, [retry({ fault: null })]))).toContain('The plan couldn’t be used.');
  });
});
