/**
 * @file Converts table rows to tasks. For an unusable row, the result contains the reason. Rejects tasks that can't be graded, and
 * tasks with texts that are too long.
 */
import { GRADERS, type DatasetMap, type EvaluationTask, type TableRow } from '../../contract';
import { readPattern } from '../../graders/patterns/read-pattern';
import { readPuzzle } from '../../tasks';
import { taskByColumns } from './column-map';
import { SET_MAPS } from './maps';
import { columnsOf } from './map-problem';
import { UnfitRow } from './row-fields';

export type ReadRow =
  { readonly ok: true; readonly task: EvaluationTask } | { readonly ok: false; readonly problem: string };

/** Creates a function that converts the rows of one table. The function rejects rows with a repeated id. */
export function rowReader(map: DatasetMap): (row: TableRow, number: number) => ReadRow {
  const rowOfId = new Map<string, number>();
  return (row, number) => {
    const read = taskOf(row, number, map);
    if (!read.ok) return read;
    const { id } = read.task;
    const earlier = rowOfId.get(id);
    if (earlier !== undefined) return { ok: false, problem: `The id “${id}” is already used in row ${earlier}.` };
    rowOfId.set(id, number);
    return read;
  };
}

function taskOf(row: TableRow, number: number, map: DatasetMap): ReadRow {
  try {
    const task = map.kind === 'known' ? SET_MAPS[map.set].task(row, number) : taskByColumns(row, number, map.map);
    const problem = taskProblem(task);
    return problem === null ? { ok: true, task } : { ok: false, problem };
  } catch (thrown) {
    if (thrown instanceof UnfitRow) return { ok: false, problem: thrown.message };
    throw thrown;
  }
}

/** Maximum length of a question or a solution, in characters. A longer question does not fit into the context of most models. */
const LONGEST_QUESTION = 200_000;
/** Maximum length of a reference, in characters. A longer reference is probably damaged, or from the wrong column. */
const LONGEST_REFERENCE = 10_000;
/** Maximum length of the tests of a program, in characters. Some tests of LiveCodeBench are tens of MB long. */
const LONGEST_TESTS = 64 * 1024 * 1024;
const LONGEST_ID = 500;

/** The reason why a task is not imported, as a sentence. `null`: the task is valid. */
function taskProblem({ id, question, reference, grader, solution }: EvaluationTask): string | null {
  const { by, needs } = GRADERS[grader];
  if (question.trim() === '') return 'The question is empty.';
  if (question.length > LONGEST_QUESTION) return tooLong('question', question.length, LONGEST_QUESTION);
  if (id.length > LONGEST_ID) return tooLong('id', id.length, LONGEST_ID);
  if (grader === 'puzzle' && !readPuzzle(question)) return NO_PUZZLE;
  if (reference === undefined) return needs === 'nothing' ? null : 'The reference is missing.';
  if (reference.trim() === '') return 'The reference is empty.';
  const isProgram = by === 'sandbox';
  const longest = isProgram ? LONGEST_TESTS : LONGEST_REFERENCE;
  if (reference.length > longest) return tooLong(isProgram ? 'tests' : 'reference', reference.length, longest);
  if (solution !== undefined && solution.length > LONGEST_QUESTION) {
    return tooLong('solution', solution.length, LONGEST_QUESTION);
  }
  return grader === 'pattern' ? patternProblem(reference) : null;
}

const NO_PUZZLE = 'The question is not a puzzle that Podium can check. Choose another grader.';

function tooLong(
  what: 'question' | 'reference' | 'tests' | 'solution' | 'id',
  length: number,
  longest: number,
): string {
  const verb = what === 'tests' ? 'have' : 'has';
  return `The ${what} ${verb} ${length.toLocaleString('en')} characters. The limit is ${longest.toLocaleString('en')}.`;
}

function patternProblem(reference: string): string | null {
  const pattern = readPattern(reference);
  return pattern.ok ? null : pattern.problem;
}

/**
 * The table columns that a map reads. `undefined`: all columns. The map of a published dataset reads all
 * columns, because it doesn't list the optional ones.
 */
export function neededColumns(map: DatasetMap, names: readonly string[]): readonly string[] | undefined {
  if (map.kind === 'known') return undefined;
  const wanted = new Set(columnsOf(map.map).flatMap((column) => [column, column.split('.')[0] ?? '']));
  return names.filter((name) => wanted.has(name));
}

/** Whether the map marks its tasks as confidential. */
export function isConfidential(map: DatasetMap): boolean {
  return map.kind === 'known' ? SET_MAPS[map.set].info.isConfidential : map.map.isConfidential;
}
