/**
 * @file Makes pool workers for a recorded table, which is a dataset with recorded answers of workers. The
 * names of the pool workers contain "recorded", so that users recognize them everywhere.
 */
import type { PoolWorker } from '../../contract';

const COLOURS = 9;
const PREFIX = 'recorded:';

/** The recorded workers of a table. @param names names of the workers in the table, each once */
export function recordedPoolWorkers(
  names: readonly string[],
  table: { readonly id: string; readonly name: string },
): PoolWorker[] {
  const marks = new Set<string>();
  return names.map((name, index) => {
    const mark = newMark(name, marks);
    marks.add(mark);
    return {
      id: recordedWorkerId(table.id, name),
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

/** The id of the pool worker for a worker of a table. @param name its name in the table */
export function recordedWorkerId(datasetId: string, name: string): string {
  return `${PREFIX}${datasetId}:${name}`;
}

/** The id of the dataset whose answers a recorded worker replays. */
export function datasetIdOf({ id, model }: Pick<PoolWorker, 'id' | 'model'>): string {
  return id.slice(PREFIX.length, -(model.length + 1));
}

/**
 * A mark of two characters that is not in `used`. It begins with the first letter or digit of the name. The second character
 * is from the rest of the name, or else a digit from 1 to 9. If all these marks are used, two workers share a mark.
 */
function newMark(name: string, used: ReadonlySet<string>): string {
  const letters = [...name.replace(/[^\p{L}\p{N}]/gu, '')];
  const [first = 'R', ...rest] = letters;
  const marks = [...rest, ...'123456789'].map((next) => `${first.toUpperCase()}${next.toLowerCase()}`);
  return marks.find((mark) => !used.has(mark)) ?? marks[0] ?? first;
}
