/** @file The words of the page that measures workers. */
import type { MeasurementState } from '../../../core/contract/measurement/measurement-state';
import type { Change } from '../../../core/measurement/report/stale';
import type { Told } from '../../../core/measurement/report/told';
import { listed, percent } from '../../ui/figures';

/** Number of calls that are answered, and that are planned. Workers that can't be called any more count as done. */
export function callsOf({ plan, items, ended }: MeasurementState): { readonly done: number; readonly all: number } {
  const counts = plan.workers.map(({ tasks, checks }, worker) => {
    const done = items.filter(({ item, answer }) => item.worker === worker && answer !== null).length;
    return { done, all: ended.has(worker) ? done : Math.max(done, tasks + checks) };
  });
  return {
    done: counts.reduce((sum, each) => sum + each.done, 0),
    all: counts.reduce((sum, each) => sum + each.all, 0),
  };
}

/** The expected remaining time in ms, from the mean time of each worker's calls. `null`: no worker has answered yet. */
export function msLeft({ plan, items, ended }: MeasurementState): number | null {
  const times = plan.workers.flatMap(({ tasks, checks }, worker) => {
    const answers = items.flatMap(({ item, answer }) => (item.worker === worker && answer ? answer.ms : []));
    if (answers.length === 0 || ended.has(worker)) return [];
    const mean = answers.reduce((sum, ms) => sum + ms, 0) / answers.length;
    return Math.max(0, tasks + checks - answers.length) * mean;
  });
  return times.length === 0 ? null : Math.max(...times);
}

const CHANGE_WORDS: Readonly<Record<Change, string>> = {
  gone: 'the worker was removed',
  model: 'its model or address has changed',
  price: 'its price has changed',
  thinking: 'its thinking has changed',
  sampling: 'its sampling has changed',
  tasks: 'the tasks are of another version',
};

/** "Stale: its price has changed". `''`: it is up to date. */
export function staleWords(changes: readonly Change[]): string {
  return changes.length === 0 ? '' : `Stale: ${listed(changes.map((change) => CHANGE_WORDS[change]))}`;
}

/** `maths 82 %, code 61 %, verify 80 %`. `''`: nothing. */
export function toldWords({ domains = {}, strengths = {} }: Told): string {
  return [...Object.entries(domains), ...Object.entries(strengths)]
    .map(([name, share]) => `${name} ${percent(share)}`)
    .join(', ');
}

/** Whether a worker's setup already has the figures. */
export function hasFigures(setup: Told, { domains, strengths }: Told): boolean {
  const has = (own: object = {}, figures: object = {}) => {
    const values: Readonly<Record<string, unknown>> = { ...own };
    return Object.entries(figures).every(([name, share]) => values[name] === share);
  };
  return has(setup.domains, domains) && has(setup.strengths, strengths);
}
