/** @file Who planned in place of the Conductor that was chosen, in words. */
import type { Plan, PlanRetry } from '../../core/contract';

/** The end of "5 steps, …" for a plan of the source `fallback`. */
export function standInWords({ conductor }: Pick<Plan, 'conductor'>): string {
  return conductor.kind === 'policy'
    ? 'by rules, as the trained policy could not be loaded'
    : 'by the built-in Conductor, after the chosen one failed';
}

/** What came of a try that was lost, as a sentence. */
export function nextWords(
  { conductor, policy }: Pick<Plan, 'conductor' | 'policy'>,
  { next }: Pick<PlanRetry, 'next'>,
): string {
  if (next === 'stricter') return 'Asked again, more strictly.';
  if (policy?.part === 'skeleton') return 'The policy’s own words stand in.';
  return conductor.kind === 'policy' ? 'Planned by rules instead.' : 'The built-in Conductor took over.';
}
