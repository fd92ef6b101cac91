/** @file Statement puzzles: find out who tells the truth. */
import type { TaskFamily, TaskVerdict } from '../family';
import { listed } from '../wording';
import { allKinds, writeStatementsQuestion, fits, generateStatements, type Kinds, type Statements } from './puzzle';
import { readKinds, readStatements } from './read';
import { searchStatements, STRATEGIES } from './search';

/** An answer: for each person, whether the person is a knight. */
interface NamedKinds {
  readonly people: readonly string[];
  readonly kinds: Kinds;
}

/**
 * An answer is right if every statement is consistent with it. If there is no such answer, answers with the fewest inconsistent
 * statements are right.
 */
export const statements: TaskFamily<Statements, NamedKinds> = {
  name: 'statements',
  strategies: STRATEGIES,
  generate: generateStatements,
  writeQuestion: writeStatementsQuestion,
  read: readStatements,
  ample: ({ people, statements }) => 2 ** people.length + 6 * statements.length,
  search: (puzzle, { from, ...effort }) => {
    const attempt = searchStatements(puzzle, from ? { ...effort, from: from.kinds } : effort);
    return { ...attempt, answer: attempt.answer && { people: puzzle.people, kinds: attempt.answer } };
  },
  format: ({ people, kinds }) => people.map((name, who) => `${name} ${kinds[who] ? 'knight' : 'knave'}`).join(', '),
  readAnswer: (text, puzzle) => {
    const kinds = readKinds(text, puzzle);
    return kinds && { people: puzzle.people, kinds };
  },
  check,
};

function check(puzzle: Statements, { kinds }: NamedKinds): TaskVerdict {
  const misfits = puzzle.statements.filter((statement) => !fits(statement, kinds));
  if (misfits.length === 0) return { correct: true, detail: 'Every statement fits its speaker.', distance: 0 };
  const names = [...new Set(misfits.map(({ speaker }) => puzzle.people[speaker] ?? ''))];
  const misfit = `What ${listed(names)} ${names.length === 1 ? 'says' : 'say'} does not fit`;
  if (misfits.length <= fewestMisfits(puzzle)) {
    return { correct: true, detail: `${misfit}, and no way does better.`, distance: 0 };
  }
  return { correct: false, detail: `${misfit}.`, distance: misfits.length };
}

function fewestMisfits(puzzle: Statements): number {
  return allKinds(puzzle.people.length).reduce(
    (fewest, kinds) => Math.min(fewest, puzzle.statements.filter((statement) => !fits(statement, kinds)).length),
    Infinity,
  );
}
