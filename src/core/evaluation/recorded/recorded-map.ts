/**
 * @file The columns of a table of recorded outcomes: where a row has its question, its workers and their outcomes.
 * Published tables have one of two layouts: one row for each outcome, or one row for each task, with columns for
 * each worker.
 */
import { isRecord, parseJson, type TableRow } from '../../contract';

/** Stands for the name of a worker in the name of a column. */
export const WORKER_PLACEHOLDER = '{{worker}}';

/**
 * The columns of each part of an outcome. Dots select values inside objects: `scores.gpt-4`. If `worker` is `null`,
 * the columns of an outcome may contain `{{worker}}`: `scores.{{worker}}`, `{{worker}}_response`.
 */
export interface RecordedMap {
  /** Column of the question. `''`: not chosen yet. */
  readonly question: string;
  readonly taskId: string | null;
  readonly group: string | null;
  readonly reference: string | null;
  /** Column with the name of the worker. `null`: every row has the outcomes of all `workers`. */
  readonly worker: string | null;
  /** Names of the workers. Empty if a column has the name of the worker. */
  readonly workers: readonly string[];
  readonly answer: string | null;
  readonly score: string | null;
  /** Column of the cost in US dollars. */
  readonly usd: string | null;
  /** Columns of the time of the call, in two units. */
  readonly milliseconds: string | null;
  readonly seconds: string | null;
  /** Columns of the tokens of the prompt and of the answer. */
  readonly input: string | null;
  readonly output: string | null;
}

/** What is wrong with a map, as a sentence. `null`: it is valid. */
export function recordedMapProblem({ question, worker, workers, answer, score }: RecordedMap): string | null {
  if (question === '') return 'Choose the column of the question.';
  if (worker === null && workers.length === 0) {
    return 'Choose the column with the name of the worker. If the table has columns for each worker, enter the names of the workers.';
  }
  const outcomes = [answer, score].filter((path) => path !== null && path !== '');
  if (outcomes.length === 0) return 'Choose the column of the score or of the answer.';
  if (worker === null && workers.length > 1 && !outcomes.some((path) => path?.includes(WORKER_PLACEHOLDER))) {
    return `Every worker would have the same outcome. Write ${WORKER_PLACEHOLDER} in the column of the score or of the answer, where the name of the worker stands.`;
  }
  return null;
}

/** Reads the values of one row. */
export class RowValues {
  readonly #row: TableRow;
  /** The texts that were parsed as objects, because CSV files have objects only as texts. */
  readonly #parsed = new Map<string, unknown>();

  constructor(row: TableRow) {
    this.#row = row;
  }

  /** The value of a column, or of a path into a column. `undefined`: there is no such value. */
  at(path: string): unknown {
    return this.#find(this.#row, path);
  }

  /** Names may contain dots, such as `llama-3.1`. So each part of the path may have several names between dots. */
  #find(value: unknown, path: string): unknown {
    const object = typeof value === 'string' ? this.#parse(value) : value;
    if (!isRecord(object)) return undefined;
    if (Object.hasOwn(object, path)) return object[path];
    for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      const name = path.slice(0, dot);
      if (!Object.hasOwn(object, name)) continue;
      const found = this.#find(object[name], path.slice(dot + 1));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #parse(text: string): unknown {
    if (!this.#parsed.has(text)) this.#parsed.set(text, parsedObject(text));
    return this.#parsed.get(text);
  }
}

/** Reads the text of an object in JSON, or as Python prints a dictionary. `undefined`: the text is no such object. */
export function parsedObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return undefined;
  const value = parseJson(trimmed) ?? parseJson(jsonOfPython(trimmed));
  return isRecord(value) ? value : undefined;
}

const PYTHON_TOKEN = /'((?:[^'\\]|\\.)*)'|"(?:[^"\\]|\\.)*"|\b(?:True|False|None|nan)\b/g;
const PYTHON_WORDS: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null', nan: 'null' };

function jsonOfPython(text: string): string {
  return text.replaceAll(PYTHON_TOKEN, (token, quoted: string | undefined) =>
    quoted === undefined ? (PYTHON_WORDS[token] ?? token) : `"${quoted.replaceAll("\\'", "'").replaceAll('"', '\\"')}"`,
  );
}
