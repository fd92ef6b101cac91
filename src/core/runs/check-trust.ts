/** @file Collects what is known of the checkers and solvers of a new run, from the graded runs. */
import { checkerRates, domainOf, solverAbility, workerRecords } from '../analysis';
import type { CheckObservation, CheckTrust, GradedRun, RunSettings } from '../contract';

/** What is known of the workers of a run, in the domain of its question. */
export function checkTrust(
  { pool, question }: Pick<RunSettings, 'pool' | 'question'>,
  history: readonly GradedRun[],
): Pick<CheckTrust, 'checkers' | 'solvers'> {
  const observations = history.flatMap((run): CheckObservation[] => {
    const where = domainOf(run.question);
    return (run.checks ?? []).map((each) => ({ ...each, domain: where }));
  });
  const domain = domainOf(question.text);
  const isChecker = (id: string) => observations.some(({ checker }) => checker === id);
  const isSolver = (id: string) => observations.some(({ solver }) => solver === id);
  const records = workerRecords(pool, [], question.text).filter(
    ({ hasPrior, worker: { id } }) => hasPrior || isSolver(id),
  );
  return {
    checkers: Object.fromEntries(
      pool.flatMap(({ id }) => (isChecker(id) ? [[id, checkerRates(observations, id, domain)]] : [])),
    ),
    solvers: Object.fromEntries(
      records.map((record) => {
        const { id } = record.worker;
        return [id, solverAbility(observations, id, domain, record.expect('solve').prior)];
      }),
    ),
  };
}
