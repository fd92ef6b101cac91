/**
 * @file `podium merge`: joins the shards (separately run parts) of an evaluation into one file that the page can import, and
 * prints the table of results.
 */
import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { version } from '../../../package.json';
import { resultsTable, tableAsMarkdown, writeBatchFile } from '../../core/evaluation/tables';
import { systemClock } from '../../platform/clock';
import type { Command, CommandContext } from '../command';
import { EXIT, UsageError, type ExitCode } from '../exit-codes';
import { printable } from '../printable';
import { writeWholeFile } from '../store/whole-file';
import { mergeShards, type MergedShards } from './merge';
import { mergedRunLines } from './merged-runs';

const USAGE = `podium merge FOLDER --out FILE [options]

  --out FILE          Writes the results for the page to import. Use a name that ends in .podium-batch.json
  --runs FILE         Also writes the runs for the page to import. Use a name that ends in .podium.jsonl

Exit codes: 0 done, 2 wrong input, 3 some units have no outcome, 4 some units failed.
A unit is one task with one method in one repeat.
`;

export const mergeCommand: Command = {
  usage: USAGE,
  options: { out: { type: 'string' }, runs: { type: 'string' } },
  run,
};

async function run({ line, terminal }: CommandContext): Promise<ExitCode> {
  const [folder, ...rest] = line.texts;
  const out = line.text('out');
  if (folder === undefined || rest.length > 0)
    throw new UsageError('Give one folder with the shards of an evaluation.');
  if (out === null) throw new UsageError('Give the file of the results with --out.');
  const merged = await mergeShards(resolve(folder));
  const { batch, outcomes } = merged;
  const text = writeBatchFile(batch, outcomes, { app: version, exportedAt: systemClock.now() });
  await writeWholeFile(out, text);
  const runs = line.text('runs');
  if (runs !== null) {
    const lines = Readable.from(mergedRunLines(merged, (message) => terminal.error(`${message}\n`)));
    await pipeline(lines, createWriteStream(`${runs}.part`, { mode: 0o600 }));
    await rename(`${runs}.part`, runs);
  }
  const table = resultsTable(batch, outcomes, { profile: 'strict' });
  terminal.out(printable(tableAsMarkdown({ ...table, published: [] })));
  return report(merged, terminal);
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
