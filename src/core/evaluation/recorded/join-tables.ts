/** @file Joins tables into one, because a log has the outcomes of only one model. */
import type { Table, TableColumn } from '../../contract';

/** The rows of all tables, one table after the other. Rows are numbered through. `[first]` alone is returned as it is. */
export function joinTables([first, ...others]: readonly [Table, ...Table[]]): Table {
  if (others.length === 0) return first;
  const tables = [first, ...others];
  const { encoding: _encoding, ...table } = first;
  return {
    ...table,
    // All names, because a name can tell that a table is confidential.
    source: { kind: 'file', name: tables.map(nameOf).join(', ') },
    columns: joinColumns(tables),
    bytes: sumOf(tables.map(({ bytes }) => bytes)),
    rowCount: sumOf(tables.map(({ rowCount }) => rowCount)),
    // The first rows of all tables, so that the preview shows each model.
    preview: tables.flatMap(({ preview }) => preview.slice(0, 1)),
    async *read(signal, columns) {
      let rows = 0;
      let bytes = 0;
      for (const each of tables) {
        let last = 0;
        let read = 0;
        for await (const part of each.read(signal, columns)) {
          const numbered = <Row extends { readonly row: number }>(row: Row): Row => ({ ...row, row: row.row + rows });
          last = Math.max(last, ...part.rows.map(({ row }) => row), ...part.problems.map(({ row }) => row));
          read = part.read;
          yield { rows: part.rows.map(numbered), problems: part.problems.map(numbered), read: bytes + part.read };
        }
        rows += last;
        bytes += read;
      }
    },
  };
}

function nameOf({ source }: Table): string {
  return source.kind === 'file' ? source.name : `${source.repository}/${source.file}`;
}

/** A column that is of two kinds in two tables is `mixed`. */
function joinColumns(tables: readonly Table[]): readonly TableColumn[] {
  const columns = new Map<string, TableColumn>();
  for (const column of tables.flatMap((each) => each.columns)) {
    const known = columns.get(column.name);
    if (!known) columns.set(column.name, column);
    else if (known.kind !== column.kind) columns.set(column.name, { ...known, kind: 'mixed' });
  }
  return [...columns.values()];
}

function sumOf(values: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const value of values) {
    if (value === null) return null;
    sum += value;
  }
  return sum;
}
