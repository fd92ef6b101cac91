/**
 * @file Writes prompts as a Parquet file with the nested columns that verl (a library for training
 * with rewards) expects.
 */
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { PromptRow } from './prompt-rows';

const group = (name: string, num_children: number): SchemaElement => ({
  name,
  num_children,
  repetition_type: 'OPTIONAL',
});
const text = (name: string): SchemaElement => ({
  name,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  repetition_type: 'OPTIONAL',
});
const whole = (name: string): SchemaElement => ({ name, type: 'INT32', repetition_type: 'OPTIONAL' });

/** A list column, which consists of two nested groups in Parquet. */
const list = (name: string, ...element: readonly SchemaElement[]): readonly SchemaElement[] => [
  { ...group(name, 1), converted_type: 'LIST' },
  { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
  ...element,
];

const SCHEMA: SchemaElement[] = [
  { name: 'root', num_children: 5 },
  ...list('prompt', group('element', 2), text('role'), text('content')),
  text('label'),
  text('data_source'),
  group('reward_model', 2),
  text('ground_truth'),
  text('style'),
  group('extra_info', 4),
  whole('index'),
  text('task_id'),
  ...list('pool', text('element')),
  whole('seed'),
];

/** Number of rows in a row group. This number keeps a group below about 100 MB. */
const TOGETHER = 5000;

export class PromptTable {
  readonly #bytes = new ByteWriter();
  readonly #file = new ParquetWriter({ writer: this.#bytes, schema: SCHEMA, createdBy: 'Podium' });
  #rows: PromptRow[] = [];

  add(row: PromptRow): void {
    this.#rows.push(row);
    if (this.#rows.length >= TOGETHER) this.#flush();
  }

  /** Returns the content of the file. */
  finish(): Uint8Array {
    this.#flush();
    // The promise needs no `await`: all bytes are written before `finish` returns, because the byte writer is
    // synchronous.
    void this.#file.finish();
    return this.#bytes.getBytes();
  }

  #flush(): void {
    const rows = this.#rows;
    this.#rows = [];
    if (rows.length === 0) return;
    const columnData = [
      { name: 'prompt', data: rows.map(({ prompt }) => prompt) },
      { name: 'label', data: rows.map(({ label }) => label) },
      { name: 'data_source', data: rows.map(({ data_source }) => data_source) },
      { name: 'reward_model', data: rows.map(({ reward_model }) => reward_model) },
      { name: 'extra_info', data: rows.map(({ extra_info }) => extra_info) },
    ];
    void this.#file.write({ columnData, rowGroupSize: rows.length });
  }
}
