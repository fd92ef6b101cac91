/**
 * @file The rules that infer a step's role from its wording and its position. `roles.ts` applies them. Each matching rule adds
 * its weight to its role, and the role with the highest sum wins. Negative weights count against a role. If no sum reaches 1,
 * the role is `solve`.
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

/** A rule about a step's position and the steps that it sees. Only `opens-on-question` also depends on the wording. */
export interface PlaceRule {
  readonly role: Role;
  readonly weight: number;
  readonly when:
    'opens-on-question' | 'sees-nothing' | 'sees-one' | 'sees-something' | 'first' | 'last' | 'last-of-several';
}

export const PLACE_RULES: readonly PlaceRule[] = [
  // A first step whose text does not mention earlier work has nothing to check, refine or choose from. It works on the question
  // itself, so its role is `plan` or `solve`. A first step that does mention earlier work may have any role.
  { role: 'verify', weight: Number.NEGATIVE_INFINITY, when: 'opens-on-question' },
  { role: 'refine', weight: Number.NEGATIVE_INFINITY, when: 'opens-on-question' },
  { role: 'aggregate', weight: Number.NEGATIVE_INFINITY, when: 'opens-on-question' },
  { role: 'decide', weight: Number.NEGATIVE_INFINITY, when: 'opens-on-question' },
  // A step that sees no earlier step needs clear wording for one of these roles.
  { role: 'verify', weight: -2, when: 'sees-nothing' },
  { role: 'refine', weight: -2, when: 'sees-nothing' },
  { role: 'aggregate', weight: -2, when: 'sees-nothing' },
  { role: 'decide', weight: -2, when: 'sees-nothing' },
  { role: 'aggregate', weight: -1.5, when: 'sees-one' },
  // A planning step comes before the work that it plans, so it rarely sees earlier steps, and it is rarely the last step.
  { role: 'plan', weight: -1.5, when: 'sees-something' },
  { role: 'plan', weight: -3, when: 'last' },
  { role: 'plan', weight: 0.5, when: 'first' },
  // The last step gives the answer of the whole workflow, so it is more likely to decide than to solve.
  { role: 'decide', weight: 0.5, when: 'last-of-several' },
  { role: 'solve', weight: -0.5, when: 'last-of-several' },
];
