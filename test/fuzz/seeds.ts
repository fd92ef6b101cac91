/** @file Undamaged files of each kind, from which the damaged files are made. */
import { readFileSync } from 'node:fs';
import { deflateSync, gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { DEFAULT_PREFERENCES } from '../../src/core/contract';
import { writeBatchFile } from '../../src/core/evaluation/tables/batch-file';
import { writePoolFile } from '../../src/platform/store/pool-file';
import { runValue } from '../../src/platform/store/run-file';
import { outcome, storedBatch } from '../fixtures/evaluation/batches';
import { backupText } from '../fixtures/hostile/backups';
import { finishedRunBodies, runStarted, stampEvents } from '../fixtures/run-events';
import type { TargetName } from './targets';

const COUNT = 12;
const of = <Value>(make: (index: number) => Value) => Array.from({ length: COUNT }, (_, index) => make(index));
const ROWS = of((index) => ({
  question: `How much is ${index} × 2?\n“Größe”`,
  answer: index * 2,
  tags: ['a', null, { b: [1] }],
}));

const text = (value: string) => new TextEncoder().encode(value);
const utf16 = (value: string) => new Uint8Array(Buffer.from(`\ufeff${value}`, 'utf16le'));
const lines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const fixture = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../fixtures/datasets/${name}`, import.meta.url)));

function parquetSeeds(): readonly Uint8Array[] {
  const columns = {
    text: { name: 'question', data: ROWS.map(({ question }) => question), type: 'STRING' },
    repeated: { name: 'kind', data: of((index) => (index % 2 === 0 ? 'even' : 'odd')), type: 'STRING' },
    number: { name: 'answer', data: of((index) => BigInt(index)), type: 'INT64' },
    optional: { name: 'score', data: of((index) => (index % 3 === 0 ? null : index / 3)), type: 'DOUBLE' },
    flag: { name: 'right', data: of((index) => index % 2 === 0), type: 'BOOLEAN' },
    json: { name: 'tags', data: ROWS.map(({ tags }) => tags), type: 'JSON' },
    when: { name: 'when', data: of((index) => new Date(index)), type: 'TIMESTAMP' },
  } as const;
  const written = (codec: 'SNAPPY' | 'UNCOMPRESSED', ...names: readonly (keyof typeof columns)[]) =>
    new Uint8Array(parquetWriteBuffer({ codec, rowGroupSize: 5, columnData: names.map((name) => columns[name]) }));
  return [
    written('UNCOMPRESSED', 'text', 'repeated'),
    written('UNCOMPRESSED', 'number', 'optional', 'flag'),
    written('UNCOMPRESSED', 'json', 'when', 'repeated'),
    written('SNAPPY', 'text', 'repeated', 'number', 'optional', 'flag', 'json', 'when'),
    fixture('lz4.parquet'),
    fixture('lz4_raw.parquet'),
    fixture('zstd.parquet'),
  ];
}

/** A Python pickle of a text, as `pickle.dumps` writes it with protocol 4. */
function pickled(value: string): Uint8Array {
  const bytes = Buffer.from(value);
  const head = Buffer.from([0x80, 0x04, 0x95, 0, 0, 0, 0, 0, 0, 0, 0, 0x58, 0, 0, 0, 0]);
  head.writeUInt32LE(bytes.length, 12);
  return new Uint8Array(Buffer.concat([head, bytes, Buffer.from([0x94, 0x2e])]));
}

export function seedsOf(): Readonly<Record<TargetName, readonly Uint8Array[]>> {
  const csv = `question;answer\r\n${ROWS.map(({ question, answer }) => `"${question}";${answer}\r\n`).join('')}`;
  const list = JSON.stringify(ROWS, null, 1);
  const events = stampEvents([runStarted(), ...finishedRunBodies().slice(1)]);
  const run = lines([runValue(events), runValue(events)]);
  const tests = pickled(JSON.stringify([{ input: '1\n', output: '2\n', testtype: 'stdin' }]));
  const batch = storedBatch('b');
  const outcomes = [outcome(true), outcome(null, { repeat: 1 })];
  const backup = backupText({ workers: [{ id: 'w' }], preferences: [DEFAULT_PREFERENCES], runs: [runValue(events)] });
  const pool = writePoolFile({ pool: null, workers: [], conductor: null, preferences: DEFAULT_PREFERENCES }, '1.0.0');
  return {
    parquet: parquetSeeds(),
    csv: [
      text(csv),
      text(`sep=,\n${csv.replaceAll(';', ',')}`),
      utf16(csv),
      new Uint8Array(Buffer.from(csv, 'latin1')),
    ],
    'csv.gz': [new Uint8Array(gzipSync(csv)), new Uint8Array(gzipSync('a,b\n1,2\n'.repeat(9000)))],
    jsonl: [text(lines(ROWS)), utf16(lines(ROWS))],
    json: [text(list), utf16(list), text(lines(ROWS))],
    pickle: [tests, pickled('Größe')],
    'private tests': [text(deflateSync(tests).toString('base64'))],
    'run file': [text(run), new Uint8Array(gzipSync(run)), utf16(run)],
    backup: [text(backup), new Uint8Array(gzipSync(backup))],
    'pool file': [text(pool), utf16(pool)],
    'batch file': [text(writeBatchFile(batch, outcomes, { app: '1.0.0', exportedAt: 0 }))],
    'outcome file': [text(lines(outcomes.map((each) => ({ outcome: each }))))],
    'runs of the command line': [text(lines([{ events }, { deleted: 'run-2' }]))],
  };
}
