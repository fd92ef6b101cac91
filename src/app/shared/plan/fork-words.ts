/**
 * @file Describes a fork before it starts. A fork is a run that reuses steps of an earlier run. Step numbers continue across
 * rounds.
 */
import type { ForkedStep } from '../../../core/contract';
import type { ForkProposal } from '../../../core/runs/fork-outline';
import { listed } from '../../ui/figures';
import { rangeWords } from './ceiling-words';

/**
 * Says which steps a fork reuses, which steps it calls, and whether the Conductor then plans another round.
 * @param stepsBefore number of steps in earlier rounds
 */
export function forkSentences(
  { steps, plansAgain, pool, workflow }: Pick<ForkProposal, 'steps' | 'plansAgain' | 'pool' | 'workflow'>,
  stepsBefore: number,
): readonly string[] {
  if (steps.length === 0) return ['The Conductor plans again and may call any worker. No step is reused.'];
  const indexes = [...steps.keys()];
  const reused = indexes.filter((index) => steps[index]?.kind === 'reused').map((index) => stepsBefore + index + 1);
  const called = indexes.filter((index) => steps[index]?.kind === 'called');
  const calls = called.map(
    (index) => `${stepsBefore + index + 1} (${pool[workflow.steps[index]?.worker ?? -1]?.name ?? 'no worker'})`,
  );
  return [
    reused.length === 0 ? 'No step is reused.' : `Reused for free: ${stepsWord(reused)} ${listed(reused)}.`,
    ...(called.length === 0 ? [] : [`Called: ${stepsWord(called)} ${listed(calls)}.`]),
    ...(plansAgain ? ['Then the Conductor plans another round.'] : []),
  ];
}

function stepsWord(steps: readonly number[]): string {
  return steps.length === 1 ? 'step' : 'steps';
}

/**
 * Describes what happens to one step and what it costs: "Reused, free" or "Changed: called again, at most
 * $0.01".
 * @param index the step's index in the fork's workflow
 * @param fork `proposal` is `null` until it is known. `stepsBefore` is the number of steps in earlier rounds
 */
export function forkedStepWords(
  step: ForkedStep,
  index: number,
  { proposal, stepsBefore }: { readonly proposal: Pick<ForkProposal, 'steps'> | null; readonly stepsBefore: number },
): string {
  const outlined = proposal?.steps[index];
  if (outlined?.kind === 'hands-over') return 'The Conductor plans another round';
  if (step.kind === 'reused') return 'Reused, free';
  const cost = outlined?.kind === 'called' ? `, ${rangeWords(outlined)}` : '';
  return `${calledWords(step, stepsBefore)}${cost}`;
}

function calledWords({ because, callsSeen }: Extract<ForkedStep, { kind: 'called' }>, stepsBefore: number): string {
  switch (because) {
    case 'added':
      return 'Added: called';
    case 'changed':
      return 'Changed: called again';
    case 'again':
      return 'Called again';
    case 'no-output':
      return 'No output yet: called';
    case 'sees-called': {
      const seen = callsSeen.map((each) => stepsBefore + each + 1);
      return `Sees ${stepsWord(seen)} ${listed(seen)}: called again`;
    }
    default:
      return because satisfies never;
  }
}
