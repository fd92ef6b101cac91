/**
 * @file The type of a rule about a subtask's wording, and short constructors for it.
 *
 * A matching rule adds its weight to the score of its role. The weights:
 * - 4: a phrase that is clearer than any verb.
 * - 3: a verb that always means this role ("verify", "merge").
 * - 2: a verb or phrase that nearly always means this role.
 * - 1: a weak hint.
 */
import type { Role } from '../../contract';

export interface WordRule {
  readonly role: Role;
  readonly weight: number;
  /** `head`: the verb phrase at the start of the subtask, without introductory phrases. `anywhere`: the whole text. */
  readonly where: 'head' | 'anywhere';
  readonly words: RegExp;
  /**
   * The rule applies only if the step sees at least this many earlier steps. Without a `Place` (the step's position in its
   * workflow, see `roles.ts`), this condition is ignored.
   */
  readonly sees?: number;
  /**
   * The rule applies only to a workflow's last step. Without a `Place`, the rule never applies. If the place has no index or
   * count, this condition is ignored.
   */
  readonly last?: true;
}

type Condition = Pick<WordRule, 'sees' | 'last'>;

/** Matches at the start of the subtask, after any introductory phrases. */
export const head = (role: Role, weight: number, words: RegExp, more: Condition = {}): WordRule => ({
  role,
  weight,
  where: 'head',
  words,
  ...more,
});
/** Matches anywhere in the subtask. */
export const anywhere = (role: Role, weight: number, words: RegExp, more: Condition = {}): WordRule => ({
  role,
  weight,
  where: 'anywhere',
  words,
  ...more,
});

/** Matches a persona at the start of the subtask, such as "You are a strict judge." or "Judge:". */
export const persona = (role: Role, weight: number, who: string, more: Condition = {}): WordRule =>
  anywhere(
    role,
    weight,
    new RegExp(
      `^(?:(?:you are|act as|imagine you are|be|play|as) (?:an?|the) (?:\\w+ ){0,3})?(?:${who})\\b(?!['’])[^.:,]{0,40}[.:,]`,
      'i',
    ),
    more,
  );
