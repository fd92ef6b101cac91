/** @file Words for a fork before it starts. */
import type { Run } from '../../../core/contract';
import type { ForkProposal } from '../../../core/runs';
import { listed } from '../figures';
import { stepNumber } from '../score/parts';

/** Which steps a fork reuses, which it calls, and whether the Conductor plans again. */
export function forkSentences(run: Run, round: number, proposal: ForkProposal): readonly string[] {
  const { reused, called, plansAgain, pool, workflow } = proposal;
  const number = (step: number) => stepNumber(run, { round, step });
  const calls = called.map(
    (step) => `${number(step)} (${pool[workflow.steps[step]?.worker ?? -1]?.name ?? 'no worker'})`,
  );
  return [
    reused.length === 0 ? 'No step is reused.' : `Reused for free: ${stepsWord(reused)} ${listed(reused.map(number))}.`,
    ...(called.length === 0 ? [] : [`Called: ${stepsWord(called)} ${listed(calls)}.`]),
    ...(plansAgain ? ['Then the Conductor plans another round.'] : []),
  ];
}

function stepsWord(steps: readonly number[]): string {
  return steps.length === 1 ? 'step' : 'steps';
}
