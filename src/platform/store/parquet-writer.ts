/** @file Writes rows as Parquet, one row group at a time, so that only one group and the footer are in memory. */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { SchemaElement } from 'hyparquet';
import type { Cell, ColumnType, FileColumn } from '../../core/contract';

/** Maximum number of rows in a row group. */
const MOST_ROWS = 20_000;
/** A row group is also written when its texts together have this many UTF-16 units. */
const MOST_TEXT = 8 * 1024 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;
type Row = readonly Cell[];

export class TableWriter {
  readonly #columns: readonly FileColumn[];
  readonly #bytes = new ByteWriter();
  readonly #file: ParquetWriter;
  #rows: Row[] = [];
  #text = 0;

  /** @param columns the columns of every row. The metadata of the file lists them under `podium.columns` */
  constructor(columns: readonly FileColumn[]) {
    this.#columns = columns;
    this.#file = new ParquetWriter({
      writer: this.#bytes,
      schema: [{ name: 'root', num_children: columns.length }, ...columns.map(elementOf)],
      createdBy: 'Podium',
      kvMetadata: [{ key: 'podium.columns', value: JSON.stringify(columns) }],
    });
  }

  /** @returns the next bytes of the file, or `null` while the row group is not full */
  add(row: Row): Bytes | null {
    this.#rows.push(row);
    for (const cell of row) if (typeof cell === 'string') this.#text += cell.length;
    return this.#rows.length >= MOST_ROWS || this.#text >= MOST_TEXT ? this.#group() : null;
  }

  /** @returns the rest of the file */
  finish(): Bytes {
    const last = this.#group();
    // `ByteWriter` is synchronous, so `finish` and `write` are complete when they return.
    void this.#file.finish();
    return joined(last, this.#written());
  }

  #group(): Bytes {
    const rows = this.#rows;
    this.#rows = [];
    this.#text = 0;
    if (rows.length > 0) {
      const columnData = this.#columns.map(({ name, type }, index) => ({
        name,
        data: rows.map((row) => valueOf(type, row[index] ?? null)),
      }));
      void this.#file.write({ columnData, rowGroupSize: rows.length });
    }
    return this.#written();
  }

  /**
   * The bytes written since the last call. Empties the buffer by resetting `index`. The `offset` of `ByteWriter` is not reset,
   * because it counts from the beginning of the file.
   */
  #written(): Bytes {
    const bytes = new Uint8Array(this.#bytes.getBuffer());
    this.#bytes.index = 0;
    return bytes;
  }
}

function joined(one: Bytes, other: Bytes): Bytes {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}

function elementOf({ name, type }: FileColumn): SchemaElement {
  return { name, repetition_type: 'OPTIONAL', ...KINDS[type] };
}

const KINDS: Readonly<Record<ColumnType, Partial<SchemaElement>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
};

function valueOf(type: ColumnType, cell: Cell): unknown {
  if (cell === null) return null;
  switch (type) {
    case 'integer':
      return typeof cell === 'number' ? BigInt(Math.round(cell)) : null;
    case 'time':
      return typeof cell === 'number' ? new Date(cell) : null;
    case 'text':
    case 'json':
    case 'number':
    case 'boolean':
      return cell;
    default:
      return type satisfies never;
  }
}
