/**
 * @file Describes the plan of a run in one line, and what a call waits for. Separate from `step-view.ts`, which the
 * first page doesn't need.
 */
import { modelLabel } from '../../../core/conductor/with-policy-info';
import { freePlanOf, type PoolWorker, type Run, type Wait } from '../../../core/contract';
import { fallbackWords } from '../fallback-words';
import { duration, plural, tokenRate } from '../../ui/figures';
import type { Shared } from '../policy-words';

/** A worker or a Conductor. */
type Called = Pick<PoolWorker, 'name'> & { readonly origin?: string | null };

const TRIES = ['the first try', 'the second try', 'the third try'];

/** What a call waits for, with the remaining time for a rate limit. @param now active time of the run, ms */
export function waitSentence({ for: cause, until }: Wait, called: Called | null, now: number): string {
  const host = hostOf(called);
  switch (cause) {
    case 'limit': {
      const left = until === null ? 0 : until - now;
      return `Waiting for the rate limit of ${host}${left > 0 ? `, ${duration(left)} left` : ''}.`;
    }
    case 'place':
      return `Waiting for other calls to ${host} to finish.`;
    case 'money':
      return 'Waiting for running calls, because together with this call they could exceed the daily budget.';
    default:
      return cause satisfies never;
  }
}

function hostOf(called: Called | null): string {
  const origin = called?.origin ?? '';
  return URL.canParse(origin) ? new URL(origin).host : (called?.name ?? 'the worker');
}

/** What the call for a plan waits for, or `''` if it does not wait. */
export function planWait(run: Run, now: number): string {
  const plan = run.rounds.at(-1)?.plan;
  if (plan?.status !== 'writing' || !plan.wait || run.status !== 'running') return '';
  const { label, origin } = plan.conductor;
  return waitSentence(plan.wait, { name: label, origin: origin ?? null }, now);
}

/** For example "4 steps · planned in 7.4 s · valid on the first try". Adds what the call for the plan waits for. */
export function planLine(run: Run, now: number): string {
  const waits = planWait(run, now);
  if (waits === '') return wholePlanLine(run);
  const round = run.rounds.length;
  return `${round === 1 ? wholePlanLine(run) : `Planning round ${round}`}. ${waits}`;
}

function wholePlanLine(run: Run): string {
  const steps = run.rounds.reduce((all, round) => all + round.steps.length, 0);
  const plan = run.rounds[0]?.plan;
  if (!plan || plan.status === 'writing') {
    if (run.candidates > 1 && plan) {
      const drawn = plan.candidates.length;
      if (drawn < run.candidates) return `Writing plan ${drawn + 1} of ${run.candidates}`;
      return plan.candidates.some(({ workflow }) => workflow !== null) ? plural(drawn, 'plan') : 'Retrying once';
    }
    return steps === 0 ? 'Planning' : `Planning, ${plural(steps, 'step')} so far`;
  }
  if (plan.status !== 'finished') return 'No plan';
  const planMs = (plan.endedAt ?? 0) - plan.startedAt;
  const parts = [`${steps} ${steps === 1 ? 'step' : 'steps'}`];
  if (run.rounds.length > 1) parts.push(`${run.rounds.length} rounds`);
  if (plan.source === 'person') parts.push('written by hand');
  else parts.push(planMs < 50 ? 'planned instantly' : `planned in ${duration(planMs)}`);
  const rate = plan.speed?.decode ?? null;
  if (rate !== null) parts.push(tokenRate(rate));
  if (freePlanOf(run) !== null) parts.push('without a grammar');
  if (plan.edited) parts.push('edited by you');
  const shared = policyPart(plan);
  if (shared) parts.push(shared);
  else if (plan.source === 'fallback' && plan.policy?.part !== 'skeleton') parts.push(fallbackWords(plan));
  if (plan.source !== 'fallback' && plan.text !== '')
    parts.push(`valid on ${TRIES[plan.retries.length] ?? `try ${plan.retries.length + 1}`}`);
  return parts.join(' · ');
}

/** The time in ms that all plans and calls would have taken one after another. */
export function timeInLine(run: Run): number {
  const attempts = run.rounds.flatMap((round) => [
    ...(round.plan ? [{ from: round.plan.startedAt, endedAt: round.plan.endedAt }] : []),
    ...round.steps.flatMap((step) => step.attempts.map(({ leftAt, endedAt }) => ({ from: leftAt, endedAt }))),
  ]);
  return attempts.reduce(
    (total, { from, endedAt }) => total + (endedAt === null || from === null ? 0 : endedAt - from),
    0,
  );
}

/**
 * A short form for the list of facts about a plan: "steps by the policy, words by Tiny". `''` if the plan was edited, if the
 * policy had no part in it, or if the policy ranked the plans but its ranking did not decide.
 */
export function policyPart({ policy, conductor, source, chosenBy, edited }: Shared): string {
  if (!policy || edited) return '';
  switch (policy.part) {
    case 'skeleton':
      return source === 'fallback'
        ? `steps and words by the policy, after ${modelLabel(conductor)} failed`
        : `steps by the policy, words by ${modelLabel(conductor)}`;
    case 'ranking':
      return chosenBy === 'rank' && source === 'conductor' ? 'the policy’s first choice' : '';
    default:
      return policy.part satisfies never;
  }
}
