/**
 * @file Collects what is known about the workers in a plan: their published benchmark results (figures) and
 * the user's ratings.
 */
import { DOMAINS, type PoolWorker, type PublishedRecord } from '../../../core/contract';
import { percent } from '../../ui/figures';
import type { ChoiceView } from './choice-views';

export interface KnownFigures {
  readonly worker: PoolWorker;
  /** The user's ratings: "maths 61 %, code 46 %". `''`: none. */
  readonly declared: string;
  /** The published figures in the same format, and the record that names their source. `null`: none. */
  readonly published: { readonly figures: string; readonly record: PublishedRecord } | null;
}

/** One entry for each worker with published figures or ratings, in the order of the steps. */
export function knownFigures(views: readonly ChoiceView[]): KnownFigures[] {
  const workers = [...new Set(views.map(({ worker }) => worker))];
  return workers
    .map((worker): KnownFigures => {
      const record = worker.published;
      const figures = list((domain) => record?.domains[domain] && record.domains[domain].score / 100);
      const published = record && figures !== '' ? { figures, record } : null;
      return { worker, declared: list((domain) => worker.domains?.[domain]), published };
    })
    .filter(({ declared, published }) => declared !== '' || published !== null);
}

function list(shareOf: (domain: (typeof DOMAINS)[number]) => number | undefined): string {
  return DOMAINS.flatMap((domain) => {
    const share = shareOf(domain);
    return share === undefined ? [] : [`${domain} ${percent(share)}`];
  }).join(', ');
}
