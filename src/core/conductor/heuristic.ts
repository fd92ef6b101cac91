/**
 * @file The built-in Conductor that plans by fixed rules. The plan has one to five steps, depending on the
 * effort and the step limit. A plan of one step is an attempt. At the effort `balanced`, a plan of three
 * steps is an attempt, a check and a repair. A plan of five steps is two attempts, a check, a repair and a
 * decision. Each step goes to the best worker for the role of the step. Only the second attempt goes to the
 * second-best worker, and a check goes to a worker that wrote none of the answers if one is about as good,
 * because workers rarely find their own mistakes. If the trained policy cannot be loaded, this Conductor is the
 * fallback. It is also the baseline for all other Conductors.
 */
import {
  stepLimit,
  type AccessScheme,
  type Conductor,
  type ConductorInfo,
  type PlanRequest,
  type Role,
  type Step,
} from '../contract';
import { instantConductor, noWorkers } from './instant';
import type { InstantPlan, Refusal } from './instant-plan';
import { basisOf, choiceOf, expectedSuccess, knownOf, rankWorkers } from './ranking';
import { hasEarlierAnswer, workersOf } from './limits';
import { SUBTASK } from './wording';

export const HEURISTIC_INFO: ConductorInfo = {
  id: 'heuristic',
  label: 'Built in, by rules',
  kind: 'heuristic',
  origin: null,
};

/** Deterministic: the same request always gets the same plan. */
export function createHeuristicConductor(): Conductor {
  return instantConductor(HEURISTIC_INFO, planByRole);
}

interface Part {
  readonly role: Role;
  readonly subtask: string;
  readonly access: readonly number[];
  /** Whether the step goes to the second-best worker, if there is one. */
  readonly second?: true;
}

const SOLVE: Part = { role: 'solve', subtask: SUBTASK.solve, access: [] };
const SOLVE_AGAIN: Part = { role: 'solve', subtask: SUBTASK.solveAnotherWay, access: [], second: true };
const verify = (...access: number[]): Part => ({ role: 'verify', subtask: SUBTASK.verify, access });
const refine = (...access: number[]): Part => ({ role: 'refine', subtask: SUBTASK.refine, access });
const decide = (...access: number[]): Part => ({ role: 'decide', subtask: SUBTASK.decide, access });

function partsFor({ maxSteps, effort, pool }: PlanRequest): readonly Part[] {
  const limit = stepLimit('rules', effort, pool);
  // In simulations, an attempt, a check and a repair give more correct answers than two attempts and a decision.
  // They give about as many correct answers as the plan of five steps.
  if (limit === 3 && maxSteps >= limit) return [SOLVE, verify(0), refine(0, 1)];
  return partsUpTo(Math.min(maxSteps, limit));
}

/**
 * The plan of five steps, or a shorter plan if `maxSteps` is lower. A shorter plan leaves out steps in this
 * order: the repair, the check, the second attempt, the decision.
 */
function partsUpTo(maxSteps: number): readonly Part[] {
  if (maxSteps >= 5) return [SOLVE, SOLVE_AGAIN, verify(0, 1), refine(0, 1, 2), decide(2, 3)];
  if (maxSteps === 4) return [SOLVE, SOLVE_AGAIN, verify(0, 1), decide(0, 1, 2)];
  if (maxSteps === 3) return [SOLVE, SOLVE_AGAIN, decide(0, 1)];
  if (maxSteps === 2) return [SOLVE, decide(0)];
  return [SOLVE];
}

/** The plan of this Conductor, without events. */
export function planByRole(request: PlanRequest): InstantPlan | Refusal {
  // The rules do not use the outputs of earlier rounds, so a new plan would cost more without being better.
  if (hasEarlierAnswer(request)) {
    return { workflow: { steps: [] }, thought: 'The answer of the previous round is kept.' };
  }
  if (workersOf(request).length === 0) return noWorkers();
  const steps: Step[] = [];
  for (const [index, part] of partsFor(request).entries()) {
    const { role, subtask } = part;
    const access = accessOf(part, index, request.access);
    const authors = access.map((seen) => steps[seen]?.worker);
    steps.push({ worker: workerFor(request, part, authors), subtask, access, role });
  }
  const choices = steps.map(({ worker, role = 'solve' }) => choiceOf(request, worker, role));
  const [basis = 'order', ...others] = new Set(choices.map((choice) => basisOf(request, choice)));
  const isMoved = steps.some(({ worker, role }) => role === 'verify' && worker !== rankWorkers(request, role)[0]);
  const known = others.length > 0 || basis === 'unknown' ? 'mixed' : basis;
  const thought = isMoved && known !== 'mixed' ? THOUGHT[known].replace(/\.$/, MOVED) : THOUGHT[known];
  return { workflow: { steps }, thought, choices };
}

/** @param authors the workers of the steps that the step sees */
function workerFor(request: PlanRequest, { role, second }: Part, authors: readonly (number | undefined)[]): number {
  const ranking = rankWorkers(request, role);
  const [best = 0, next = best] = ranking;
  if (role !== 'verify') return second ? next : best;
  const expected = (worker: number) => expectedSuccess(knownOf(request)[worker], role);
  const other = ranking.find((worker) => !authors.includes(worker));
  return other !== undefined && expected(other) >= expected(best) - ABOUT_AS_GOOD ? other : best;
}

/** How much lower the expected success of a checker may be than that of the best one, if the best one wrote an answer. */
const ABOUT_AS_GOOD = 0.15;

/** With the access scheme `binary`, a step sees either nothing or all earlier steps. */
function accessOf(part: Part, index: number, scheme: AccessScheme): readonly number[] {
  if (scheme === 'fine' || part.access.length === 0) return part.access;
  return [...Array(index).keys()];
}

/** The end of the sentence if the best checker wrote an answer. */
const MOVED = ', and the check to one that did not write the answer.';

const THOUGHT = {
  history: 'Each step goes to the worker that did best in the step’s role on similar questions, by your grades.',
  published: 'Each step goes to the worker with the best published benchmark results on questions of this kind.',
  strength: 'Each step goes to the worker with the highest declared strength in the step’s role.',
  order: 'Nothing is known about these workers yet, so the steps go to them in the order of the pool.',
  mixed:
    'Each step goes to the worker that is expected to do best in the step’s role, by your grades, published results and declared strengths. A worker that nothing is known about is assumed to be right half of the time.',
} as const;
