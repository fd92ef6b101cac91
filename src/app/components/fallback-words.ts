/** @file Words for a plan that a fallback wrote. */
import type { Plan, PlanRetry } from '../../core/contract';

/** The end of "5 steps, …" for a plan whose source is `fallback`. */
export function fallbackWords({ conductor }: Pick<Plan, 'conductor'>): string {
  return conductor.kind === 'policy'
    ? 'by rules, because the trained policy couldn’t be loaded'
    : 'by the built-in Conductor, after the chosen one failed';
}

/** What happened after a failed attempt, as a sentence. */
export function nextWords(
  { conductor, policy }: Pick<Plan, 'conductor' | 'policy'>,
  { next }: Pick<PlanRetry, 'next'>,
): string {
  if (next === 'stricter') return 'Retried with stricter instructions.';
  if (policy?.part === 'skeleton') return 'Used the policy’s own words instead.';
  return conductor.kind === 'policy' ? 'Planned by rules instead.' : 'The built-in Conductor took over.';
}
