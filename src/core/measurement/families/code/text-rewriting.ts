/** @file Rewrites a text by rules, a given number of times. */
import type { Definition } from '../definition';
import { drawUntil, pickOf, repeat, sampleOf } from '../draw';

export interface Rewriting {
  readonly text: string;
  readonly rules: readonly (readonly [from: string, to: string])[];
  readonly times: number;
}

interface Size {
  readonly length: number;
  readonly times: number;
}

/** Each rule makes the text shorter, or sorts two neighbours, so that no text is rewritten without end. */
const SORTING = ['ba', 'ca', 'da', 'cb', 'db', 'dc'].map((pair) => [pair, `${pair[1]}${pair[0]}`] as const);
const SHORTENING = ['aa', 'bb', 'cc', 'dd', 'ac', 'bd'].flatMap((pair) =>
  ['a', 'b', 'c', 'd'].map((letter) => [pair, letter] as const),
);

export const textRewriting: Definition<Rewriting, Size> = {
  id: 'text-rewriting',
  label: 'Rewriting a text by rules',
  domain: 'code',
  sizes: [
    { length: 10, times: 6 },
    { length: 12, times: 10 },
    { length: 16, times: 16 },
    { length: 20, times: 25 },
    { length: 26, times: 40 },
    { length: 34, times: 64 },
    { length: 42, times: 100 },
    { length: 52, times: 160 },
  ],
  form: 'text',
  draw: (random, { length, times }) =>
    drawUntil(
      () => {
        const rules = [...sampleOf(SORTING, 4, random), pickOf(SHORTENING, random)];
        const text = repeat(length, () => pickOf(['a', 'b', 'c', 'd'], random)).join('');
        return { text, rules: sampleOf(rules, rules.length, random), times };
      },
      (puzzle) => rewritten(puzzle) !== null,
    ),
  ask: ({ text, rules, times }) =>
    `A text is changed by the rules below. In each step, take the first rule in the list whose left side occurs in the text, and replace the leftmost occurrence of its left side with its right side. Which text is left after exactly ${times} steps?\n\nText: ${text}\nRules:\n${rules.map(([from, to], index) => `${index + 1}. ${from} -> ${to}`).join('\n')}`,
  answer: 'the text after these steps',
  solve: (puzzle) => rewritten(puzzle) ?? '',
  steps: ({ times }) => times,
};

/** `null`: no rule applies any more before the last step. */
function rewritten({ text, rules, times }: Rewriting): string | null {
  let current = text;
  for (let step = 0; step < times; step++) {
    const rule = rules.find(([from]) => current.includes(from));
    if (!rule) return null;
    const at = current.indexOf(rule[0]);
    current = current.slice(0, at) + rule[1] + current.slice(at + rule[0].length);
  }
  return current;
}
