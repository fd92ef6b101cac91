/** @file Says how a run was ended early. */
import type { Run } from '../../core/contract';
import { plural } from '../ui/figures';
import { stepNumber } from '../score/parts';

/** "Ended early, with the output of step 1.", or `''` if the user did not end the run early. */
export function earlySentence(run: Run): string {
  const { early } = run;
  if (!early) return '';
  const combining = run.rounds[early.during + 1];
  if (combining?.outcome === 'answered' || (combining && run.status === 'running')) {
    const steps = run.rounds.slice(0, early.during + 1).flatMap((round) => round.steps);
    const count = steps.filter(({ output }) => output !== null).length;
    return run.status === 'running'
      ? `Combining ${plural(count, 'finished step')}.`
      : `Ended early, by combining ${plural(count, 'finished step')}.`;
  }
  const end = `Ended early, with the output of step ${stepNumber(run, early)}.`;
  return combining ? `${end} Combining the finished steps failed.` : end;
}
