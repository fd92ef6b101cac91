/**
 * @file What a rule on a subtask's wording is, and how to write one briefly.
 *
 * A rule that holds gives its weight to its role.
 * - 3: a verb that means one role whatever stands around it ("verify", "merge").
 * - 2: a verb that nearly always means it, or a turn of phrase.
 * - 1: a hint, which tells only where nothing else does.
 */
import type { Role } from '../../contract';

export interface WordRule {
  readonly role: Role;
  readonly weight: number;
  /** `head`: the verb phrase that the subtask opens with, lead-ins taken away. `anywhere`: the whole text. */
  readonly where: 'head' | 'anywhere';
  readonly words: RegExp;
  /** Holds only where the step sees at least this many earlier ones, if that is known. */
  readonly sees?: number;
  /** Holds only for a workflow's last step, if that is known. */
  readonly last?: true;
}

/** When a rule holds at all. */
type Condition = Pick<WordRule, 'sees' | 'last'>;

/** The words open the subtask, or follow its lead-ins. */
export const head = (role: Role, weight: number, words: RegExp, more: Condition = {}): WordRule => ({
  role,
  weight,
  where: 'head',
  words,
  ...more,
});
/** The words stand somewhere in the subtask. */
export const anywhere = (role: Role, weight: number, words: RegExp, more: Condition = {}): WordRule => ({
  role,
  weight,
  where: 'anywhere',
  words,
  ...more,
});

/** Who the worker is asked to be, at the very start. */
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
