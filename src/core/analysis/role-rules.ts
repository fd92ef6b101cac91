/**
 * @file The written rules by which a step's role is told from its wording and its place. Data only; `roles.ts` adds them up:
 * a rule that holds gives its weight to its role, and the role with the most wins; where none gains anything the step solves.
 * Weights below 0 speak against a role.
 */
import type { Role } from '../contract';
import { AGGREGATE_WORDS, DECIDE_WORDS } from './role-words/aggregate-decide';
import { PLAN_WORDS, SOLVE_WORDS } from './role-words/plan-solve';
import type { WordRule } from './role-words/rule';
import { REFINE_WORDS, VERIFY_WORDS } from './role-words/verify-refine';

export const WORD_RULES: readonly WordRule[] = [
  ...PLAN_WORDS,
  ...SOLVE_WORDS,
  ...VERIFY_WORDS,
  ...REFINE_WORDS,
  ...AGGREGATE_WORDS,
  ...DECIDE_WORDS,
];

/** How a step's place speaks for or against a role, whatever it says. */
export interface PlaceRule {
  readonly role: Role;
  readonly weight: number;
  readonly when:
    'opens-on-question' | 'sees-nothing' | 'sees-one' | 'sees-something' | 'first' | 'last' | 'last-of-several';
}

export const PLACE_RULES: readonly PlaceRule[] = [
  // Nothing was said before it and it speaks of nothing said: what it checks, mends or chooses is the question's, so it does the
  // work. One that speaks of others' work was written for a step that is not there, and keeps what it was meant to be.
  { role: 'verify', weight: Number.NEGATIVE_INFINITY, when: 'opens-on-question' },
  { role: 'refine', weight: Number.NEGATIVE_INFINITY, when: 'opens-on-question' },
  { role: 'aggregate', weight: Number.NEGATIVE_INFINITY, when: 'opens-on-question' },
  { role: 'decide', weight: Number.NEGATIVE_INFINITY, when: 'opens-on-question' },
  // Nothing to look at: a clear verb may still mean it, a hint does not.
  { role: 'verify', weight: -2, when: 'sees-nothing' },
  { role: 'refine', weight: -2, when: 'sees-nothing' },
  { role: 'aggregate', weight: -2, when: 'sees-nothing' },
  { role: 'decide', weight: -2, when: 'sees-nothing' },
  { role: 'aggregate', weight: -1.5, when: 'sees-one' },
  // A plan comes before what it plans.
  { role: 'plan', weight: -1.5, when: 'sees-something' },
  { role: 'plan', weight: -3, when: 'last' },
  { role: 'plan', weight: 0.5, when: 'first' },
  // Whoever speaks last speaks for all.
  { role: 'decide', weight: 0.5, when: 'last-of-several' },
  { role: 'solve', weight: -0.5, when: 'last-of-several' },
];
