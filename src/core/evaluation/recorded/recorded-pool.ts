/** @file The workers of a recorded table as pool entries. Their names contain "recorded", so that it shows everywhere. */
import type { PoolWorker } from '../../contract';

const COLOURS = 9;

/** @param names of the workers in the table, each once */
export function recordedPoolWorkers(
  names: readonly string[],
  table: { readonly id: string; readonly name: string },
): PoolWorker[] {
  const marks = new Set<string>();
  return names.map((name, index) => {
    const mark = newMark(name, marks);
    marks.add(mark);
    return {
      id: `recorded:${table.id}:${name}`,
      name: `${name} (recorded)`,
      mark,
      colour: 1 + (index % COLOURS),
      kind: 'recorded',
      model: name,
      origin: null,
      price: null,
      description: `Replays what ${name} answered in the table ${table.name}. It can answer nothing else.`,
    };
  });
}

/** The first letter or digit of the name, and the first later one that makes the mark unique. */
function newMark(name: string, taken: ReadonlySet<string>): string {
  const letters = [...name.replace(/[^\p{L}\p{N}]/gu, '')];
  const [first = 'R', ...rest] = letters;
  const marks = [...rest, ...'123456789'].map((next) => `${first.toUpperCase()}${next.toLowerCase()}`);
  return marks.find((mark) => !taken.has(mark)) ?? marks[0] ?? first;
}
