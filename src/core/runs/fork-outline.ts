/** @file Describes a fork before it starts: the steps that it reuses and calls, and what it may cost. */
import {
  alwaysFollowed,
  chargedBy,
  estimateTokens,
  forkedSteps,
  isFree,
  questionTokens,
  type CallReason,
  type Fault,
  type PoolWorker,
  type Run,
  type Workflow,
} from '../contract';
import type { ExecuteRequest } from '../executor/request';
import type { ForkPoint } from './fork';
import { underCap, type Ceiling } from './new-run';
import { priceRange, stepPriceRange, type PriceRange, type RangeRequest } from './price-range';

/** What the fork does with a step of its workflow. */
export type ForkStep =
  | { readonly kind: 'reused' }
  | {
      readonly kind: 'called';
      readonly because: CallReason;
      /** Indexes of the called steps that this step sees. */
      readonly callsSeen: readonly number[];
      readonly free: boolean;
      /** `null`: the price is unknown. */
      readonly range: PriceRange | null;
    }
  /** The Conductor's own step, which requests another round. */
  | { readonly kind: 'hands-over' };

export interface ForkOutline {
  /** The workflow of the first round of the fork. Empty if the Conductor plans that round again. */
  readonly workflow: Workflow;
  /** The pool of the fork, as it is set up now. */
  readonly pool: readonly PoolWorker[];
  readonly steps: readonly ForkStep[];
  /** Whether the Conductor writes another plan, either for the first round of the fork or for a later round. */
  readonly plansAgain: boolean;
  /** The most that the fork may use and cost. */
  readonly ceiling: Ceiling;
}

/** What the user sees before a fork starts. */
export interface ForkProposal extends ForkOutline {
  /** Why the fork can't start. `null` if it can. */
  readonly refusal: Fault | null;
}

/** @param start the settings with which the fork would start */
export function outlineFork(run: Run, point: ForkPoint, start: ExecuteRequest['start']): ForkOutline {
  const { pool, caps, conductor, maxSteps, recursion, sampling, candidates, planRetries, question } = start;
  const replan = point.replan === true;
  const follows = alwaysFollowed(start, point.round);
  const workflow = replan
    ? { steps: [] }
    : (point.workflow ?? run.rounds[point.round]?.plan?.workflow ?? { steps: [] });
  const forked = forkedSteps(run, point, workflow, pool);
  const isHandOver = (index: number) => pool[workflow.steps[index]?.worker ?? -1]?.kind === 'conductor';
  const own = [...workflow.steps.keys()].filter((index) => !isHandOver(index));
  const called = own.filter((index) => forked[index]?.kind === 'called');
  const plansAgain = replan || follows || own.length < workflow.steps.length;
  const rounds = Math.max(1, (recursion ? caps.rounds : follows ? 2 : 1) - point.round);
  const unplanned = replan ? rounds : rounds - 1;
  const calls = Math.min(caps.calls, called.length + (plansAgain ? unplanned * maxSteps : 0));
  const workers = plansAgain
    ? pool.filter(({ kind }) => kind !== 'conductor')
    : called.flatMap((index) => pool[workflow.steps[index]?.worker ?? -1] ?? []);
  const free = workers.every(isFree) && (!plansAgain || isFree(chargedBy(conductor)));
  const request: RangeRequest = {
    questionTokens: questionTokens(question),
    images: question.images?.length ?? 0,
    conductor,
    isPlanned: !replan,
    earlier: point.round,
    pool,
    planned: replan ? null : workflow,
    follows,
    planRetries,
    ...(start.prompt ? { prompt: start.prompt } : {}),
    reused: new Map(
      forked.flatMap((step, index) =>
        step.kind === 'reused' ? [[index, estimateTokens(step.from.output ?? '')] as const] : [],
      ),
    ),
    maxSteps,
    rounds,
    candidates,
    calls,
    maxTokens: sampling.maxTokens,
  };
  const steps = forked.map((step, index): ForkStep => {
    if (isHandOver(index)) return { kind: 'hands-over' };
    if (step.kind === 'reused') return { kind: 'reused' };
    const worker = pool[workflow.steps[index]?.worker ?? -1];
    const { because, callsSeen } = step;
    const range = stepPriceRange(request, index);
    return { kind: 'called', because, callsSeen, free: worker !== undefined && isFree(worker), range };
  });
  const range = underCap(priceRange(request), caps.usd);
  return {
    workflow,
    pool,
    steps,
    plansAgain,
    ceiling: { calls, tokens: caps.tokens, usd: free ? 0 : caps.usd, free, range },
  };
}
