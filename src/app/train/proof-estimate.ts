/** @file Estimates what the runs of a proof cost. */
import type { Conductor, ConductorInfo, PoolWorker } from '../../core/contract';
import { runsEstimate, type SearchEstimate } from '../../core/lessons/search-estimate';
import type { SearchSetup } from '../../core/lessons/stored-search';
import type { Runs } from '../../core/runs/runs';

/** Usual length of a question, in characters. */
const QUESTION_LENGTH = 600;

interface Services {
  readonly conductor: (info: ConductorInfo) => Conductor;
  readonly runs: Pick<Runs, 'ceiling'>;
}

/** @param count number of runs. @param pool instead of the pool of the search */
export function proofEstimate(
  { settings }: SearchSetup,
  count: number,
  { conductor, runs }: Services,
  pool: readonly PoolWorker[] = settings.pool,
): SearchEstimate {
  const question = 'x'.repeat(QUESTION_LENGTH);
  return runsEstimate(count, { ...settings, pool, question, conductor: conductor(settings.conductor) }, runs);
}
