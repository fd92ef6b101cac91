/** @file Texts about a step in a comparison: what differs, how the step ended, and which worker it has. */
import { STEP_PARTS, type StepPart } from '../../core/analysis/run-differences';
import { workerOf, type Run, type StepRun } from '../../core/contract';
import { listed } from '../ui/figures';
import { stepNumber } from '../score/parts';

const PART_WORDS: Readonly<Record<StepPart, string>> = {
  worker: 'worker',
  role: 'role',
  subtask: 'subtask',
  access: 'access',
  prompt: 'prompt',
  outcome: 'outcome',
  output: 'output',
};

/** "Different worker, subtask and output". `''` if nothing differs. */
export function differenceWords(parts: ReadonlySet<StepPart>): string {
  const words = STEP_PARTS.filter((part) => parts.has(part)).map((part) => PART_WORDS[part]);
  return words.length === 0 ? '' : `Different ${listed(words)}`;
}

/** The state of a step, in words. `''` for a finished step. */
export function outcomeWords({ status, fault }: StepRun): string {
  switch (status) {
    case 'finished':
      return '';
    case 'settled':
      return 'Not called, because the answer was settled';
    case 'reused':
      return 'Reused from the earlier run';
    case 'planned':
    case 'queued':
      return 'Not run';
    case 'running':
      return 'Running';
    case 'failed':
      return fault ? `Failed: ${fault.message}` : 'Failed';
    case 'skipped':
      return 'Not run';
    case 'discarded':
      return 'Discarded with its plan';
    case 'cancelled':
      return 'Stopped';
    case 'interrupted':
      return 'Interrupted';
    case 'recursed':
      return 'Handed over to the Conductor for another round';
    default:
      return status satisfies never;
  }
}

/** The name of the worker that the plan assigns a step to. */
export function workerName(run: Run, stepRun: StepRun): string {
  return workerOf(run, stepRun)?.name ?? 'No worker';
}

/** The numbers of the steps that a step sees, and the colors of their workers. */
export function seenSteps(run: Run, round: number, stepRun: StepRun): { number: number; colour: number }[] {
  return stepRun.step.access.map((step) => ({
    number: stepNumber(run, { round, step }),
    colour: run.pool[run.rounds[round]?.steps[step]?.step.worker ?? -1]?.colour ?? 0,
  }));
}
