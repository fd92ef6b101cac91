/** @file Sentences about the progress of a run's steps. */
import type { Run } from '../../core/contract';
import { waitingCount } from './conduct-words';

/** The steps whose worker is not the Conductor. A step by the Conductor only starts the next round. */
const workerSteps = (run: Run) =>
  run.rounds.flatMap((round) => round.steps).filter((step) => run.pool[step.step.worker]?.kind !== 'conductor');

/** "3 of 5 started, 1 waiting". A step has started once its call has been sent, or once it has an output. */
export function progressSentence(run: Run): string {
  const steps = workerSteps(run);
  if (steps.length === 0) return 'planning';
  const begun = steps.filter((step) => step.attempts.some(({ leftAt }) => leftAt !== null) || step.output !== null);
  return `${begun.length} of ${steps.length} started${waitingCount(run)}`;
}

/** Announced to assistive technology during a run: how many steps have an output. `''`: nothing to announce. */
export function finishedSentence(run: Run): string {
  if (run.status !== 'running') return '';
  const steps = workerSteps(run);
  const finished = steps.filter(({ status }) => ['finished', 'settled', 'reused'].includes(status)).length;
  // The end of the run is announced instead of its last step.
  return finished === 0 || finished === steps.length ? '' : `${finished} of ${steps.length} steps finished.`;
}
