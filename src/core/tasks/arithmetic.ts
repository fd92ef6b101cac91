/** @file Arithmetic puzzles: evaluate an expression with operator precedence. */
import { randomIndex, type Random } from '../contract';
import {
  expressionText,
  findExpressions,
  numberExpression,
  operation,
  operationsOf,
  SIGNS,
  valueOf,
  type Expression,
} from './expression';
import type { SearchOutcome, Effort, Strategy, TaskFamily, TaskVerdict } from './family';
import {
  calculate,
  compare,
  NUMBER_PATTERN,
  rational,
  rationalText,
  readRational,
  toNumber,
  whole,
  type Operator,
  type Rational,
} from './rational';
import { afterAnswer, pick, tidyAnswer, tidyQuestion } from './wording';

/** The expression never divides by zero. */
interface Arithmetic {
  readonly expression: Expression;
}

const STRATEGIES = [
  {
    name: 'precedence',
    advice: 'Work out the brackets first, then × and ÷, then + and −.',
    wording:
      /\bbrackets? first\b|\bprecedence\b|\border of operations\b|\bparenthes[ei]s first\b|\bbefore (?:adding|addition)\b/i,
  },
  {
    name: 'twice',
    advice: 'Do every operation twice, × and ÷ ahead of + and −.',
    wording: /\btwice\b|\bdouble[- ]check\b|\bevery operation\b/i,
  },
  {
    name: 'left-to-right',
    advice: 'Go through it from left to right.',
    wording: /\b(?:from )?left to right\b/i,
  },
] as const satisfies readonly [Strategy, ...Strategy[]];

export const arithmetic: TaskFamily<Arithmetic, Rational> = {
  name: 'arithmetic',
  strategies: STRATEGIES,
  generate,
  writeQuestion: ({ expression }, random) => {
    const text = expressionText(expression);
    return pick(
      [
        `What is ${text}?`,
        `Work out ${text}.`,
        `Calculate ${text} and give the exact value.`,
        `How much is ${spelledOut(text)}?`,
      ],
      random,
    );
  },
  read,
  ample: ({ expression }) => 2 * operationsOf(expression).reduce((sum, each) => sum + costOfOperation(each), 0),
  search,
  format: rationalText,
  readAnswer,
  check,
};

/** Spells out +, × and ÷. An expression with brackets is not changed, because it would be ambiguous in words. */
function spelledOut(text: string): string {
  return text.includes('(')
    ? text
    : text.replaceAll('+', 'plus').replaceAll('×', 'times').replaceAll('÷', 'divided by');
}

function generate(random: Random, difficulty: number): Arithmetic {
  const leaves = 3 + Math.round(difficulty * 3) + randomIndex(random, 2);
  return { expression: grow(leaves, random, difficulty) };
}

/** Generates a random expression whose intermediate results are all integers. */
function grow(leaves: number, random: Random, difficulty: number): Expression {
  if (leaves === 1) return numberExpression(whole(2 + randomIndex(random, difficulty > 0.5 ? 48 : 18)));
  const leftLeaves = 1 + randomIndex(random, leaves - 1);
  const left = grow(leftLeaves, random, difficulty);
  const right = grow(leaves - leftLeaves, random, difficulty);
  const operators: readonly Operator[] = ['+', '-', '*', '/'];
  const operator = operators[randomIndex(random, 4)] ?? '+';
  const [one, other] = [valueOf(left), valueOf(right)];
  const size = one && other ? Math.abs(toNumber(one) * toNumber(other)) : Infinity;
  if (operator === '*' && size > 20_000) return operation('+', left, right);
  if (operator === '/') {
    const divides = one && other && other.top > 1n && one.top % other.top === 0n && one.top !== 0n;
    return operation(divides ? '/' : '-', left, right);
  }
  return operation(operator, left, right);
}

const TRIGGER =
  /\b(?:what(?:'s| is| does)|work out|calculate|compute|evaluate|how much is|value of|result of|solve|simplify|do the sum)\b|= {0,3}\??\s*$/i;
/** Text that may follow the expression without changing the question. */
const FOLLOWING =
  /^(?:[\s.,;:?!=")]|\b(?:equals?|to|come|please|exactly|and|give|the|your|an|as|exact|whole|number|fraction|value|answer|result|in|lowest|terms)\b)*$/i;

/** Reads a question that asks for the value of exactly one expression. */
function read(text: string): Arithmetic | null {
  const plain = tidyQuestion(text);
  if (plain === null || /\b\d{4}-\d{2}-\d{2}\b/.test(plain)) return null;
  const joined = findExpressions(plain).filter(({ expression }) => expression.kind === 'operation');
  const [only] = joined;
  if (!only || joined.length > 1) return null;
  const { expression, start, end } = only;
  const alone = /^[\s"(]*$/.test(plain.slice(0, start));
  if (!alone && !TRIGGER.test(plain)) return null;
  if (!FOLLOWING.test(plain.slice(end)) || operationsOf(expression).length > 40) return null;
  const value = valueOf(expression);
  return value && digits(value) < 40 ? { expression } : null;
}

function digits(value: Rational): number {
  return `${value.top}${value.bottom}`.length;
}

/**
 * Number of steps that an operation takes. Counts the digits of each operand, in its numerator and its
 * denominator. A sum or difference takes one step for each digit. A product or quotient takes twice the
 * product of the two digit counts.
 */
function costOfOperation({ operator, left, right }: Extract<Expression, { kind: 'operation' }>): number {
  const [one, other] = [left, right].map((side) => digits(valueOf(side) ?? whole(0)));
  return operator === '+' || operator === '-' ? (one ?? 1) + (other ?? 1) : 2 * (one ?? 1) * (other ?? 1);
}

function search({ expression }: Arithmetic, effort: Effort<Rational>): SearchOutcome<Rational> {
  const twice = effort.strategy === 'twice';
  const tree = effort.strategy === 'left-to-right' ? leftToRight(expression) : expression;
  const count = operationsOf(tree).length;
  // A careless mistake gives one operation a wrong result. Doing each operation twice catches most of these mistakes.
  const makesSlip = effort.random() < (effort.slip ?? 0) * (twice ? 0.3 : 1);
  const slipAt = makesSlip ? randomIndex(effort.random, count) : -1;
  let left = effort.steps;
  let done = 0;
  let isEstimate = false;
  const work: string[] = [];
  const evaluateNode = (node: Expression): Rational | null => {
    if (node.kind === 'number') return node.value;
    const [one, other] = [evaluateNode(node.left), evaluateNode(node.right)];
    const exact = one && other ? calculate(node.operator, one, other) : null;
    if (!one || !other || !exact) return null;
    left -= costOfOperation({ ...node, left: numberExpression(one), right: numberExpression(other) }) * (twice ? 2 : 1);
    const estimated = left < 0;
    isEstimate ||= estimated;
    const result = done++ === slipAt ? miscounted(exact, effort.random) : estimated ? rounded(exact) : exact;
    const sign = SIGNS[node.operator];
    work.push(`$${rationalText(one)} ${sign} ${rationalText(other)} ${estimated ? '≈' : '='} ${rationalText(result)}$`);
    return result;
  };
  const answer = evaluateNode(tree);
  if (!answer) return { answer: null, exact: false, work: ['I came to a division by zero.'] };
  const lines = [`${work.slice(-8).join(', ')}.`];
  return { answer, exact: !isEstimate, work: isEstimate ? [...lines, 'The last of it is an estimate.'] : lines };
}

/** The expression that results if precedence and brackets are ignored. */
function leftToRight(expression: Expression): Expression {
  const tokens: (Rational | Operator)[] = [];
  const flatten = (node: Expression) => {
    if (node.kind === 'number') tokens.push(node.value);
    else {
      flatten(node.left);
      tokens.push(node.operator);
      flatten(node.right);
    }
  };
  flatten(expression);
  let tree: Expression | null = null;
  let operator: Operator | null = null;
  for (const token of tokens) {
    if (typeof token === 'string') operator = token;
    else tree = tree && operator ? operation(operator, tree, numberExpression(token)) : numberExpression(token);
  }
  return tree ?? expression;
}

function miscounted(value: Rational, random: Random): Rational {
  const off = [1, -1, 2, 10, -10][randomIndex(random, 5)] ?? 1;
  return calculate('+', value, whole(off)) ?? value;
}

/** Rounds to an integer with at most two significant digits. */
function rounded(value: Rational): Rational {
  const number = toNumber(value);
  if (number === 0 || !Number.isFinite(number)) return value;
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.abs(number))) - 1);
  return rational(Math.round(number / unit) * unit) ?? value;
}

/**
 * Reads the final answer. If the text has a line after "answer:", the number after the last equals sign of this line
 * is the answer, or else the first number of the line. If the line is missing or has no number, the number after the
 * last equals sign of the whole text is the answer, or else the last number of the text.
 */
function readAnswer(text: string): Rational | null {
  const plain = tidyAnswer(text)
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .replace(/\((-?\d{1,12})\)\/\((-?\d{1,12})\)/g, '$1/$2')
    .replace(/\b(?:step|response|answer) #?\d{1,3}\b/gi, ' ')
    .replace(/(?<=\d) {0,2}\/ {0,2}(?=\d)/g, '/');
  const line = afterAnswer(plain)?.trim().split('\n')[0] ?? '';
  const marked = afterEqualsSign(line) ?? numbersIn(line)[0];
  return marked ?? afterEqualsSign(plain) ?? numbersIn(plain).at(-1) ?? null;
}

function afterEqualsSign(plain: string): Rational | undefined {
  const at = plain.lastIndexOf('=');
  return at < 0 ? undefined : numbersIn(plain.slice(at + 1))[0];
}

function numbersIn(plain: string): Rational[] {
  return [...plain.matchAll(NUMBER_PATTERN)].flatMap(([text]) => readRational(text.replaceAll('%', '')) ?? []);
}

function check({ expression }: Arithmetic, answer: Rational): TaskVerdict {
  const value = valueOf(expression);
  const order = value ? compare(answer, value) : 1;
  if (!value || order === 0) {
    return { correct: value !== null, detail: `It comes to ${rationalText(answer)}.`, distance: value ? 0 : Infinity };
  }
  const distance = Math.min(Math.abs(toNumber(answer) - toNumber(value)), 1e6);
  return { correct: false, detail: `${rationalText(answer)} is too ${order < 0 ? 'small' : 'large'}.`, distance };
}
