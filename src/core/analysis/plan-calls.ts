/** @file The model calls of a run's plans, including candidates, retries and plans that were replaced. */
import {
  isAwaitingModel,
  isPaid,
  type FinishReason,
  type Plan,
  type PlanRetry,
  type Round,
  type Run,
} from '../contract';

export interface PlanCall extends Pick<PlanRetry, 'text' | 'usage' | 'cost' | 'fault'> {
  readonly reasoning: string;
  readonly finishReason: FinishReason;
  /**
   * When the previous call ended, in ms of the run's active time. For the first call: when the plan started. The call
   * itself may have started later.
   */
  readonly startedAt: number;
  readonly endedAt: number;
  /** The output limit in tokens. `null`: unknown. */
  readonly maxTokens: number | null;
}

/** The plans of a round in order: those that were replaced, then the current one. */
export function plansOf({ plan, lostPlans }: Round): readonly Plan[] {
  return plan ? [...lostPlans, plan] : lostPlans;
}

/** The calls of a plan in order. Empty if no model wrote the plan. */
export function planCalls(run: Run, plan: Plan): readonly PlanCall[] {
  if (plan.messages.length === 0) return [];
  const limit = plan.sampling?.maxTokens ?? null;
  // Only retries raise the output limit, and candidates come before retries. So all candidates had the first
  // limit.
  const firstLimit = plan.retries[0]?.maxTokens ?? limit;
  const ended = [
    ...plan.candidates.map((candidate) => ({ ...candidate, reasoning: '', maxTokens: firstLimit })),
    ...plan.retries.map((retry) => ({ ...retry, reasoning: '', finishReason: null })),
  ]
    .filter(isPaid)
    .toSorted((one, other) => one.endedAt - other.endedAt);
  // Whether the plan is a call of its own, besides its candidates and retries. It is not if its text was taken from a
  // candidate, or comes from a fallback that calls no model. Then it has no usage and no cost of its own.
  const isOwn = isPaid(plan) || isAwaitingModel(plan) || ended.length === 0;
  const calls = isOwn ? [...ended, { ...plan, endedAt: plan.endedAt ?? run.time, maxTokens: limit }] : ended;
  return calls.map(({ endedAt, text, reasoning, usage, cost, fault, finishReason, maxTokens }, index) => {
    const startedAt = calls[index - 1]?.endedAt ?? plan.startedAt;
    return { text, reasoning, usage, cost, fault, finishReason, startedAt, endedAt, maxTokens };
  });
}
