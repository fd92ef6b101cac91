/** @file Finds the cap that stopped a run, and suggests a cap that is high enough for the remaining steps. */
import type { Run } from '../../core/contract';

/** A cap that the user can raise after it stopped a run. */
export type RaisableCap = 'calls' | 'tokens' | 'usd';

export interface CapStop {
  readonly cap: RaisableCap;
  /** Whether the cap is the daily budget, which applies to all runs together. */
  readonly isDaily: boolean;
  /** The cap that was reached: a number of calls, a number of tokens, or US dollars. */
  readonly limit: number;
  /** The suggested cap. The estimate assumes that each missing step needs as much as the call that the cap prevented. */
  readonly suggested: number;
}

/** The cap that stopped a run. `null` if the run was not stopped by a cap that can be raised. */
export function capStopOf(run: Run): CapStop | null {
  const { capReached, fault, spent } = run;
  if (fault?.code !== 'cap-reached' || !capReached || capReached.cap === 'rounds') return null;
  const { cap, limit, wanted, day = false } = capReached;
  const used = { calls: spent.calls, tokens: spent.input + spent.output, usd: spent.usd }[cap];
  const needed = Math.max(wanted - used, wanted - limit);
  const enough = Math.max(wanted, used + needed) + needed * (missingSteps(run) - 1);
  return { cap, isDaily: day, limit, suggested: cap === 'calls' ? Math.ceil(enough) : roundUp(enough) };
}

/** Number of steps in the last round that have no output yet. Steps that name the Conductor don't count. At least 1. */
function missingSteps({ rounds, pool }: Run): number {
  const steps = rounds.at(-1)?.steps ?? [];
  const missing = steps.filter(({ output, step }) => output === null && pool[step.worker]?.kind !== 'conductor');
  return Math.max(1, missing.length);
}

/** Rounds up to two significant digits. */
function roundUp(value: number): number {
  const unit = 10 ** (Math.floor(Math.log10(value)) - 1);
  return Number((Math.ceil(value / unit - 1e-9) * unit).toPrecision(12));
}
