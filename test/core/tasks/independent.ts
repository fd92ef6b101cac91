/**
 * @file Checks answers to puzzles without the code of the puzzle families. Tests compare the
 * results with the families' own checks. A family can word a puzzle in several ways. Only the first
 * wording is supported here.
 */

/** Evaluates an expression in the families' notation with JavaScript's own precedence. */
function evaluate(text: string): number {
  const plain = text.replaceAll('×', '*').replaceAll('÷', '/').replaceAll('−', '-');
  if (!/^[\d\s()+\-*/.]+$/.test(plain)) throw new Error(`Not an expression: ${text}`);
  return Number(new Function(`return ${plain}`)());
}

function numbersIn(text: string): number[] {
  return [...text.matchAll(/\d+/g)].map(([digits]) => Number(digits));
}

/**
 * Whether a Countdown expression reaches the target in the question and uses each number at most
 * once.
 */
function countdownHolds(question: string, answer: string): boolean {
  const numbers = numbersIn(question);
  const target = numbers.pop();
  const [expression = ''] = answer.split('=');
  const left = [...numbers];
  for (const used of numbersIn(expression)) {
    const at = left.indexOf(used);
    if (at < 0) return false;
    left.splice(at, 1);
  }
  return target !== undefined && Math.abs(evaluate(expression) - target) < 1e-9;
}

/** Whether the answer is the value of the expression in the question. */
function arithmeticHolds(question: string, answer: string): boolean {
  const value = evaluate(question.replace('What is ', '').replace('?', ''));
  return Math.abs(evaluate(answer) - value) < 1e-9;
}

/** Whether the items are in the order that the question requests. */
function orderingHolds(question: string, answer: string): boolean {
  const [request = '', list = ''] = question.replace(/\.$/, '').split(': ');
  const size = (item: string) => (/[a-z]/i.test(item) ? Date.parse(`${item} UTC`) : evaluate(item));
  const sorted = list.split(', ').sort((one, other) => size(one) - size(other));
  if (/latest first|largest first/.test(request)) sorted.reverse();
  return answer === sorted.join(', ');
}

/** Whether the coins make the amount in the question, and no smaller number of coins makes it. */
function changeHolds(question: string, answer: string): boolean {
  const [amount = 0, ...coins] = numbersIn(question);
  const [terms = ''] = answer.split('=');
  const used = terms.split('+').flatMap((term) => {
    const [count = 0, coin = 0] = numbersIn(term);
    return Array.from({ length: count }, () => coin);
  });
  if (!used.every((coin) => coins.includes(coin)) || used.reduce((sum, coin) => sum + coin, 0) !== amount) return false;
  let reached = new Set([0]);
  for (let count = 0; count < used.length; count++) {
    if (reached.has(amount)) return false;
    reached = new Set([...reached].flatMap((sum) => coins.map((coin) => sum + coin)).filter((sum) => sum <= amount));
  }
  return true;
}

/**
 * Whether every statement of a knight in the question is true, and every statement of a knave is
 * false.
 */
function statementsHold(question: string, answer: string): boolean {
  const knights = new Map(answer.split(', ').map((each) => [each.split(' ')[0] ?? '', each.endsWith('knight')]));
  const statements = [...question.matchAll(/(\w+) says: “(.+)\.”/g)];
  return statements.every(([, speaker = '', words = '']) => {
    const kindOf = (name: string) => knights.get(name === 'I' ? speaker : name);
    const names = [...words.matchAll(/\b(?:[A-Z][a-z]+|I)\b/g)]
      .map(([name]) => name)
      .filter((name) => name === 'I' || knights.has(name));
    const kinds = names.map(kindOf);
    const wanted = /knights?$/.test(words);
    const count = ['no', 'one', 'two', 'three', 'four', 'five', 'six'].indexOf(/^Exactly (\w+)/.exec(words)?.[1] ?? '');
    let truth: boolean;
    if (count >= 0) truth = [...knights.values()].filter(Boolean).length === count;
    else if (words.endsWith('the same kind')) truth = kinds[0] === kinds[1];
    else if (words.endsWith('different kinds')) truth = kinds[0] !== kinds[1];
    else if (words.startsWith('At least one')) truth = kinds.includes(wanted);
    else truth = kinds.every((kind) => kind === wanted);
    return truth === kindOf(speaker);
  });
}

/** The check for each puzzle family. */
export const INDEPENDENT: Readonly<Record<string, (question: string, answer: string) => boolean>> = {
  countdown: countdownHolds,
  arithmetic: arithmeticHolds,
  ordering: orderingHolds,
  change: changeHolds,
  statements: statementsHold,
};
