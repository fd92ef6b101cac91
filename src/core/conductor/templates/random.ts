/** @file A random workflow from the run's seed. This is the baseline that every Conductor has to beat. */
import {
  CONDUCTOR_MAX_STEPS,
  mixSeed,
  randomIndex,
  seededRandom,
  type Random,
  type Role,
  type Step,
} from '../../contract';
import { workersOf } from '../limits';
import { SUBTASK } from '../wording';
import { inTurn, range, template } from './template';

const ROLES_THAT_SEE = ['verify', 'refine', 'aggregate'] as const satisfies readonly Role[];

export const randomWorkflow = template('random', (request) => {
  const random = seededRandom(mixSeed(request.seed, 'random-workflow', request.round));
  const workers = workersOf(request);
  const count = 1 + randomIndex(random, Math.min(request.maxSteps, CONDUCTOR_MAX_STEPS));
  const steps = range(0, count).map((index): Step => {
    const worker = inTurn(workers, randomIndex(random, workers.length));
    const access = drawAccess(index, index === count - 1, request.access === 'binary', random);
    const role = drawRole(access, index === count - 1, random);
    return { worker, subtask: SUBTASK[role], access, role };
  });
  return { workflow: { steps }, thought: `Drawn at random from seed ${request.seed}.` };
});

/** The last of several steps always sees another step, so that the answer never depends on the last step alone. */
function drawAccess(index: number, isLast: boolean, allOrNothing: boolean, random: Random): number[] {
  const before = range(0, index);
  const seen = allOrNothing ? (random() < 0.5 ? before : []) : before.filter(() => random() < 0.5);
  return isLast && seen.length === 0 ? before.slice(allOrNothing ? 0 : -1) : seen;
}

function drawRole(access: readonly number[], isLast: boolean, random: Random): Role {
  if (access.length === 0) return !isLast && random() < 0.25 ? 'plan' : 'solve';
  if (isLast) return 'decide';
  return ROLES_THAT_SEE[randomIndex(random, ROLES_THAT_SEE.length)] ?? 'verify';
}
