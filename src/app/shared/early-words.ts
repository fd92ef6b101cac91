/** @file Says how a run was ended early. */
import type { Run } from '../../core/contract';
import { plural } from '../ui/figures';
import { stepNumber } from '../score/parts';

/** "Ended early, with the output of step 1.", or `''` if the user did not end the run early. */
export function earlySentence(run: Run): string {
  const { early } = run;
  if (!early) return '';
  const combining = run.rounds[early.during + 1];
  const isRunning = run.status === 'running';
  if (combining && (isRunning || combining.outcome === 'answered')) {
    const steps = run.rounds.slice(0, early.during + 1).flatMap((round) => round.steps);
    const count = steps.filter(({ output }) => output !== null).length;
    return `${isRunning ? 'Combining' : 'Ended early, by combining'} ${plural(count, 'finished step')}.`;
  }
  const end = `Ended early, with the output of step ${stepNumber(run, early)}.`;
  return combining ? `${end} Combining the finished steps failed.` : end;
}
