/**
 * @file Checks the statistics of measurements with simulated workers whose abilities are known: how often the best worker comes
 * first, whether stated probabilities and intervals hold, and how many tasks the adaptive choice saves. Prints each figure beside
 * its aim. `npm run bench -- measure [pools]`
 */
import { calibration, firstOverall, type Design, type Tally } from '../fixtures/measurement/calibration';
import { simulatedPool, simulateMeasurement } from '../fixtures/measurement/simulated-abilities';
import { fitAbilities } from '../../src/core/measurement/ability/fit-abilities';
import { seededRandom } from '../../src/core/contract';
import { median, table } from './report';

/** For the order of workers. Intervals and probabilities are checked in half as many pools. */
const pools = Number(process.argv[2] ?? 2000);
/** Rivals are exactly this much worse than the best worker. */
const GAP = 0.1;
const ROWS: readonly Pick<Design, 'choice' | 'tasksPerDomain'>[] = [
  { choice: 'adaptive', tasksPerDomain: 30 },
  { choice: 'uniform', tasksPerDomain: 30 },
  // 70 % of the tasks.
  { choice: 'adaptive', tasksPerDomain: 21 },
];

const percent = ({ right, of }: Tally) => `${((100 * right) / of).toFixed(1)} %`;

const rows = ROWS.map((row) => {
  const design: Design = { pools, workers: 5, seed: 'bench', ...row };
  const { overall, inDomains, best, halfWidth, error } = calibration({ ...design, pools: pools / 2 });
  return [
    `${row.choice}, ${row.tasksPerDomain} tasks a domain`,
    percent(firstOverall(design, GAP)),
    percent(overall),
    percent(inDomains),
    `${percent(best)} of ${best.of}`,
    (100 * halfWidth).toFixed(2),
    (100 * error).toFixed(2),
  ];
});
const aims = ['Aim', '≥ 95 %', '87–93 %', '87–93 %', '75–95 % of ≥ 500', '', '21 adaptive ≤ 30 uniform'];
table(
  console.log,
  `Pools of 5 workers: ${pools} whose rivals are exactly 10 points worse, and ${pools / 2} drawn freely for the other columns`,
  ['', 'best is first', '90 % interval', 'in a domain', 'best with 80–90 %', 'half-width', 'error (points)'],
  [...rows, aims],
);

const times = [5, 10].map((workers) => {
  const pool = simulatedPool(workers, workers);
  const observations = simulateMeasurement(pool, 30, 'uniform', seededRandom(workers));
  const durations = Array.from({ length: 7 }, () => {
    const before = performance.now();
    fitAbilities(observations, pool.families);
    return performance.now() - before;
  });
  return [`${workers} workers with 150 tasks each`, `${median(durations).toFixed(0)} ms`];
});
table(console.log, 'Time of a fit', ['', 'median'], [...times, ['Aim', '< 1000 ms']]);
