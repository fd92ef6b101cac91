/**
 * @file Repeats two published tables of routers with Podium's own routers: tables 2 and 3 of RouteLLM (arXiv 2406.18665v4), from the
 * answers that were published with it. Asserts nothing. Run with `npm run bench -- routing FILES`. Without files, it prints why it is
 * skipped. `docs/recorded-outcomes.md` says where the files are.
 *
 * A router orders the tasks by how much better it expects the strong model to be, and sends the first ones to it. PGR is the part of
 * the gap between the two models that is closed. CPT(50 %) is the share of calls to the strong model at which PGR reaches 50 %. APGR is
 * the mean PGR over all shares. “Right” is the share of right answers if each task goes to the worker that is expected to be better.
 */
import { readFileSync } from 'node:fs';
import { workerRecords } from '../../src/core/analysis/worker-record';
import { fitRouter } from '../../src/core/conductor/routers/fitted';
import {
  knownOutcomes,
  type KnownOutcomes,
  type Router as Fitted,
} from '../../src/core/conductor/routers/known-outcomes';
import { fitNeighbours } from '../../src/core/conductor/routers/neighbours';
import {
  mixSeed,
  parseJson,
  planRequestOf,
  seededRandom,
  shuffled,
  type EvaluationTask,
  type GradedRun,
  type PlanRequest,
  type PoolWorker,
} from '../../src/core/contract';
import { historyOf } from '../../src/core/evaluation/batches/batch-history';
import { createRecordedImporter } from '../../src/core/evaluation/recorded/recorded-import';
import { recordedPoolWorkers } from '../../src/core/evaluation/recorded/recorded-pool';
import { isRecordedRight } from '../../src/core/graders/recorded-score';
import { logProbabilityOf } from '../../src/core/policy/network';
import { policyInput } from '../../src/core/policy/features';
import { readCheckpoint } from '../../src/core/policy/checkpoint';
import { createTableFiles } from '../../src/node/eval/table-files';
import { openTable } from '../../src/platform/datasets/open-table';
import { batchOf, methodSettings } from '../fixtures/evaluation/practice';
import { createMemoryBatchStore, createMemoryDatasetStore } from '../fixtures/evaluation/memory-stores';
import { singleWorkerMethods } from '../fixtures/evaluation/template-methods';
import { table as printTable } from './report';

const { signal } = new AbortController();
const SPLITS = 3;
/** Number of tested tasks in each split, at most half of all. */
const TESTED = 2_000;
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/** The best and the worst published router, and random routing: CPT(50 %), CPT(80 %), APGR. */
const PUBLISHED = [
  ['MMLU: random', '50.1 %', '79.9 %', '0.500'],
  ['MMLU: matrix factorization, trained on preferences', '45.0 %', '76.9 %', '0.524'],
  ['MMLU: similarity-weighted ranking, with MMLU answers', '35.4 %', '71.6 %', '0.603'],
  ['GSM8K: random', '50.0 %', '80.1 %', '0.497'],
  ['GSM8K: similarity-weighted ranking, trained on preferences', '54.4 %', '82.1 %', '0.475'],
  ['GSM8K: causal language model, with answers of a judge', '33.6 %', '63.3 %', '0.622'],
] as const;

/** How much better a router expects the strong worker to be than the weak one, for each tested task. */
type Router = (request: PlanRequest) => number;

const checkpoint = readCheckpoint(parseJson(readFileSync('models/policy/checkpoint.json', 'utf8')));
if (!checkpoint) throw new Error('The checkpoint of the policy can’t be read.');
const { parameters } = checkpoint;

/** @param strong index of the strong worker in the pool */
function routersOf(strong: number): ReadonlyMap<string, Router> {
  return new Map<string, Router>([
    ['random', ({ question }) => seededRandom(mixSeed('random', question))() - 0.5],
    [
      'by history',
      ({ pool, history = [], question }) => {
        const [one = 0, other = 0] = workerRecords(pool, history, question).map((each) => each.expect('solve').near);
        return strong === 0 ? one - other : other - one;
      },
    ],
    ['nearest neighbours', learned(fitNeighbours, strong)],
    ['fitted router', learned(fitRouter, strong)],
    [
      'trained policy, one step',
      (request) => {
        const input = policyInput(request);
        const chance = (row: number) => logProbabilityOf(parameters, input, [{ row, move: 'solve', access: [] }]);
        return chance(strong) - chance(1 - strong);
      },
    ],
  ]);
}

/** A router that learns once from each history. */
function learned(fit: (known: KnownOutcomes) => Fitted, strong: number): Router {
  const fitted = new WeakMap<readonly GradedRun[], Fitted>();
  return ({ pool, history = [], question }) => {
    const ids = pool.map(({ id }) => id);
    const router = fitted.get(history) ?? timed(() => fit(knownOutcomes(history, ids)));
    fitted.set(history, router);
    const chances = router.predict(question);
    return (chances[strong] ?? 0) - (chances[1 - strong] ?? 0);
  };
}

function timed<T>(work: () => T): T {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  console.log(`  Fitted in ${((user + system) / 1e6).toFixed(1)} s of processor time.`);
  return result;
}

interface Figures {
  readonly half: number;
  readonly most: number;
  readonly apgr: number;
  /** Share of right answers, if each task goes to the worker that is expected to be better. */
  readonly right: number;
}

/** @param gains the router's value for each task. @param rights whether each worker is right, weak and strong */
function figuresOf(gains: readonly number[], rights: readonly (readonly [boolean, boolean])[]): Figures {
  const weak = rights.filter(([right]) => right).length;
  const gap = rights.filter(([, right]) => right).length - weak;
  const order = gains.map((gain, task) => ({ gain, task })).toSorted((one, other) => other.gain - one.gain);
  let right = weak;
  const closed = order.map(({ task }) => {
    const [weakIs = false, strongIs = false] = rights[task] ?? [];
    right += Number(strongIs) - Number(weakIs);
    return (right - weak) / gap;
  });
  const shareAt = (level: number) => (closed.findIndex((each) => each >= level) + 1) / closed.length;
  const apgr = closed.reduce((sum, each) => sum + each, 0) / closed.length;
  const routed = mean(gains.map((gain, task) => Number(rights[task]?.[gain > 0 ? 1 : 0] ?? false)));
  return { half: shareAt(0.5), most: shareAt(0.8), apgr, right: routed };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

async function measure([first, ...others]: readonly [string, ...string[]]): Promise<void> {
  const datasets = createMemoryDatasetStore();
  const batches = createMemoryBatchStore();
  const tables = createTableFiles(openTable);
  const importer = createRecordedImporter({ tables, store: datasets, batches, clock: { now: () => 0 } });
  const file = await importer.openFiles([first, ...others], signal);
  const options = { name: 'Recorded', map: importer.suggest(file).map, grading: { by: 'score', passMark: 1 } } as const;
  const dataset = await importer.add(file, options, signal, () => undefined);
  const ids = (await datasets.outline(dataset.id)).map(({ id }) => id);
  const tasks = (await datasets.tasks(dataset.id, ids)).filter(({ recorded = [] }) => recorded.length === 2);
  const pool = recordedPoolWorkers(dataset.recordedWorkers ?? [], dataset);
  if (pool.length !== 2) throw new Error('The table needs exactly two models.');
  const shares = pool.map((worker) => mean(tasks.map((task) => Number(isRight(task, worker)))));
  const strong = (shares[0] ?? 0) > (shares[1] ?? 0) ? 0 : 1;
  const [weakWorker, strongWorker] = strong === 1 ? pool : pool.toReversed();
  const either = mean(tasks.map((task) => Number(pool.some((worker) => isRight(task, worker)))));
  printTable(
    console.log,
    `${tasks.length} tasks, right answers`,
    ['Worker', 'right'],
    [
      ...pool.map(({ model }, index) => [model, percent(shares[index] ?? 0)]),
      ['oracle (either is right)', percent(either)],
    ],
  );
  const routers = routersOf(strong);
  const found = new Map<string, Figures[]>();
  let known = 0;
  for (let split = 0; split < SPLITS; split++) {
    const tested = shuffled(tasks, seededRandom(split + 1)).slice(0, Math.min(TESTED, Math.floor(tasks.length / 2)));
    const settings = methodSettings({ pool, maxSteps: 1 });
    const methods = singleWorkerMethods(settings);
    const batch = { ...batchOf(dataset, tested, { methods, history: 'table' }), id: `split-${split}` };
    const history = await historyOf(batch, { batches, datasets, runs: { history: () => Promise.resolve([]) } });
    known = history.length;
    const rights = tested.map((task) => [isRight(task, weakWorker), isRight(task, strongWorker)] as const);
    for (const [name, router] of routers) {
      const gains = tested.map(({ question }) =>
        router(planRequestOf({ ...settings, question: { text: question }, seed: 1 }, { history })),
      );
      found.set(name, [...(found.get(name) ?? []), figuresOf(gains, rights)]);
    }
  }
  printTable(
    console.log,
    `Routing between the two: mean of ${SPLITS} splits, learned from ${known} outcomes of other tasks`,
    ['Router', 'right', 'CPT(50 %)', 'CPT(80 %)', 'APGR', 'APGR by split'],
    [...found].map(([name, each]) => [
      name,
      percent(mean(each.map(({ right }) => right))),
      percent(mean(each.map(({ half }) => half))),
      percent(mean(each.map(({ most }) => most))),
      mean(each.map(({ apgr }) => apgr)).toFixed(3),
      each.map(({ apgr }) => apgr.toFixed(3)).join(' '),
    ]),
  );
}

function isRight({ recorded = [] }: EvaluationTask, worker: PoolWorker | undefined): boolean {
  const answer = recorded.find((each) => each.worker === worker?.model);
  return answer !== undefined && isRecordedRight(answer.text) === true;
}

const [first, ...others] = process.argv.slice(2);
if (first === undefined) {
  console.log('\nRouting: skipped, because no file is given. Use `npm run bench -- routing FILES`.');
} else {
  await measure([first, ...others]);
  printTable(
    console.log,
    'Published (RouteLLM, tables 2 and 3)',
    ['Router', 'CPT(50 %)', 'CPT(80 %)', 'APGR'],
    PUBLISHED,
  );
}
