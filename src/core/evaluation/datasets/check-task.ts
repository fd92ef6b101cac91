/** @file Checks a task before it is imported. Rejects tasks that can't be graded, and tasks with texts that are too long. */
import { GRADERS, type EvaluationTask } from '../../contract';
import { readPattern } from '../../graders/patterns/read-pattern';
import { readPuzzle } from '../../tasks';

/** Maximum length of a question or a solution, in characters. A longer question does not fit into the context of most models. */
const LONGEST_QUESTION = 200_000;
/** Maximum length of a reference, in characters. A longer reference is probably damaged, or from the wrong column. */
const LONGEST_REFERENCE = 10_000;
/** Maximum length of the tests of a program, in characters. Some tests of LiveCodeBench are tens of MB long. */
const LONGEST_TESTS = 64 * 1024 * 1024;
const LONGEST_ID = 500;

/** The reason why a task is not imported, as a sentence. `null`: the task is valid. */
export function taskProblem({ id, question, reference, grader, solution }: EvaluationTask): string | null {
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
