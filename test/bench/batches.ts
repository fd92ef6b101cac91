/**
 * @file How fast a batch with simulated workers is played: runs per second, grading and the fold for storage included. Nothing here
 * is asserted.
 */
import { createPolicyConductor } from '../../src/core/conductor/policy';
import { POLICY_INFO } from '../../src/core/conductor/policy-info';
import { conductorMethod, singleWorkerMethods } from '../../src/core/evaluation/batches';
import { unitsOf } from '../../src/core/evaluation/batches/units';
import { HEURISTIC_INFO } from '../../src/core/conductor/heuristic';
import checkpoint from '../../models/policy/checkpoint.json';
import { createMemoryBatchStore, createMemoryDatasetStore } from '../fixtures/evaluation/memory-stores';
import {
  addDataset,
  batchOf,
  memoryRuns,
  methodSettings,
  practiceConductor,
  practicePlayer,
  practiceTasks,
} from '../fixtures/evaluation/practice';
import { table } from './report';

const TASKS = Number(process.argv[2] ?? 200);

const tasks = practiceTasks(TASKS);
const datasets = createMemoryDatasetStore();
const dataset = await addDataset(datasets, tasks);
const settings = methodSettings();
const policy = createPolicyConductor(checkpoint);
const methods = [
  ...singleWorkerMethods(settings),
  conductorMethod(HEURISTIC_INFO, settings),
  conductorMethod(POLICY_INFO, settings),
  conductorMethod(POLICY_INFO, settings, { access: 'all' }),
];
const rows: string[][] = [];
for (const [name, chosen] of [
  ['all eight', methods],
  ...methods.map((each) => [each.label, [each]] as const),
] as const) {
  const batches = createMemoryBatchStore();
  const store = memoryRuns();
  const player = practicePlayer({
    datasets,
    batches,
    store,
    conductorFor: (info) => (info.kind === 'policy' ? policy : practiceConductor(info)),
  });
  const batch = batchOf(dataset, tasks, { methods: chosen });
  const units = unitsOf(batch.plan);
  const before = performance.now();
  let right = 0;
  for await (const outcomes of player.play(batch, units, [], new AbortController().signal)) {
    right += outcomes.filter(({ verdicts }) => verdicts.strict?.correct).length;
  }
  const seconds = (performance.now() - before) / 1000;
  const events = [...store.runs.values()].reduce((sum, each) => sum + each.length, 0);
  rows.push([
    name,
    `${units.length}`,
    `${(units.length / seconds).toFixed(0)}`,
    `${(events / units.length).toFixed(0)}`,
    `${((100 * right) / units.length).toFixed(1)} %`,
  ]);
}
table(
  (line) => console.log(line),
  'Simulated runs (aim: at least 300 a second)',
  ['', 'runs', 'a second', 'events', 'right'],
  rows,
);
