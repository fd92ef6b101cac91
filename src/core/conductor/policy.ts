/**
 * @file The trained policy as a Conductor. It reads the question and the pool, and chooses workers, roles and access. It takes
 * the subtasks from a fixed list. It plans immediately, and works offline.
 */
import {
  abortError,
  chooseByVote,
  mixSeed,
  seededRandom,
  type Conductor,
  type ConductorInfo,
  type PlanEvent,
  type PlanRequest,
  type Step,
  type StepChoice,
} from '../contract';
import { drawPlan, planGreedily, type Planned } from '../policy/network';
import { policyInput, type PolicyInput } from '../policy/features';
import { readCheckpoint } from '../policy/checkpoint';
import { ROLE_OF_MOVE, type Skeleton } from '../policy/moves';
import type { Parameters } from '../policy/parameters';
import { finishedPlan, instantConductor, noWorkers } from './instant';
import type { InstantPlan, Refusal } from './instant-plan';
import { workersOf } from './limits';
import { POLICY_INFO } from './policy-info';
import { choiceOf } from './ranking';
import { withSight } from './sight';
import { SUBTASK } from './wording';

/**
 * Creates the Conductor. For a single plan, it takes the most likely option at every choice. Several plans are sampled with the
 * request's seed.
 * Throws a `RangeError` if the checkpoint is invalid.
 * @param checkpoint from `writeCheckpoint`
 */
export function createPolicyConductor(checkpoint: unknown): Conductor {
  const read = readCheckpoint(checkpoint);
  if (!read) throw new RangeError('The file is not a checkpoint of this policy.');
  const info = { ...POLICY_INFO, model: read.revision };
  const { parameters } = read;
  const mostLikely = instantConductor(info, (request) => planByPolicy(request, parameters));
  return {
    info,
    propose: (request, signal) =>
      request.candidates > 1 && workersOf(request).length > 0
        ? drawn(info, request, parameters, signal)
        : mostLikely.propose(request, signal),
  };
}

/** Samples several plans. A vote chooses one of them, unless the user chooses. */
async function* drawn(
  info: ConductorInfo,
  request: PlanRequest,
  parameters: Parameters,
  signal: AbortSignal,
): AsyncGenerator<PlanEvent> {
  if (signal.aborted) throw abortError();
  yield { type: 'plan-started', conductor: info, messages: [] };
  const input = policyInput(request);
  const plans = Array.from({ length: request.candidates }, (_, candidate) => {
    const random = seededRandom(mixSeed(request.seed, 'policy', request.round, candidate));
    return withSight(planOf(request, input, drawPlan(parameters, input, random)), request);
  });
  const nothingWritten = { problem: null, text: '', usage: null, cost: null } as const;
  for (const [candidate, plan] of plans.entries()) {
    yield { type: 'plan-candidate', candidate, ...nothingWritten, ...plan };
  }
  const chosen = chooseByVote(plans.map(({ workflow }) => workflow)) ?? 0;
  const plan = plans[chosen];
  if (request.choice === 'person' || !plan) return;
  yield { type: 'plan-chosen', candidate: chosen, by: 'vote' };
  yield finishedPlan(plan, 'conductor');
}

/** The plan that takes the policy's most likely option at every choice, with fixed wordings. */
export function planByPolicy(request: PlanRequest, parameters: Parameters): InstantPlan | Refusal {
  if (workersOf(request).length === 0) return noWorkers();
  const input = policyInput(request);
  return planOf(request, input, planGreedily(parameters, input));
}

function planOf(request: PlanRequest, input: PolicyInput, { skeleton, logProbability }: Planned): InstantPlan {
  const written = wordSkeleton(skeleton, input.rows);
  const steps = written.map((step, index) => {
    // Under the binary access scheme, a step sees all earlier steps or none. A step that sees some of them is changed to see all.
    const sees = request.access === 'fine' || step.access.length === 0 ? step.access : [...Array(index).keys()];
    return { ...step, access: sees };
  });
  const isAsDrawn = steps.every((step, index) => step.access.length === written[index]?.access.length);
  const thought =
    steps.length === 0
      ? 'The answer of the previous round is kept.'
      : 'The trained policy chose the steps, their workers and what each step sees, for this question and this pool.';
  return {
    workflow: { steps },
    thought,
    choices: choicesOf(request, steps),
    // If the access of a step was widened, the probability is unknown, because the policy did not choose this workflow.
    ...(isAsDrawn ? { logProbability } : {}),
  };
}

function choicesOf(request: PlanRequest, steps: readonly Step[]): StepChoice[] {
  return steps.map(({ worker, role = 'solve' }) => ({ by: 'network', ...choiceOf(request, worker, role) }));
}

/** The subtask of the Conductor's own step. It is never sent to a worker. */
const ANOTHER_ROUND = 'Look at what came of these steps and go on from there.';

/**
 * Adds the built-in subtasks to a skeleton, which is a workflow without subtasks.
 * @param rows for each row of the policy's input, the index of its worker in the pool
 */
export function wordSkeleton(skeleton: Skeleton, rows: readonly number[]): Step[] {
  return skeleton.map(({ row, move, access }) => {
    const worker = rows[row] ?? 0;
    if (move === null) return { worker, subtask: ANOTHER_ROUND, access };
    return { worker, subtask: SUBTASK[move], access, role: ROLE_OF_MOVE[move] };
  });
}
