/** @file Short texts for a run in the list of runs. */
import { isSampleRun, type RunSummary } from '../../core/contract';
import { duration, money, plural } from '../ui/figures';
import { AT_MADE_UP_PRICES } from '../shared/made-up-words';

/** The duration of a finished run, or the status of any other run. */
export function timeWord(summary: RunSummary): string {
  switch (summary.status) {
    case 'finished':
      return duration(summary.time);
    case 'running':
      return 'running';
    case 'failed':
      return 'failed';
    case 'cancelled':
      return 'stopped';
    case 'interrupted':
      return 'interrupted';
    default:
      return summary.status satisfies never;
  }
}

/** `$0.0014`, or `$0.0014 + ?` if the cost of some calls is unknown. */
export function costWord({ usd, unpriced }: Pick<RunSummary, 'usd' | 'unpriced'>): string {
  return unpriced > 0 ? `${money(usd)} + ?` : money(usd);
}

/** Explains made-up prices and the `+ ?` of `costWord`. `''` if the cost has neither. */
export function costNote({ id, usd, unpriced }: Pick<RunSummary, 'id' | 'usd' | 'unpriced'>): string {
  const notes = [
    ...(usd > 0 && isSampleRun(id) ? [AT_MADE_UP_PRICES] : []),
    ...(unpriced > 0 ? [`${usd > 0 ? 'and ' : ''}${plural(unpriced, 'call')} of unknown cost`] : []),
  ];
  return notes.join(', ');
}

/** Accessible name of a run's `MiniScore`: "4 steps, 15.0 s". */
export function shapeLabel(summary: RunSummary): string {
  return `${plural(summary.steps, 'step')}, ${timeWord(summary)}`;
}

/** Whether the run can be resumed, because it ended without an answer. */
export function canResume({ status }: RunSummary): boolean {
  return status === 'interrupted' || status === 'cancelled' || status === 'failed';
}
