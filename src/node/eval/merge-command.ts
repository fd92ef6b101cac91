/**
 * @file `podium merge`: joins the shards (separately run parts) of an evaluation into one file that the page can import, and
 * prints the table of results.
 */
import { resolve } from 'node:path';
import { version } from '../../../package.json';
import { confidentialityCheck, FaultError, parseJson, type Batch } from '../../core/contract';
import { readBatchFile, writeBatchFile } from '../../core/evaluation/tables/batch-file';
import { resultsTable } from '../../core/evaluation/tables/results-table';
import { tableAsMarkdown } from '../../core/evaluation/tables/export-table';
import { systemClock } from '../../platform/clock';
import { parseRunValue, VerifiedTexts, runValue } from '../../platform/store/run-file';
import type { Command, CommandContext } from '../command';
import { EXIT, UsageError, type ExitCode } from '../exit-codes';
import { printable } from '../printable';
import { checkReplaceable, writeWholeFile } from '../store/whole-file';
import { mergeShards, type MergedShards } from './merge';
import { exportedRuns } from '../../platform/store/exported-runs';
import { openRunFilesToRead } from '../store/run-files';
import { shardOf } from './shards';

const USAGE = `podium merge FOLDER --out FILE [options]

  --out FILE          Writes the results for the page to import. Use a name that ends in .podium-batch.json
  --runs FILE         Also writes the runs for the page to import. Use a name that ends in .podium.jsonl
  --overwrite         Replaces these files even if they are not from an earlier merge of the same shards

Exit codes: 0 done, 2 wrong input, 3 some units have no outcome, 4 some units failed.
A unit is one task with one method in one repeat.
`;

export const mergeCommand: Command = {
  usage: USAGE,
  options: { out: { type: 'string' }, runs: { type: 'string' }, overwrite: { type: 'boolean' } },
  run,
};

async function run({ line, terminal }: CommandContext): Promise<ExitCode> {
  const [folder, ...rest] = line.texts;
  const out = line.text('out');
  if (folder === undefined || rest.length > 0)
    throw new UsageError('Give one folder with the shards of an evaluation.');
  if (out === null) throw new UsageError('Give the file of the results with --out.');
  const runs = line.text('runs');
  if (runs !== null && resolve(runs) === resolve(out)) throw new UsageError('Give --out and --runs different names.');
  const notify = (message: string) => terminal.error(`${message}\n`);
  const merged = await mergeShards(resolve(folder), notify);
  const { batch, outcomes } = merged;
  const isAnyFile = line.has('overwrite');
  await checkReplaceable(out, {
    isAnyFile,
    kind: 'a merge of these shards',
    matches: (content) => isMergeOf(content, batch),
  });
  if (runs !== null) {
    const ids = new Set(outcomes.map(({ runId }) => runId));
    await checkReplaceable(runs, {
      isAnyFile,
      kind: 'a file with the runs of these shards',
      matches: (content) => ids.has(firstRunIn(content)),
    });
  }
  const text = writeBatchFile(batch, outcomes, { app: version, exportedAt: systemClock.now() });
  await writeWholeFile(out, text);
  if (runs !== null) await writeWholeFile(runs, mergedRunLines(merged, notify), 0o600);
  const table = resultsTable(batch, outcomes, { profile: 'strict' });
  terminal.out(printable(tableAsMarkdown({ ...table, published: [] })));
  return report(merged, terminal);
}

/** Whether a file has results of this evaluation with outcomes. */
function isMergeOf(content: Buffer, { plan }: Batch): boolean {
  try {
    const { batch, outcomes } = readBatchFile(content.toString('utf8'), 'earlier');
    return outcomes.length > 0 && JSON.stringify(batch.plan) === JSON.stringify(plan);
  } catch (thrown) {
    if (thrown instanceof FaultError) return false;
    throw thrown;
  }
}

/** The id of the first run in a file of runs. */
function firstRunIn(content: Buffer): string | undefined {
  const end = content.indexOf('\n');
  const parsed = parseRunValue(parseJson(content.toString('utf8', 0, Math.max(0, end))), new VerifiedTexts());
  return parsed.ok ? parsed.events[0]?.runId : undefined;
}

function report({ missing, holes, outcomes, of }: MergedShards, terminal: CommandContext['terminal']): ExitCode {
  if (missing.length > 0) terminal.error(`Of ${of} shards, these are missing: ${missing.join(', ')}.\n`);
  if (holes > 0) {
    terminal.error(
      `${holes} ${holes === 1 ? 'unit has' : 'units have'} no outcome. To continue, run podium eval with --resume for each unfinished shard.\n`,
    );
    return EXIT.incomplete;
  }
  const failed = outcomes.filter(({ status }) => status === 'failed' || status === 'not-gradable').length;
  return failed > 0 ? EXIT.someFailed : EXIT.done;
}

// Reads the runs of all shards as lines of the format `podium-run`. Reads one run at a time,
// because all runs together may not fit into memory.

/**
 * Yields one line for each run with an outcome. Leaves out runs on confidential datasets.
 * @param leftOut called with a sentence for each unreadable run, and with one sentence for all
 *   confidential runs of a shard, and for the damaged lines of a shard
 */
async function* mergedRunLines(
  { batch, outcomes, of, runs }: MergedShards,
  leftOut: (message: string) => void,
): AsyncGenerator<string> {
  const { signal } = new AbortController();
  // Two shards may contain the same run, because methods with equal settings share their runs on a
  // task.
  const written = new Set<string>();
  for (const [index, path] of runs) {
    const ids = outcomes.flatMap((outcome) =>
      outcome.runId !== undefined && shardOf(batch.plan, outcome, of) === index && !written.has(outcome.runId)
        ? outcome.runId
        : [],
    );
    const store = await openRunFilesToRead(path, leftOut);
    const read = (id: string) => store.read(id);
    const isConfidential = confidentialityCheck({ read, datasets: [], batches: [batch] });
    try {
      for await (const events of exportedRuns(store, [...new Set(ids)], { signal, leftOut, isConfidential })) {
        yield `${JSON.stringify(runValue(events))}\n`;
      }
    } finally {
      await store.close();
    }
    for (const id of ids) written.add(id);
  }
}
