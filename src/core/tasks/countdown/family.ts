/** @file Countdown puzzles: reach a target number from a few given numbers. */
import { expressionText, findExpressions, leavesOf, operationsOf, valueOf, type Expression } from '../expression';
import { RULE_BROKEN, type TaskFamily, type TaskVerdict } from '../family';
import { compare, rationalText, toNumber, whole, type Rational } from '../rational';
import { afterAnswer, tidyAnswer } from '../wording';
import { writeCountdownQuestion, generateCountdown, readCountdown, type Countdown } from './puzzle';
import { nearestDistance } from './reach';
import { searchCountdown, STRATEGIES } from './search';

/** If the target can't be reached, the nearest reachable value counts as correct. */
export const countdown: TaskFamily<Countdown, Expression> = {
  name: 'countdown',
  strategies: STRATEGIES,
  generate: generateCountdown,
  writeQuestion: writeCountdownQuestion,
  read: readCountdown,
  ample: ({ numbers }) => AMPLE[numbers.length] ?? 100,
  search: searchCountdown,
  format: formatAnswer,
  readAnswer,
  check,
};

/**
 * Number of search steps that usually suffices, keyed by how many numbers the puzzle gives. In measurements, this many
 * steps solved more than 95 % of the generated puzzles.
 */
const AMPLE: Record<number, number> = { 2: 20, 3: 200, 4: 2_400, 5: 10_000, 6: 14_000 };

function formatAnswer(expression: Expression): string {
  const value = valueOf(expression);
  return value && expression.kind === 'operation'
    ? `${expressionText(expression)} = ${rationalText(value)}`
    : expressionText(expression);
}

/**
 * Returns the last expression with an operation. Expressions that follow the puzzle's rules take precedence. The text
 * after "answer:" is searched first. If this part has no operation, its first number is returned. If this part has no
 * number either, the whole text is searched for an expression with an operation.
 */
function readAnswer(text: string, puzzle: Countdown): Expression | null {
  const plain = tidyAnswer(text);
  const marked = lastExpression(afterAnswer(plain) ?? '', puzzle, true);
  return marked ?? lastExpression(plain, puzzle, false);
}

function lastExpression(plain: string, puzzle: Countdown, alone: boolean): Expression | null {
  const found = findExpressions(plain).map((each) => each.expression);
  const joined = found.filter((expression) => operationsOf(expression).length > 0);
  const fitting = joined.filter((expression) => brokenRule(expression, puzzle) === null);
  const single = alone ? found.filter((expression) => expression.kind === 'number')[0] : undefined;
  return fitting.at(-1) ?? joined.at(-1) ?? single ?? null;
}

function check(puzzle: Countdown, answer: Expression): TaskVerdict {
  const broken = brokenRule(answer, puzzle);
  if (broken) return { correct: false, detail: broken, distance: RULE_BROKEN };
  const value = valueOf(answer);
  if (!value) return { correct: false, detail: 'It divides by zero.', distance: RULE_BROKEN };
  const target = whole(puzzle.target);
  if (compare(value, target) === 0) {
    return { correct: true, detail: `It makes ${puzzle.target}, and no number is used too often.`, distance: 0 };
  }
  const gap = Math.abs(toNumber(value) - puzzle.target);
  const side = compare(value, target) < 0 ? 'short of' : 'past';
  const result = `It makes ${rationalText(value)}, ${Math.round(gap * 100) / 100} ${side} ${puzzle.target}`;
  const nearest = nearestDistance(puzzle);
  if (nearest > 0 && gap <= nearest) {
    return { correct: true, detail: `${result}. No closer whole number can be reached.`, distance: 0 };
  }
  return {
    correct: false,
    detail: nearest === 0 ? `${result}.` : `${result}. A closer result is possible.`,
    distance: gap,
  };
}

/** Returns a sentence about the first rule that the answer breaks, or `null` if it breaks none. */
function brokenRule(answer: Expression, puzzle: Countdown): string | null {
  const left: (Rational | null)[] = puzzle.numbers.map((number) => whole(number));
  for (const leaf of leavesOf(answer)) {
    const at = left.findIndex((number) => number !== null && compare(number, leaf) === 0);
    if (at < 0) {
      const given = puzzle.numbers.some((number) => compare(whole(number), leaf) === 0);
      return `It uses ${rationalText(leaf)} ${given ? 'more often than it is given' : 'which is not given'}.`;
    }
    left[at] = null;
  }
  const unused = left.find((number) => number !== null);
  return puzzle.every && unused ? `It leaves out ${rationalText(unused)}.` : null;
}
