/**
 * @file Measures how many runs of a batch Node completes per second. Workers are simulated, answers are graded, and results
 * stay in memory. Prints figures for eight methods together and for each of them alone. Then prints the SHA-256 of the results
 * table of all eight. Asserts nothing.
 */
import { createPolicyConductor } from '../../../src/core/conductor/policy';
import { sha256Hex } from '../../../src/core/contract';
import { unitsOf } from '../../../src/core/evaluation/batches/units';
import checkpoint from '../../../models/policy/checkpoint.json';
import { createMemoryBatchStore, createMemoryDatasetStore } from '../../fixtures/evaluation/memory-stores';
import { memoryRuns, practiceConductor, practicePlayer } from '../../fixtures/evaluation/practice';
import { eightMethods, simulatedBatch, tableText } from '../../fixtures/evaluation/simulated-batch';
import { table } from '../report';

const TASKS = Number(process.argv[2]);
/** Number of tasks when a method is measured alone. */
const ALONE = Math.min(TASKS, 200);

const policy = createPolicyConductor(checkpoint);
const methods = eightMethods();
const rows: string[][] = [];
let digest = '';
for (const [name, chosen, count] of [
  ['all eight', methods, TASKS],
  ...methods.map((each) => [each.label, [each], ALONE] as const),
] as const) {
  const datasets = createMemoryDatasetStore();
  const whole = await simulatedBatch(datasets, count);
  const batch = { ...whole, plan: { ...whole.plan, methods: chosen } };
  const batches = createMemoryBatchStore();
  const store = memoryRuns();
  const player = practicePlayer({
    datasets,
    batches,
    store,
    conductorFor: (info) => (info.kind === 'policy' ? policy : practiceConductor(info)),
  });
  const units = unitsOf(batch.plan);
  const cpu = process.cpuUsage();
  const before = performance.now();
  let right = 0;
  for await (const outcomes of player.play(batch, units, { history: [] }, new AbortController().signal)) {
    right += outcomes.filter(({ verdicts }) => verdicts.strict?.correct).length;
  }
  const seconds = (performance.now() - before) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const events = [...store.runs.values()].reduce((sum, each) => sum + each.length, 0);
  rows.push([
    name,
    `${units.length}`,
    `${(units.length / seconds).toFixed(0)}`,
    `${(units.length / ((user + system) / 1e6)).toFixed(0)}`,
    `${(events / units.length).toFixed(0)}`,
    `${((100 * right) / units.length).toFixed(1)} %`,
  ]);
  if (chosen === methods) digest = sha256Hex(tableText(batch, await batches.outcomes(batch.id)));
}
table(
  (line) => console.log(line),
  'Simulated runs in Node (aim: at least 300 a second)',
  ['', 'runs', 'a second', 'a second of processor time', 'events', 'right'],
  rows,
);
console.log(`  digest of the table: ${digest}`);
