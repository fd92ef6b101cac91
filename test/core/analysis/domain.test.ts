import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { domainOf } from '../../../src/core/analysis';
import { DOMAINS } from '../../../src/core/contract';
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
