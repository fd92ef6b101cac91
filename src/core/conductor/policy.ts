/**
 * @file The trained coordination policy as a Conductor: it reads the question and the pool and writes who does what and who
 * sees what; fixed wordings make subtasks of it. Plans at once, offline.
 */
import type { Conductor, PlanRequest, Step, StepChoice } from '../contract';
import { planGreedily, policyInput, readCheckpoint, ROLE_OF_MOVE, type Parameters, type Skeleton } from '../policy';
import { instantConductor, noWorkers, type InstantPlan, type Refusal } from './instant';
import { workersOf } from './limits';
import { POLICY_INFO } from './policy-info';
import { choiceOf, knownOf } from './ranking';
import { SUBTASK } from './wording';

/**
 * The same request always gets the same plan.
 * @param checkpoint as `writeCheckpoint` gives it; throws a `RangeError` for anything else
 */
export function createPolicyConductor(checkpoint: unknown): Conductor {
  const read = readCheckpoint(checkpoint);
  if (!read) throw new RangeError('The checkpoint is not one of this policy.');
  const info = { ...POLICY_INFO, model: read.revision };
  return instantConductor(info, (request) => planByPolicy(request, read.parameters));
}

function planByPolicy(request: PlanRequest, parameters: Parameters): InstantPlan | Refusal {
  if (workersOf(request).length === 0) return noWorkers();
  const input = policyInput(request);
  const { skeleton } = planGreedily(parameters, input);
  const steps = wordSkeleton(skeleton, input.rows).map((step, index) => {
    // Under the binary scheme a step that sees anything sees everything before it.
    const sees = request.access === 'fine' ? step.access : step.access.length > 0 ? [...Array(index).keys()] : [];
    return { ...step, access: sees };
  });
  const thought =
    steps.length === 0
      ? 'The answer of the round before is kept.'
      : 'Steps, workers and views were chosen by the trained policy for this question and these workers.';
  return { workflow: { steps }, thought, choices: choicesOf(request, steps) };
}

/** What was known of those who were chosen, of the same graded runs that the network saw. */
function choicesOf(request: PlanRequest, steps: readonly Step[]): StepChoice[] {
  const known = knownOf(request);
  return steps.map(({ worker, role = 'solve' }) => ({ by: 'network', ...choiceOf(request, worker, role, known) }));
}

/** What the Conductor's own step says; nobody is sent it. */
const ANOTHER_ROUND = 'Look at what came of these steps and go on from there.';

/** A skeleton with the built-in Conductors' words. @param rows for each row its worker's index in the pool */
export function wordSkeleton(skeleton: Skeleton, rows: readonly number[]): Step[] {
  return skeleton.map(({ row, move, access }) => {
    const worker = rows[row] ?? 0;
    if (move === null) return { worker, subtask: ANOTHER_ROUND, access };
    return { worker, subtask: SUBTASK[move], access, role: ROLE_OF_MOVE[move] };
  });
}
