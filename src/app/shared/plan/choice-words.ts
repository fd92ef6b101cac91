/** @file Explains in words why a step got its worker. */
import type { ChoicePrior, Role, StepChoice } from '../../../core/contract';
import { count, percent, plural } from '../../ui/figures';

/** Words for a role, as in "3 of its 4 graded runs as planner were right." */
const DOING: Readonly<Record<Role, string>> = {
  plan: 'as planner',
  solve: 'as solver',
  verify: 'as checker',
  refine: 'as refiner',
  aggregate: 'as aggregator',
  decide: 'as decider',
};

/**
 * What was known about a worker that a policy or a model chose. The text ends the sentence "Known about it:
 * …" and includes its period.
 */
export function knownOfWorker({ basis, expected, graded, right, inRole, prior }: StepChoice, role: Role): string {
  switch (basis) {
    case 'history':
      return record(right, graded, inRole ? role : null);
    case 'strength':
      return prior
        ? `${figures(prior)}, ${percent(expected)} ${DOING[role]}. It has no graded runs yet.`
        : `its declared strength, ${percent(expected)} ${DOING[role]}. It has no graded runs yet.`;
    case 'order':
      return 'only its description and price, since it has no graded runs yet.';
    default:
      return basis satisfies never;
  }
}

/** The end of the sentence "Birch was chosen because …", with its period. */
export function choiceReason({ basis, expected, graded, right, inRole, prior }: StepChoice, role: Role): string {
  const chance = percent(expected);
  switch (basis) {
    case 'history':
      return `${record(right, graded, inRole ? role : null)} Expected here: ${chance}.`;
    case 'strength':
      return `of ${prior ? figures(prior) : 'its declared strength'}. Expected ${DOING[role]}: ${chance}.`;
    case 'order':
      return 'of its place in the pool, since nothing is known about it yet.';
    default:
      return basis satisfies never;
  }
}

/** "3 of its 4 graded runs as planner were right." @param role `null`: the runs are not limited to one role */
function record(right: number, graded: number, role: Role | null): string {
  const where = role === null ? '' : ` ${DOING[role]}`;
  if (graded === 1) return `its only graded run${where} was ${right === 1 ? 'right' : 'wrong'}.`;
  return `${count(right)} of its ${plural(graded, 'graded run')}${where} ${right === 1 ? 'was' : 'were'} right.`;
}

/** The source of the estimate for a worker without graded runs, e.g. `the published results of GPT-5 for code`. */
function figures({ by, domain, label }: ChoicePrior): string {
  if (by === 'declared') return `your rating for ${domain}`;
  return `the published results${label === undefined ? '' : ` of ${label}`} for ${domain}`;
}

/** The words before the list of the runs that influenced the choice most. They end with a space. */
export function countedRuns({ by, nearBy }: StepChoice): string {
  if (by)
    return `Most similar${nearBy ? ' in meaning' : ''} to this question${nearBy ? ` (measured by ${nearBy})` : ''}: `;
  return `Runs that counted most${nearBy ? `, by similarity in meaning (measured by ${nearBy})` : ''}: `;
}
