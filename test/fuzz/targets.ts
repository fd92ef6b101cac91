/** @file The readers of foreign files, each as a function of bytes. A reader may reject only with a `FaultError` or a `UsageError`. */
import { writeFile } from 'node:fs/promises';
import { parseJson } from '../../src/core/contract';
import { textOf } from '../../src/core/contract/text-encoding';
import { privateTestsOpener } from '../../src/core/evaluation/datasets/private-tests';
import { readPickledText } from '../../src/core/evaluation/datasets/pickle';
import { readBatchFile } from '../../src/core/evaluation/tables/batch-file';
import { readOutcomes } from '../../src/node/eval/outcome-file';
import { openRunFilesToRead } from '../../src/node/store/run-files';
import { fileSource } from '../../src/platform/datasets/byte-source';
import { inflateBase64 } from '../../src/platform/datasets/inflate';
import { openTable } from '../../src/platform/datasets/open-table';
import { formatOf } from '../../src/platform/datasets/table-format';
import { openBackup } from '../../src/platform/store/backup/read-backup';
import { BrokenFile, fileLines } from '../../src/platform/store/files';
import { lineProblem } from '../../src/platform/store/json-bounds';
import { readPoolFile } from '../../src/platform/store/pool-file';
import { parseRunValue, VerifiedTexts } from '../../src/platform/store/run-file';

type Bytes = Uint8Array<ArrayBuffer>;
/** @param file path of a file that the reader may write */
type Target = (bytes: Bytes, file: string) => unknown;

const { signal } = new AbortController();

const table =
  (name: string): Target =>
  async (bytes) => {
    const format = formatOf(name);
    if (format === null) throw new TypeError(`${name} has no format.`);
    const opened = await openTable(fileSource(new File([bytes], name)), format, { kind: 'file', name }, signal);
    for await (const part of opened.read(signal)) structuredClone(part);
  };

export const TARGETS = {
  parquet: table('set.parquet'),
  csv: table('set.csv'),
  'csv.gz': table('set.csv.gz'),
  jsonl: table('set.jsonl'),
  json: table('set.json'),
  pickle: readPickledText,
  'private tests': (bytes) => privateTestsOpener(inflateBase64)(textOf(bytes), signal),
  'run file': async (bytes) => {
    try {
      for await (const line of fileLines(new Blob([bytes]), signal).lines) {
        if (line !== null && lineProblem(line) === null) parseRunValue(parseJson(line), new VerifiedTexts());
      }
    } catch (thrown) {
      if (!(thrown instanceof BrokenFile)) throw thrown;
    }
  },
  backup: async (bytes) => {
    const { entries } = await openBackup(fileLines(new Blob([bytes]), signal));
    for await (const entry of entries) structuredClone(entry);
  },
  'pool file': (bytes) => readPoolFile(textOf(bytes)),
  'batch file': (bytes) => readBatchFile(textOf(bytes), 'id'),
  'outcome file': async (bytes, file) => {
    await writeFile(file, bytes);
    await readOutcomes(file, () => undefined);
  },
  'runs of the command line': async (bytes, file) => {
    await writeFile(file, bytes);
    const store = await openRunFilesToRead(file, () => undefined);
    await store.summaries({ limit: 10 });
    await store.close();
  },
} as const satisfies Readonly<Record<string, Target>>;
export type TargetName = keyof typeof TARGETS;
