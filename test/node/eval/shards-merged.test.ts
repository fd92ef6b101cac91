import { readFile, rm, truncate, appendFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPolicyConductor } from '../../../src/core/conductor/policy';
import { unitKey, type Outcome } from '../../../src/core/contract';
import { unitsOf } from '../../../src/core/evaluation/batches/units';
import { withPractice } from '../../../src/core/evaluation/datasets/practice/with-practice';
import { readBatchFile } from '../../../src/core/evaluation/tables/batch-file';
import { resultsTable } from '../../../src/core/evaluation/tables/results-table';
import { parseRunValue, VerifiedTexts } from '../../../src/platform/store/run-file';
import checkpoint from '../../../models/policy/checkpoint.json';
import { createMemoryBatchStore, createMemoryDatasetStore } from '../../fixtures/evaluation/memory-stores';
import { memoryRuns, practiceConductor, practicePlayer } from '../../fixtures/evaluation/practice';
import { command } from '../terminal';
import { planFile, simulatedBatch, testFolder } from './plans';

const TASKS = 12;
const SHARDS = 8;

async function readResults(path: string) {
  const { batch, outcomes } = readBatchFile(await readFile(path, 'utf8'), 'read');
  return { batch, outcomes, table: resultsTable(batch, outcomes, { profile: 'strict' }) };
}

/** Sorts outcomes, and removes the fields that an exported file leaves out. */
function comparable(outcomes: readonly Outcome[]) {
  return outcomes
    .map(({ runId: _runId, batchId: _batchId, ...rest }) => rest)
    .toSorted((one, other) => (unitKey(one) < unitKey(other) ? -1 : 1));
}

async function evaluateShards(plan: string, out: string, of: number, ...more: string[]) {
  const codes: number[] = [];
  for (let index = 1; index <= of; index += 1) {
    codes.push((await command(['eval', plan, '--out', out, '--shard', `${index}/${of}`, ...more])).code);
  }
  return codes;
}

describe('an evaluation in shards', () => {
  it('has the same merged results as an evaluation in one process or with the page’s code', async () => {
    const folder = await testFolder();
    const batch = simulatedBatch(TASKS);
    const plan = await planFile(folder, batch);

    const [one, many] = [join(folder, 'one'), join(folder, 'many')];
    const alone = await command(['eval', plan, '--out', one]);
    expect(alone.code).toBe(0);
    expect(await evaluateShards(plan, many, SHARDS)).toEqual(Array(SHARDS).fill(0));

    const files = [join(folder, 'one.podium-batch.json'), join(folder, 'many.podium-batch.json')] as const;
    const runs = join(folder, 'many.podium.jsonl');
    const mergedOne = await command(['merge', one, '--out', files[0]]);
    const mergedMany = await command(['merge', many, '--out', files[1], '--runs', runs]);
    expect([mergedOne.code, mergedMany.code]).toEqual([0, 0]);
    expect(mergedMany.out).toBe(mergedOne.out);
    expect(alone.out).toBe(mergedOne.out);
    expect(alone.out).toContain('| Method |');

    const [single, sharded] = [await readResults(files[0]), await readResults(files[1])];
    expect(sharded.table).toEqual(single.table);
    expect(sharded.outcomes).toEqual(single.outcomes);

    const datasets = withPractice(createMemoryDatasetStore());
    const policy = createPolicyConductor(checkpoint);
    const player = practicePlayer({
      datasets,
      batches: createMemoryBatchStore(),
      store: memoryRuns(),
      conductorFor: (info) => (info.kind === 'policy' ? policy : practiceConductor(info)),
    });
    const page: Outcome[] = [];
    const { signal } = new AbortController();
    for await (const some of player.play(batch, unitsOf(batch.plan), { history: [] }, signal)) page.push(...some);
    expect(page).toHaveLength(TASKS * batch.plan.methods.length);
    expect(comparable(sharded.outcomes)).toEqual(comparable(page));
    expect(sharded.table).toEqual(resultsTable(batch, page, { profile: 'strict' }));

    const lines = (await readFile(runs, 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(page.length);
    const verified = new VerifiedTexts();
    expect(lines.every((line) => parseRunValue(JSON.parse(line), verified).ok)).toBe(true);
  });

  it('restores an outcome that a crash has cut off, without repeating its run', async () => {
    const folder = await testFolder();
    const plan = await planFile(folder, simulatedBatch(3));
    const out = join(folder, 'out');
    await command(['eval', plan, '--out', out]);
    const path = join(out, 'shard-1-of-1.outcomes.jsonl');
    const [before, runsBefore] = [await readFile(path, 'utf8'), await readFile(join(out, 'shard-1-of-1.runs.jsonl'))];
    await truncate(path, (await stat(path)).size - 7);
    await appendFile(join(out, 'shard-1-of-1.runs.jsonl'), '{"events":[{"ty');
    const { code } = await command(['eval', plan, '--out', out, '--resume']);
    expect(code).toBe(0);
    expect(await readFile(path, 'utf8')).toBe(before);
    // The run was stored before its outcome, so the run is not repeated.
    expect(await readFile(join(out, 'shard-1-of-1.runs.jsonl'))).toEqual(runsBefore);
  });

  it('reports damaged lines of the outcomes file when resumed, and carries out only the units in them again', async () => {
    const folder = await testFolder();
    const plan = await planFile(folder, simulatedBatch(2));
    const out = join(folder, 'out');
    await command(['eval', plan, '--out', out]);
    const path = join(out, 'shard-1-of-1.outcomes.jsonl');
    const [first = '', ...rest] = (await readFile(path, 'utf8')).split('\n');
    await writeFile(path, [first.slice(0, -9), ...rest].join('\n'));
    const { code, error } = await command(['eval', plan, '--out', out, '--resume']);
    expect(code).toBe(0);
    expect(error).toContain(`${path} is damaged in line 1.`);
    expect((await readFile(path, 'utf8')).trimEnd().split('\n')).toHaveLength(rest.length + 1);
  });

  it('reports missing shards and units when merged, and still writes the other results', async () => {
    const folder = await testFolder();
    const batch = simulatedBatch(4);
    const plan = await planFile(folder, batch);
    const out = join(folder, 'out');
    await evaluateShards(plan, out, 3);
    await rm(join(out, 'shard-2-of-3.plan.json'));
    const file = join(folder, 'merged.podium-batch.json');
    const { code, error } = await command(['merge', out, '--out', file]);
    expect(code).toBe(3);
    expect(error).toContain('Of 3 shards, these are missing: 2.');
    const { outcomes } = await readResults(file);
    const holes = unitsOf(batch.plan).length - outcomes.length;
    expect(holes).toBeGreaterThan(0);
    expect(error).toContain(`${holes} units have no outcome`);
  });

  it('is not merged if its shards differ in plan or shard count, or if files were swapped', async () => {
    const folder = await testFolder();
    const plan = await planFile(folder, simulatedBatch(2));
    const merge = (out: string) => command(['merge', join(folder, out), '--out', join(folder, 'never.json')]);

    await command(['eval', plan, '--out', join(folder, 'plans'), '--shard', '1/2']);
    await command(['eval', plan, '--out', join(folder, 'plans'), '--shard', '2/2', '--seed', '9']);
    expect(await merge('plans')).toMatchObject({ code: 2, error: expect.stringContaining('different plans') });

    await command(['eval', plan, '--out', join(folder, 'numbers'), '--shard', '1/2']);
    await command(['eval', plan, '--out', join(folder, 'numbers'), '--shard', '2/3']);
    expect(await merge('numbers')).toMatchObject({ code: 2, error: expect.stringContaining('the same total') });

    const swapped = join(folder, 'swapped');
    await evaluateShards(plan, swapped, 2);
    await rm(join(swapped, 'shard-1-of-2.outcomes.jsonl'));
    const other = await readFile(join(swapped, 'shard-2-of-2.outcomes.jsonl'));
    await appendFile(join(swapped, 'shard-1-of-2.outcomes.jsonl'), other);
    expect(await merge('swapped')).toMatchObject({ code: 2, error: expect.stringContaining('another shard') });

    expect(await merge('.')).toMatchObject({ code: 2, error: expect.stringContaining('no shards') });
  });
});
