import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { domainOf } from '../../../src/core/analysis/domain';
import { DOMAINS, seededRandom } from '../../../src/core/contract';
import { TASK_FAMILIES } from '../../../src/core/tasks';
import { EASY, HELD_OUT, type LabelledQuestions } from './domain-questions';

/** The share of questions for which `domainOf` returns the labeled domain. Prints the questions with a wrong domain. */
function accuracy(name: string, questions: LabelledQuestions): number {
  const labelled = DOMAINS.flatMap((domain) => questions[domain].map((question) => ({ domain, question })));
  const wrong = labelled.filter(({ domain, question }) => domainOf(question) !== domain);
  const right = labelled.length - wrong.length;
  console.log(`domainOf, ${name}: ${right} of ${labelled.length} questions right.`);
  for (const { domain, question } of wrong) console.log(`  ${domain}, found ${domainOf(question)}: ${question}`);
  return right / labelled.length;
}

describe('domainOf', () => {
  it('finds the domain of at least 95 % of questions that name their subject', () => {
    expect(accuracy('easy', EASY)).toBeGreaterThanOrEqual(0.95);
  });

  it('finds the domain of at least 85 % of held-out everyday questions', () => {
    expect(accuracy('held out', HELD_OUT)).toBeGreaterThanOrEqual(0.85);
  });

  it('assigns the domain “maths” to puzzles, and not “knowledge”', () => {
    const random = seededRandom(5);
    const generated = TASK_FAMILIES.flatMap((family) =>
      Array.from({ length: 40 }, () => family.generate(random, random()).writeQuestion(random)),
    );
    const found = generated.filter((question) => domainOf(question) === 'maths');
    expect(found.length / generated.length).toBeGreaterThanOrEqual(0.9);
    const others = [
      'Four people live in a row of houses. Clues: 1. The baker lives left of the nurse. 2. Tea is in the last house. Who drinks tea?',
      'On an island, everyone is a truth-teller or a liar. Ann says that Bob is a liar. Which are they?',
      'Ann is taller than Bob, and Cleo is taller than Ann. Who is the shortest?',
      'Use the numbers 3, 3, 8 and 8, each number exactly once, to get 24.',
      'What is the fewest moves to solve the Tower of Hanoi with five disks?',
    ];
    for (const question of others) expect(domainOf(question), question).toBe('maths');
  });

  it('assigns the domain “knowledge” to a question that no rule matches', () => {
    for (const question of ['', '   ', 'Hm?', '你好']) expect(domainOf(question)).toBe('knowledge');
  });

  it('returns a domain for any text, and always the same domain for the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (question) => {
        const domain = domainOf(question);
        expect(DOMAINS).toContain(domain);
        expect(domainOf(question)).toBe(domain);
      }),
    );
  });

  it.each([
    'a'.repeat(200_000),
    'sum of '.repeat(50_000),
    '$'.repeat(100_000),
    'write '.repeat(50_000),
    '1 '.repeat(99_000),
  ])('returns a domain for a very long text', (text) => {
    expect(DOMAINS).toContain(domainOf(text));
  });
});
