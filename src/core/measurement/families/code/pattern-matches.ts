/** @file Finds the texts that a regular expression matches completely. */
import type { Random } from '../../../contract';
import type { Definition } from '../definition';
import { between, drawUntil, pickOf, repeat } from '../draw';

/** One of several texts, repeated as the mark says. */
interface Part {
  readonly options: readonly string[];
  readonly mark: '' | '?' | '*' | '+' | '{2}';
}

export interface PatternMatches {
  readonly parts: readonly Part[];
  readonly texts: readonly string[];
}

const LETTERS = ['a', 'b', 'c'];
/** The least and the greatest number of repetitions. Generated texts are short, so 12 is without limit. */
const REPETITIONS: Readonly<Record<Part['mark'], readonly [number, number]>> = {
  '': [1, 1],
  '?': [0, 1],
  '*': [0, 12],
  '+': [1, 12],
  '{2}': [2, 2],
};

export const patternMatches: Definition<PatternMatches> = {
  id: 'pattern-matches',
  label: 'Matches of a regular expression',
  domain: 'code',
  // The number of texts.
  sizes: [6, 10, 16, 25, 40, 64, 100, 160],
  form: 'set',
  draw: (random, count) =>
    drawUntil(
      () => drawMatches(random, count),
      (puzzle) => {
        const share = matching(puzzle).length / count;
        return share > 0.3 && share < 0.7;
      },
    ),
  ask: ({ parts, texts }) =>
    `Which of the numbered texts does the regular expression ^${parts.map(written).join('')}$ match?\n\n${texts.map((text, index) => `${index + 1}: ${text}`).join('\n')}`,
  answer: 'the list of the numbers of all matching texts, separated by commas',
  solve: (puzzle) => matching(puzzle).join(', '),
  steps: ({ texts }) => texts.length,
};

function drawMatches(random: Random, count: number): PatternMatches {
  const parts = repeat(between(random, 4, 5), (): Part => ({
    options: repeat(between(random, 1, 2), () => repeat(between(random, 1, 2), () => pickOf(LETTERS, random)).join('')),
    mark: pickOf(['', '?', '*', '+', '{2}'] as const, random),
  }));
  return { parts, texts: repeat(count, () => drawText(random, parts)) };
}

/** A text that the parts match, and in half of the cases one that has a letter changed. */
function drawText(random: Random, parts: readonly Part[]): string {
  const text = parts
    .map(({ options, mark }) => {
      const [least, most] = REPETITIONS[mark];
      return repeat(between(random, least, Math.min(most, 3)), () => pickOf(options, random)).join('');
    })
    .join('');
  if (text === '') return pickOf(LETTERS, random);
  const at = between(random, 0, text.length - 1);
  return random() < 0.5 ? text : text.slice(0, at) + pickOf(LETTERS, random) + text.slice(at + 1);
}

function written({ options, mark }: Part): string {
  const [first = ''] = options;
  const isOne = options.length === 1 && (first.length === 1 || mark === '');
  return `${isOne ? first : `(${options.join('|')})`}${mark}`;
}

/** The numbers of the matching texts, from 1. */
function matching({ parts, texts }: PatternMatches): readonly number[] {
  return texts.flatMap((text, index) => (matches(parts, text) ? [index + 1] : []));
}

/** Follows all places of the text at which a part can end. */
function matches(parts: readonly Part[], text: string): boolean {
  let places: ReadonlySet<number> = new Set([0]);
  for (const { options, mark } of parts) {
    const [least, most] = REPETITIONS[mark];
    const ends = new Set(least === 0 ? places : []);
    for (let count = 1; count <= Math.min(most, text.length); count++) {
      places = new Set(
        [...places].flatMap((place) =>
          options.filter((option) => text.startsWith(option, place)).map((option) => place + option.length),
        ),
      );
      if (count >= least) for (const place of places) ends.add(place);
    }
    places = ends;
  }
  return places.has(text.length);
}
