/** @file Describes a fork before it starts: the steps that it reuses and calls, and what it may cost. */
import {
  alwaysFollowed,
  chargedBy,
  estimateTokens,
  isFree,
  questionText,
  reusedSteps,
  type Fault,
  type PoolWorker,
  type Run,
  type Workflow,
} from '../contract';
import type { ExecuteRequest } from '../executor/request';
import type { ForkPoint } from './fork';
import { underCap, type Ceiling } from './new-run';
import { priceRange } from './price-range';

export interface ForkOutline {
  readonly workflow: Workflow;
  /** As set up now. */
  readonly pool: readonly PoolWorker[];
  /** Indexes of the steps whose outputs are copied, without a call. */
  readonly reused: readonly number[];
  /** Indexes of the steps that are called. */
  readonly called: readonly number[];
  /** Whether the Conductor plans another round after them. */
  readonly plansAgain: boolean;
  /** The most it may use and cost. */
  readonly ceiling: Ceiling;
}

/** What the user sees before a fork starts. */
export interface ForkProposal extends ForkOutline {
  /** Why it can't start. `null` if it can. */
  readonly refusal: Fault | null;
}

/** @param start what the fork would be started with */
export function outlineFork(run: Run, point: ForkPoint, start: ExecuteRequest['start']): ForkOutline {
  const { pool, caps, conductor, maxSteps, recursion, sampling, candidates, planRetries, question } = start;
  const follows = alwaysFollowed(start, point.round);
  const workflow = point.workflow ?? run.rounds[point.round]?.plan?.workflow ?? { steps: [] };
  const isHandOver = (index: number) => pool[workflow.steps[index]?.worker ?? -1]?.kind === 'conductor';
  const kept = reusedSteps(run, point, workflow, pool);
  const own = [...workflow.steps.keys()].filter((index) => !isHandOver(index));
  const called = own.filter((index) => !kept.has(index));
  const plansAgain = follows || own.length < workflow.steps.length;
  const rounds = Math.max(1, (recursion ? caps.rounds : follows ? 2 : 1) - point.round);
  const calls = Math.min(caps.calls, called.length + (plansAgain ? (rounds - 1) * maxSteps : 0));
  const workers = plansAgain
    ? pool.filter(({ kind }) => kind !== 'conductor')
    : called.flatMap((index) => pool[workflow.steps[index]?.worker ?? -1] ?? []);
  const free = workers.every(isFree) && (!plansAgain || isFree(chargedBy(conductor)));
  const outputs = run.rounds[point.round]?.steps ?? [];
  const range = priceRange({
    question: questionText(question),
    images: question.images?.length ?? 0,
    conductor,
    isPlanned: true,
    earlier: point.round,
    pool,
    planned: workflow,
    follows,
    planRetries,
    ...(start.prompt ? { prompt: start.prompt } : {}),
    reused: new Map([...kept].map((index) => [index, estimateTokens(outputs[index]?.output ?? '')])),
    maxSteps,
    rounds,
    candidates,
    calls,
    maxTokens: sampling.maxTokens,
  });
  return {
    workflow,
    pool,
    reused: [...kept],
    called,
    plansAgain,
    ceiling: { calls, tokens: caps.tokens, usd: free ? 0 : caps.usd, free, range: underCap(range, caps.usd) },
  };
}
