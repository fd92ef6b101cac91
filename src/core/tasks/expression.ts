/**
 * @file Finds arithmetic expressions in free text, parses them with precedence, evaluates them exactly, and formats
 * them with as few brackets as possible.
 */
import { calculate, rationalText, readRational, type Operator, type Rational } from './rational';

export type Expression =
  | { readonly kind: 'number'; readonly value: Rational }
  | {
      readonly kind: 'operation';
      readonly operator: Operator;
      readonly left: Expression;
      readonly right: Expression;
    };

interface FoundExpression {
  readonly expression: Expression;
  readonly start: number;
  readonly end: number;
}

interface Token {
  readonly text: string;
  readonly start: number;
}

const PRECEDENCE: Record<Operator, number> = { '+': 1, '-': 1, '*': 2, '/': 2 };
export const SIGNS: Record<Operator, string> = { '+': '+', '-': '−', '*': '×', '/': '÷' };
/** Maximum number of tokens. Longer expressions are ignored, which also bounds the depth of recursion. */
const MAX_TOKENS = 200;

export function numberExpression(value: Rational): Expression {
  return { kind: 'number', value };
}

export function operation(operator: Operator, left: Expression, right: Expression): Expression {
  return { kind: 'operation', operator, left, right };
}

/** The exact value, or `null` if the expression divides by zero. */
export function valueOf(expression: Expression): Rational | null {
  if (expression.kind === 'number') return expression.value;
  const left = valueOf(expression.left);
  const right = valueOf(expression.right);
  return left && right ? calculate(expression.operator, left, right) : null;
}

/** The numbers, from left to right. */
export function leavesOf(expression: Expression): Rational[] {
  return expression.kind === 'number'
    ? [expression.value]
    : [...leavesOf(expression.left), ...leavesOf(expression.right)];
}

/** Every operation, inner ones first. */
export function operationsOf(expression: Expression): Extract<Expression, { kind: 'operation' }>[] {
  return expression.kind === 'number'
    ? []
    : [...operationsOf(expression.left), ...operationsOf(expression.right), expression];
}

/** Writes an expression, for example `7 × (50 + 25) + 8 + 4`. */
export function expressionText(expression: Expression): string {
  if (expression.kind === 'number') {
    const text = rationalText(expression.value);
    return expression.value.bottom === 1n && expression.value.top >= 0n ? text : `(${text})`;
  }
  const { operator, left, right } = expression;
  const own = PRECEDENCE[operator];
  const leftText = bracketed(left, precedenceOf(left) < own);
  const rightNeeds =
    precedenceOf(right) < own || (precedenceOf(right) === own && (operator === '-' || operator === '/'));
  return `${leftText} ${SIGNS[operator]} ${bracketed(right, rightNeeds)}`;
}

function bracketed(expression: Expression, needed: boolean): string {
  return needed ? `(${expressionText(expression)})` : expressionText(expression);
}

function precedenceOf(expression: Expression): number {
  return expression.kind === 'number' ? 3 : PRECEDENCE[expression.operator];
}

/** Writes one operation with its result, for example `50 + 25 = 75`. */
export function operationText(expression: Extract<Expression, { kind: 'operation' }>): string {
  const [left, right, result] = [valueOf(expression.left), valueOf(expression.right), valueOf(expression)];
  const show = (value: Rational | null) => (value ? rationalText(value) : '?');
  return `${show(left)} ${SIGNS[expression.operator]} ${show(right)} = ${show(result)}`;
}

/** Every expression in a text tidied by `tidyQuestion` or `tidyAnswer`, in order. A single number counts as an expression. */
export function findExpressions(plain: string): FoundExpression[] {
  const found: FoundExpression[] = [];
  let run: Token[] = [];
  const flush = () => {
    const each = readRun(run);
    if (each) found.push(each);
    run = [];
  };
  for (const match of plain.matchAll(/\d+(?:\.\d+)?|[-+*/()]|[A-Za-z]+|\n|[^\s]/g)) {
    const text = /^[xX]$/.test(match[0]) ? '*' : match[0];
    if (/^(?:\d|[-+*/()]$)/.test(text)) run.push({ text, start: match.index });
    else flush();
  }
  flush();
  return found;
}

function readRun(run: readonly Token[]): FoundExpression | null {
  if (run.length === 0 || run.length > MAX_TOKENS) return null;
  const tokens = trimmed(withoutLoneBrackets(run));
  const expression = parse(withProducts(tokens));
  const [first, last] = [tokens[0], tokens[tokens.length - 1]];
  return expression && first && last ? { expression, start: first.start, end: last.start + last.text.length } : null;
}

/** Removes unmatched brackets, which belong to the sentence around the expression. */
function withoutLoneBrackets(run: readonly Token[]): Token[] {
  const open: number[] = [];
  const lone = new Set<number>();
  for (const [index, token] of run.entries()) {
    if (token.text === '(') open.push(index);
    if (token.text === ')' && open.pop() === undefined) lone.add(index);
  }
  for (const index of open) lone.add(index);
  return run.filter((_, index) => !lone.has(index));
}

function trimmed(run: readonly Token[]): Token[] {
  const isLoose = (token: Token | undefined) => token !== undefined && /^[-+*/]$/.test(token.text);
  let [from, to] = [0, run.length];
  while (isLoose(run[from]) && (run[from]?.text !== '-' || isLoose(run[from + 1]))) from++;
  while (to > from && isLoose(run[to - 1])) to--;
  return run.slice(from, to);
}

/** Inserts the implicit multiplication of `7(50 + 25)`. */
function withProducts(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token, index) => {
    const before = tokens[index - 1]?.text ?? '';
    return token.text === '(' && /^[\d)]/.test(before) ? ['*', '('] : [token.text];
  });
}

/** Dijkstra's shunting-yard algorithm. It is linear and does not recurse over untrusted input. */
function parse(tokens: readonly string[]): Expression | null {
  const values: Expression[] = [];
  const operators: (Operator | '(')[] = [];
  const reduce = (): boolean => {
    const operator = operators.pop();
    const right = values.pop();
    const left = values.pop();
    if (operator === undefined || operator === '(' || !left || !right) return false;
    values.push(operation(operator, left, right));
    return true;
  };
  let expectsValue = true;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] ?? '';
    if (expectsValue) {
      const negative = token === '-' && /^\d/.test(tokens[index + 1] ?? '');
      const value = readRational(negative ? `-${tokens[++index] ?? ''}` : token);
      if (value) {
        values.push(numberExpression(value));
        expectsValue = false;
      } else if (token === '(') operators.push('(');
      else return null;
      continue;
    }
    if (token === ')') {
      while (operators.length > 0 && operators[operators.length - 1] !== '(') if (!reduce()) return null;
      if (operators.pop() !== '(') return null;
    } else if (isOperator(token)) {
      for (
        let top = operators.at(-1);
        top && top !== '(' && PRECEDENCE[top] >= PRECEDENCE[token];
        top = operators.at(-1)
      )
        if (!reduce()) return null;
      operators.push(token);
      expectsValue = true;
    } else return null;
  }
  if (expectsValue) return null;
  while (operators.length > 0) if (!reduce()) return null;
  return values.length === 1 ? (values[0] ?? null) : null;
}

function isOperator(token: string): token is Operator {
  return token === '+' || token === '-' || token === '*' || token === '/';
}
