/**
 * @file Measures how long it takes to compute the results of a large batch, and to write and read the batch
 * as a file. Asserts nothing. Run with `npm run bench -- results`.
 */
import * as z from 'zod/mini';
import { mixSeed, seededRandom, unitKey, type Outcome } from '../../src/core/contract';
import { outcomeSchema } from '../../src/core/contract/evaluation/outcome-schema';
import { disagreement } from '../../src/core/evaluation/statistics/disagreement';
import { pairedDifference } from '../../src/core/evaluation/statistics/bootstrap';
import { readBatchFile, writeBatchFile } from '../../src/core/evaluation/tables/batch-file';
import { resultsTable } from '../../src/core/evaluation/tables/results-table';
import { tableAsCsv } from '../../src/core/evaluation/tables/export-table';
import { batchMethod, batchPlan, outcome, storedBatch } from '../fixtures/evaluation/batches';

const [TASKS, METHODS, REPEATS] = [2500, 10, 4];
const random = seededRandom(1);
const taskIds = Array.from({ length: TASKS }, (_, index) => `task-${index}`);
const [first] = batchPlan().datasets;
if (!first) throw new Error('The plan has no dataset.');
const methods = Array.from({ length: METHODS }, (_, index) =>
  batchMethod(`m${index}`, ['a', 'b'], index < 3 ? `template:best-single@${index}` : 'policy'),
);
const plan = batchPlan({ datasets: [{ ...first, taskIds }], methods, repeats: REPEATS });
const batch = storedBatch('batch', { plan });
const outcomes = taskIds.flatMap((taskId) =>
  methods.flatMap((_, method) =>
    Array.from({ length: REPEATS }, (_, repeat): Outcome => outcome(random() < 0.6, { taskId, method, repeat })),
  ),
);

function time<Result>(what: string, work: () => Result): Result {
  const before = performance.now();
  const result = work();
  console.log(`${what.padEnd(48)} ${(performance.now() - before).toFixed(0).padStart(6)} ms`);
  return result;
}

console.log(`\n${outcomes.length} outcomes, Node ${process.version}`);
for (let turn = 0; turn < 3; turn++) {
  const table = time('Table', () => resultsTable(batch, outcomes, { profile: 'strict' }));
  time('CSV', () => tableAsCsv(table));
}
time('Tasks on which methods disagree', () => disagreement(outcomes, METHODS, 'strict'));
const of = (method: number) => outcomes.filter((each) => each.method === method);
time(`Paired bootstrap over ${TASKS} tasks`, () =>
  pairedDifference(of(0), of(1), { profile: 'strict', seed: mixSeed(1) }),
);
time('Validating stored outcomes', () => outcomes.every((each) => z.safeParse(outcomeSchema, each).success));
time('Keys of units', () => outcomes.map(unitKey).length);
const text = time('Writing the file', () => writeBatchFile(batch, outcomes, { app: 'bench', exportedAt: 0 }));
time('Reading the file', () => readBatchFile(text, 'new'));
