/**
 * @file Describes plans that a fallback made. If the policy fails, the built-in rules plan. If another Conductor
 * fails, a built-in Conductor plans: the policy in use or, if that can't be loaded, the built-in rules.
 */
import { modelLabel } from '../../core/conductor/with-policy-info';
import type { Plan, PlanRetry } from '../../core/contract';

/** Which fallback planned, and why, for a plan whose source is `fallback`. Continues a line such as "5 steps, ". */
export function fallbackWords({ conductor }: Pick<Plan, 'conductor'>): string {
  return conductor.kind === 'policy'
    ? 'by rules, because the trained policy couldn’t be loaded'
    : `by the built-in Conductor, after ${modelLabel(conductor)} failed`;
}

/** What happened after a failed attempt to plan, as a sentence. */
export function nextWords(
  { conductor, policy }: Pick<Plan, 'conductor' | 'policy'>,
  { next }: Pick<PlanRetry, 'next'>,
): string {
  if (next === 'stricter') return 'Retried with stricter instructions.';
  if (policy?.part === 'skeleton') return 'Used the policy’s own words instead.';
  return conductor.kind === 'policy' ? 'Planned by rules instead.' : 'The built-in Conductor took over.';
}

/** Explains why a fallback replaces the chosen Conductor. `''`: there is no fallback. */
export function fallbackNotice(plan: Pick<Plan, 'conductor' | 'policy' | 'retries'>): string {
  const retry = plan.retries.find(({ next }) => next === 'fallback');
  if (!retry) return '';
  const reason = retry.problem?.message ?? retry.fault?.message ?? 'The plan couldn’t be used.';
  const what = plan.policy?.part === 'skeleton' ? 'write the subtasks' : 'plan';
  const failed = plan.conductor.kind === 'policy' ? '' : `${modelLabel(plan.conductor)} couldn’t ${what}. `;
  return `${failed}${reason} ${nextWords(plan, retry)}`;
}
