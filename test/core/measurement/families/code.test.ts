import { patternMatches } from '../../../../src/core/measurement/families/code/pattern-matches';
import { programOutput } from '../../../../src/core/measurement/families/code/program-output';
import { sortState } from '../../../../src/core/measurement/families/code/sort-state';
import { stackMachine } from '../../../../src/core/measurement/families/code/stack-machine';
import { textRewriting } from '../../../../src/core/measurement/families/code/text-rewriting';
import { describeFamily } from './describe-family';

/** Runs the program in a question, and returns what it prints. */
function printed(question: string): string {
  const program = question.slice(question.indexOf('\n\n'), question.lastIndexOf('\n\n'));
  const lines: string[] = [];
  new Function('console', program)({ log: (...parts: unknown[]) => lines.push(parts.join(', ')) });
  return lines.join('\n');
}

describeFamily(programOutput, (_, { question }) => printed(question));

describeFamily(sortState, (_, { question }) => printed(question));

describeFamily(stackMachine, (_, { question }) => {
  // Reads the program from the question, and keeps the stack as text.
  let stack = '';
  for (const line of question.split('\n\n').at(-2)?.split('\n') ?? []) {
    const [, one = '', two = '', three = '', rest = ''] = /^(\d*),?(\d*),?(\d*),?(.*)$/.exec(stack) ?? [];
    const below = [three, rest].filter((each) => each !== '').join(',');
    const result: Record<string, () => string> = {
      add: () => [`${(Number(one) + Number(two)) % 100}`, below].filter((each) => each !== '').join(','),
      multiply: () => [`${(Number(one) * Number(two)) % 100}`, below].filter((each) => each !== '').join(','),
      subtract: () => [`${Math.abs(Number(one) - Number(two))}`, below].filter((each) => each !== '').join(','),
      dup: () => `${one},${stack}`,
      swap: () => [two, one, below].filter((each) => each !== '').join(','),
      rotate: () => [three, one, two, rest].filter((each) => each !== '').join(','),
    };
    stack = result[line]?.() ?? [line.replace('push ', ''), stack].filter((each) => each !== '').join(',');
  }
  return `Top to bottom: ${stack}`.replace('Top to bottom: ', '');
});

describeFamily(textRewriting, (_, { question }) => {
  // Reads the rules from the question, and applies them as one regular expression after the other.
  let [, text = ''] = /Text: (\w+)/.exec(question) ?? [];
  const rules = [...question.matchAll(/^\d+\. (\w+) -> (\w+)$/gm)];
  for (let left = Number(/exactly (\d+) steps/.exec(question)?.[1]); left > 0; left--) {
    const before = text;
    for (const [, from = '', to = ''] of rules) {
      text = text.replace(new RegExp(from), to);
      if (text !== before) break;
    }
  }
  return text;
});

describeFamily(patternMatches, (_, { question }) => {
  const pattern = new RegExp(/expression (\S+) match/.exec(question)?.[1] ?? '');
  const matching = [...question.matchAll(/^(\d+): (\w+)$/gm)].filter(([, , text = '']) => pattern.test(text));
  return matching
    .map(([, place]) => place)
    .toReversed()
    .join(' and ');
});
