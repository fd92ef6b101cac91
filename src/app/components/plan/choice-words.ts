/** @file Why a step went to its worker, in words. */
import type { ChoicePrior, Role, StepChoice } from '../../../core/contract';
import { count, plural } from '../figures';

/** What a worker does in a role, as it stands after "of its graded runs". */
const DOING: Readonly<Record<Role, string>> = {
  plan: 'as planner',
  solve: 'as solver',
  verify: 'as checker',
  refine: 'as refiner',
  aggregate: 'as aggregator',
  decide: 'as decider',
};

/** What was known of a worker that the trained policy chose: the end of "Birch. What was known of it: …", with its full stop. */
export function knownOfWorker({ basis, expected, graded, right, inRole, prior }: StepChoice, role: Role): string {
  switch (basis) {
    case 'history':
      return `${count(right)} of its ${plural(graded, 'graded run')}${inRole ? ` ${DOING[role]}` : ''} came out right.`;
    case 'strength':
      return `${prior ? figures(prior) : 'what it declares'}, ${Math.round(100 * expected)} % ${DOING[role]}; no graded run yet.`;
    case 'order':
      return 'its description and price; no graded run yet.';
    default:
      return basis satisfies never;
  }
}

/** The end of the sentence "Birch was chosen because …", with its full stop. */
export function choiceReason({ basis, expected, graded, right, inRole, prior }: StepChoice, role: Role): string {
  const chance = `${Math.round(100 * expected)} %`;
  switch (basis) {
    case 'history': {
      const where = inRole ? ` ${DOING[role]}` : '';
      return `${count(right)} of its ${plural(graded, 'graded run')}${where} came out right; ${chance} expected here.`;
    }
    case 'strength':
      return `of ${prior ? figures(prior) : 'what it declares'}; ${chance} expected ${DOING[role]}.`;
    case 'order':
      return 'of its place in the pool, as nothing is known of it yet.';
    default:
      return basis satisfies never;
  }
}

/** What was known for the domain before any graded run, e.g. `the published figures of GPT-5 for code`. */
function figures({ by, domain, label }: ChoicePrior): string {
  if (by === 'declared') return `your rating for ${domain}`;
  return `the published figures${label === undefined ? '' : ` of ${label}`} for ${domain}`;
}

/** What stands before the runs that spoke loudest, with a space at its end. */
export function countedRuns({ by, nearBy }: StepChoice): string {
  if (by) return `Nearest to this question${nearBy ? ` in meaning, by ${nearBy}` : ''}: `;
  return `Counted most${nearBy ? `, as nearest in meaning by ${nearBy}` : ''}: `;
}
