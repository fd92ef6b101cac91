/** @file Decides how far a new run trusts its checks, from the graded runs and from measurements. */
import { checkerRates, solverAbility } from '../analysis/statistics/check-trust';
import { domainOf } from '../analysis/domain';
import { workerRecords } from '../analysis/worker-record';
import {
  mixSeed,
  type CheckObservation,
  type CheckTrust,
  type GradedRun,
  type RunSettings,
  type TrustRules,
} from '../contract';

/** Share of runs with only simulated workers that go on after each check, because their calls cost nothing. */
const SIMULATED_GO_ON = 0.1;

/**
 * How far a new run trusts its checks. `undefined`: nothing is known of them, so each check settles.
 * @param measured what the workers said of planted answers
 */
export function trustIn(
  settings: RunSettings,
  history: readonly GradedRun[],
  rules: TrustRules,
  measured: readonly CheckObservation[] = [],
): CheckTrust | undefined {
  const isKnown = rules.bound > 0 && (measured.length > 0 || history.some(({ checks }) => checks));
  const goesOn = goesOnAnyway(settings, rules);
  if (!isKnown && !goesOn) return undefined;
  const known = isKnown ? knownTrust(settings, history, measured) : { checkers: {}, solvers: {} };
  return { bound: rules.bound, ...(goesOn ? { goesOn } : {}), ...known };
}

/** Whether a run goes on after each check. Drawn from its seed, so that it is decided before anything is known of the run. */
function goesOnAnyway({ pool, seed }: RunSettings, { goOnShare }: TrustRules): boolean {
  const isSimulated = pool.every(({ kind }) => kind === 'simulated' || kind === 'conductor');
  const share = isSimulated ? Math.max(goOnShare, SIMULATED_GO_ON) : goOnShare;
  return mixSeed(seed, 'go-on') / 2 ** 32 < share;
}

/** What is known of the workers of a run, in the domain of its question. */
function knownTrust(
  { pool, question }: Pick<RunSettings, 'pool' | 'question'>,
  history: readonly GradedRun[],
  measured: readonly CheckObservation[],
): Pick<CheckTrust, 'checkers' | 'solvers'> {
  const observations = [...gradedObservations(history), ...measured];
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

/** All runs of a batch have the same history. */
const observationsOf = new WeakMap<readonly GradedRun[], readonly CheckObservation[]>();

/** What the checks of the graded runs said. */
function gradedObservations(history: readonly GradedRun[]): readonly CheckObservation[] {
  let observations = observationsOf.get(history);
  if (!observations) {
    observations = history.flatMap(({ question, checks }): CheckObservation[] => {
      if (!checks) return [];
      const domain = domainOf(question);
      return checks.map((each) => ({ ...each, domain }));
    });
    observationsOf.set(history, observations);
  }
  return observations;
}
