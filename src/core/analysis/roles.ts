/**
 * @file Infers a step's role from the wording of its subtask and from its position in the workflow. Simulated workers, training,
 * plots and the statistics of graded runs use this file. The rules about words are in `role-words/`.
 */
import { ROLES, type Role, type Step } from '../contract';
import { cachedByText } from './cached-by-text';
import type { WordRule } from './role-words/rule';
import { AGGREGATE_WORDS, DECIDE_WORDS } from './role-words/aggregate-decide';
import { PLAN_WORDS, SOLVE_WORDS } from './role-words/plan-solve';
import { REFINE_WORDS, VERIFY_WORDS } from './role-words/verify-refine';

/** A step's position in its workflow, as far as it is known. */
export interface Place {
  /** Number of earlier steps that the step sees. */
  readonly sees: number;
  /** 0-based index of the step. */
  readonly index?: number;
  /** Number of steps in the workflow. */
  readonly count?: number;
}

/** Minimum sum of the weights of a role's matching rules. If every role has a lower sum, the role is `solve`. */
const MIN_SCORE = 1;
/** Maximum length of a subtask, in characters. Longer subtasks are truncated to limit the time of matching. */
const SUBTASK_LIMIT = 4_000;
/** Maximum number of passes over a subtask. Each pass removes introductory phrases from its start. */
const MAX_LEAD_INS = 4;

/** The roles of steps whose output is an answer to the question, or to a part of it. */
export const ANSWERING: ReadonlySet<Role> = new Set(['solve', 'refine', 'aggregate', 'decide']);

/**
 * The role that a subtask requests.
 * @param place if absent, only the wording counts. For example, a simulated worker has only the subtask
 */
export function recognizeRole(subtask: string, place?: Place): Role {
  const text = subtask.slice(0, SUBTASK_LIMIT).trim();
  return place ? scoredRole(text, place) : wordedRole(text);
}

/** The role of a subtask by its wording only. Cached, because simulated workers get the same few subtasks again and again. */
const wordedRole = cachedByText((text) => scoredRole(text), 64);

function scoredRole(text: string, place?: Place): Role {
  const head = headOf(text);
  const scores = new Map<Role, number>(ROLES.map((role) => [role, 0]));
  const add = (role: Role, weight: number) => scores.set(role, (scores.get(role) ?? 0) + weight);
  for (const rule of WORD_RULES) {
    if (applies(rule, place) && rule.words.test(rule.where === 'head' ? head : text)) add(rule.role, rule.weight);
  }
  if (place) {
    for (const rule of PLACE_RULES) {
      if (matchesPlace(place, rule.when, text)) add(rule.role, rule.weight);
    }
  }
  const most = Math.max(...scores.values());
  const role = most >= MIN_SCORE ? (ROLES.findLast((each) => scores.get(each) === most) ?? 'solve') : 'solve';
  return role === 'verify' && REQUESTS_RESULT.test(text) ? afterCheck(scores) : role;
}

/** The role that the Conductor declared, or else the role inferred from the step's subtask and position. */
export function roleOf(steps: readonly Step[], index: number): Role {
  const step = steps[index];
  if (!step) throw new RangeError(`There is no step ${index + 1}.`);
  return step.role ?? recognizeRole(step.subtask, { sees: step.access.length, index, count: steps.length });
}

const REQUESTS_RESULT = /\b(?:give|return|end with|output|provide)\b[^.]{0,60}\b(?:answer|result|solution|one)\b/i;

/** The role of a subtask that asks for both a check and a result: `refine` if it asks for corrections, else `decide`. */
function afterCheck(scores: ReadonlyMap<Role, number>): Role {
  return (scores.get('refine') ?? 0) > 0 ? 'refine' : 'decide';
}

const LEAD_INS: readonly RegExp[] = [
  // Personas and labels: "You are the strategist.", "Act as a strict referee:", "As a clinician,", "Model 2:", "Step 3:".
  /^(?:you are|you have been|act as|as (?:an?|the)|be an?|imagine you are|in your role as)\b[^.:,]{0,80}[.:,]\s*/i,
  /^(?:model|step|agent|worker|expert|subtask|task|part)\s{0,2}\d{0,2}\s{0,2}[:.)–-]\s*/i,
  // Preconditions: "Using the review,", "Following the outline,", "If the check failed,".
  /^(?:based on|using|following|taking|given|considering|in (?:the )?light of|with|from|after|having|drawing on|relying on|weighing|if|once|assuming|according to|in (?:one|two|a|at most)|suppose|for (?:each|every))\b[^,;:.]{0,80}[,;:]\s*/i,
  // Openings and adverbs: "Your task is to", "Please", "First,", "Carefully".
  /^(?:your (?:task|job|goal) is to|please|now|first|firstly|second|next|then|finally|lastly|also|again)\b[,:]?\s*/i,
  /^(?:carefully|critically|independently|mentally|briefly|thoroughly|concisely|quickly|try to|directly|simply|just)\b\s*/i,
];

/** The subtask without its introductory phrases. The result usually begins with a verb. */
function headOf(text: string): string {
  let head = text;
  for (let removed = 0; removed < MAX_LEAD_INS; removed++) {
    const shorter = LEAD_INS.reduce((rest, leadIn) => rest.replace(leadIn, ''), head);
    if (shorter === head || shorter === '') break;
    head = shorter;
  }
  return head;
}

function applies({ sees = 0, last }: WordRule, place: Place | undefined): boolean {
  if (!place) return !last;
  return place.sees >= sees && (!last || isLast(place) !== false);
}

function isLast({ index, count }: Place): boolean | null {
  return index === undefined || count === undefined ? null : index === count - 1;
}

/** Words that refer to the output of an earlier step. */
const EARLIER_WORK =
  /\b(?:results?|answers?|responses?|solutions?|attempts?|drafts?|proposals?|outputs?|(?:the|this|that|each) (?:check|review|critique|feedback)|above|previous|earlier|prior|preceding)\b/i;

function matchesPlace(place: Place, when: PlaceRule['when'], text: string): boolean {
  switch (when) {
    case 'opens-on-question':
      return place.index === 0 && !EARLIER_WORK.test(text);
    case 'sees-nothing':
      return place.sees === 0;
    case 'sees-one':
      return place.sees === 1;
    case 'sees-something':
      return place.sees > 0;
    case 'first':
      return place.index === 0 && (place.count ?? 0) > 1;
    case 'last':
      return isLast(place) === true;
    case 'last-of-several':
      return isLast(place) === true && place.sees > 0;
    default:
      return when satisfies never;
  }
}

/**
 * The rules that infer a step's role from its wording and its position. `roles.ts` applies them. Each matching rule adds
 * its weight to its role, and the role with the highest sum wins. Negative weights count against a role. If no sum reaches 1,
 * the role is `solve`.
 */
const WORD_RULES: readonly WordRule[] = [
  ...PLAN_WORDS,
  ...SOLVE_WORDS,
  ...VERIFY_WORDS,
  ...REFINE_WORDS,
  ...AGGREGATE_WORDS,
  ...DECIDE_WORDS,
];

/** A rule about a step's position and the steps that it sees. Only `opens-on-question` also depends on the wording. */
interface PlaceRule {
  readonly role: Role;
  readonly weight: number;
  readonly when:
    'opens-on-question' | 'sees-nothing' | 'sees-one' | 'sees-something' | 'first' | 'last' | 'last-of-several';
}

const PLACE_RULES: readonly PlaceRule[] = [
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
