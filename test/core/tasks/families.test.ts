import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { seededRandom } from '../../../src/core/contract';
import { readPuzzle, TASK_FAMILIES } from '../../../src/core/tasks';
import { SAMPLE_QUESTIONS } from '../../../src/core/tasks/samples';
import type { PosedPuzzle } from '../../../src/core/tasks/posed';
import { INDEPENDENT } from './independent';

const seeds = fc.nat(1_000_000);
const difficulties = fc.double({ min: 0, max: 1, noNaN: true });
const firstWording = () => 0;

function best(puzzle: PosedPuzzle, seed: number): string | null {
  const [strategy] = puzzle.strategies;
  return puzzle.search({ steps: puzzle.ample * 3, strategy: strategy.name, random: seededRandom(seed) }).answer;
}

/**
 * Changes an answer: rotates a list, turns one knight into a knave (or one knave into a knight), or changes
 * one number.
 */
function mutate(answer: string, seed: number): string {
  const random = seededRandom(seed);
  const items = answer.split(', ');
  if (items.length > 1 && !answer.includes('kn')) return [...items.slice(1), items[0]].join(', ');
  if (answer.includes('kn')) {
    const at = Math.floor(random() * items.length);
    return items
      .map((item, index) =>
        index === at ? `${item.split(' ')[0]} ${item.endsWith('knight') ? 'knave' : 'knight'}` : item,
      )
      .join(', ');
  }
  const numbers = [...(answer.split('=')[0] ?? '').matchAll(/\d+/g)];
  const chosen = numbers[Math.floor(random() * numbers.length)];
  if (!chosen) return answer;
  const changed = String(Number(chosen[0]) + 1 + Math.floor(random() * 3));
  return (
    (answer.slice(0, chosen.index) + changed + answer.slice(chosen.index + chosen[0].length)).split(' = ')[0] ?? answer
  );
}

describe.each(TASK_FAMILIES)('$name', (family) => {
  test('reads a generated puzzle as the same puzzle in every wording', () => {
    fc.assert(
      fc.property(seeds, difficulties, seeds, (seed, difficulty, wording) => {
        const puzzle = family.generate(seededRandom(seed), difficulty);
        const read = readPuzzle(puzzle.writeQuestion(seededRandom(wording)));
        expect(read?.family).toBe(family.name);
        expect(read?.key).toBe(puzzle.key);
      }),
      { numRuns: 150 },
    );
  });

  test('solves over 95 % of its puzzles with full effort, as an independent check confirms', () => {
    let exact = 0;
    for (let seed = 0; seed < 120; seed++) {
      const puzzle = family.generate(seededRandom(seed), (seed % 5) / 4);
      const answer = best(puzzle, seed);
      if (answer === null) continue;
      const right = INDEPENDENT[family.name]?.(puzzle.writeQuestion(firstWording), answer);
      expect(puzzle.check(answer).correct, `${puzzle.key} ${answer}`).toBe(right);
      if (right) exact++;
    }
    expect(exact / 120).toBeGreaterThan(0.95);
  });

  test('rejects a changed answer exactly when an independent check rejects it', () => {
    let changed = 0;
    for (let seed = 0; seed < 120; seed++) {
      const puzzle = family.generate(seededRandom(seed), (seed % 5) / 4);
      const answer = mutate(best(puzzle, seed) ?? '', seed);
      const right = INDEPENDENT[family.name]?.(puzzle.writeQuestion(firstWording), answer);
      const verdict = puzzle.check(answer);
      expect(verdict.correct, `${puzzle.key} ${answer}`).toBe(right);
      if (right === false) {
        changed++;
        expect(verdict.distance).toBeGreaterThan(0);
        expect(verdict.detail).toMatch(/^[A-Z0-9−].+\.$/);
      }
    }
    expect(changed).toBeGreaterThan(100);
  });

  test('reads an answer that stands alone, and an answer after “Answer:”', () => {
    fc.assert(
      fc.property(seeds, difficulties, (seed, difficulty) => {
        const puzzle = family.generate(seededRandom(seed), difficulty);
        const answer = best(puzzle, seed) ?? '';
        expect(puzzle.readAnswer(answer)).toBe(answer);
        expect(puzzle.readAnswer(`First I tried 3 + 4 = 7.\n\n**Answer:** $${answer}$`)).toBe(answer);
      }),
      { numRuns: 60 },
    );
  });

  test('solves more puzzles with more effort', () => {
    const solved = (share: number) => {
      const puzzles = Array.from({ length: 80 }, (_, seed) => family.generate(seededRandom(seed), 0.7));
      return puzzles.filter((puzzle, seed) => {
        const steps = Math.ceil(puzzle.ample * share);
        const { answer } = puzzle.search({ steps, strategy: puzzle.strategies[0].name, random: seededRandom(seed) });
        return answer !== null && puzzle.check(answer).correct;
      }).length;
    };
    expect(solved(1)).toBeGreaterThan(solved(0.03) + 20);
  });

  test('sometimes returns a wrong answer as `exact` if the search makes careless mistakes', () => {
    const mistaken = Array.from({ length: 80 }, (_, seed) => {
      const puzzle = family.generate(seededRandom(seed), 0.7);
      const [{ name: strategy }] = puzzle.strategies;
      const attempt = puzzle.search({ steps: puzzle.ample, strategy, slip: 1, random: seededRandom(seed) });
      return attempt.exact && attempt.answer !== null && !puzzle.check(attempt.answer).correct;
    });
    expect(mistaken.filter(Boolean).length).toBeGreaterThan(15);
  });

  test('recognizes each strategy by the text of its own advice', () => {
    const { strategies } = family.generate(seededRandom(1), 0.5);
    for (const strategy of strategies) {
      expect(strategies.find(({ wording }) => wording.test(strategy.advice))?.name).toBe(strategy.name);
    }
  });

  test('never throws, whatever text it reads as a question or an answer', () => {
    const puzzle = family.generate(seededRandom(7), 0.5);
    const question = puzzle.writeQuestion(seededRandom(3));
    const answer = best(puzzle, 1) ?? '';
    const scraps = fc.array(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.constantFrom(
          question,
          answer,
          ...question.split(' '),
          ...answer.split(' '),
          '(((',
          '1/0',
          '÷ 0',
          '**',
          '\\frac{1}{0}',
          '−',
        ),
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(scraps, (pieces) => {
        const text = pieces.join(' ');
        const read = family.read(text);
        if (read) read.search({ steps: 50, strategy: '', random: seededRandom(1) });
        const verdict = puzzle.check(text);
        expect(verdict.correct).toBe(verdict.distance === 0);
      }),
      { numRuns: 300 },
    );
  });
});

describe('readPuzzle', () => {
  it('reads every sample question', () => {
    expect(SAMPLE_QUESTIONS.map(({ question }) => readPuzzle(question)?.family)).toEqual([
      'countdown',
      'ordering',
      'statements',
      'ordering',
    ]);
  });

  it.each(SAMPLE_QUESTIONS)('reads the sample question “$label” as a puzzle that can be solved', ({ question }) => {
    const puzzle = readPuzzle(question);
    expect(puzzle?.check(best(puzzle, 1) ?? '').correct).toBe(true);
  });

  it.each([
    'What is the capital of France?',
    'Prove that there are infinitely many primes.',
    'How do I make 4 pizzas for 3, 4 or 5 people?',
    'What is 24/7 support?',
    'Explain what 2 + 2 means in group theory.',
    'Put the books in order.',
    '',
  ])('ignores a text that is not a puzzle: %s', (text) => {
    expect(readPuzzle(text)).toBeNull();
  });

  it('returns null for a text of more than 4,000 characters', () => {
    expect(readPuzzle(`${SAMPLE_QUESTIONS[0]?.question ?? ''}${' '.repeat(4_000)}`)).toBeNull();
  });
});
