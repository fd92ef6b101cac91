/** @file Tests the search for answers in prose: prices, units, lists, remarks, and several numbers in a sentence. */
import { expect, test } from 'vitest';
import { extractAnswer, sameAnswer } from '../../../../src/core/graders/mathematics';
import { statedAnswers } from '../../../fixtures/stated-answers';

test.each([
  ['a clock time', 'She left at 3:05 a.m., so she arrives at 4:30 PM.', '4:30 PM'],
  ['two prices in a sentence', 'The tea costs $16 + $2 = $18.', '18'],
  ['a price and a range', 'They pay between $10 and $20. Each pays $15.', '15'],
  ['a price before a formula', 'It costs $5, and $x = 3$.', 'x = 3'],
  ['a price with a dollar sign after it', 'It costs 5$ and 10$, so 15$ in total.', '15'],
  ['an escaped dollar sign', 'The total is \\$1,250.', '1,250'],
  ['a calculator annotation', 'He earns 3 * 4 = $<<3*4=12>>12 a day.', '12'],
  ['the marker of GSM8K', 'So 3 * 4 = 13.\n#### 12', '12'],
  ['the marker with a price', '#### $1,200\n\n(Note: 3 rows of 400.)', '1,200'],
  ['the marker with a sentence', 'He has 7.\n#### Each child got 5 books.', '5'],
  ['the marker with words', 'Each has 6.\n#### It is not possible.', 'It is not possible.'],
  ['headings with four signs', '#### 1. Eggs\n3 + 4 = 7\n#### 2. Price\nSo he pays $14.', '14'],
  ['a final sentence after an equation', 'x + 1 = 8\nx = 7\n\nSo Al is 9 years old.', '9'],
  ['displayed formulas', '\\[ 3 + 4 = 7 \\]\n\\[ 2 \\cdot 7 = 14 \\]', '2 \\cdot 7 = 14'],
  ['a displayed formula after a colon', 'So the total is:\n\\[ 14 \\]', '14'],
  ['a heading', '### Final Answer\n\n**42 apples**\n\nThis took 3 steps.', '42'],
  ['a last line that begins with an equals sign', 'Total = 3 * 4\n= 12', '12'],
  ['a table', '| Item | Price |\n|---|---|\n| Total | $12 |', '12'],
  ['bold text', 'In 5 days she reads **60** pages in 2 books.', '60'],
  ['a thousands separator', 'The town has 12,400 people.', '12,400'],
  ['a percentage', 'So the share is 15% of the 200 people.', '15%'],
  ['a fraction', 'Therefore it is 1/3.', '1/3'],
  ['a mixed number', 'Each gets 2½ cakes.', '2 1/2'],
  ['a power of ten', 'There are 6.02 × 10^23 atoms in 1 mole.', '6.02 × 10^23'],
  ['a number with a scale', 'The distance is 5 million km.', '5 million'],
  ['a multiple of π', 'The area is 12π cm².', '12π'],
  ['a polynomial', 'The expanded form is x^2 + 2x + 1.', 'x^2 + 2x + 1'],
  ['a tuple', 'The point is (3, 4).', '(3, 4)'],
  ['several solutions', 'The solutions are x = 2 and x = 3.', 'x = 2 and x = 3'],
  ['a negative price', 'The change is -$15.', '-15'],
  ['an ordinal number', 'She finished in 6th place.', '6'],
  ['a rounded value after ≈', 'The mean is 22 / 3 ≈ 7.33.', '7.33'],
  ['an answer without a number', 'The answer is Evelyn.', 'Evelyn'],
  ['“Answer:” before a solution', 'Answer: Al has 3 cats. He buys 4 more cats. So he has 7 cats.', '7'],
  ['“Solution:” before a solution', 'Solution: First 3 + 4 = 7. Then 2 * 7 = 14.', '14'],
  ['an unfinished expression', 'So he must sell 160 - y roses.', '160 - y'],
  ['a later turn of a chat', 'The answer is 12.<|im_end|>\n<|im_start|>user\nWhat is 5 + 5?', '12'],
  ['a code block', 'The result:\n```\n12\n```', '12'],
  ['program code', 'It is 12.\n```python\nassert f(3) == 9\n```', '12'],
  ['JSON', '{"answer": 12}', '12'],
  ['full-width digits', '答案：１２', '12'],
  ['Arabic digits', 'الجواب: ١٢', '12'],
  ['Chinese text', '所以一共有12个苹果。', '12'],
  ['Russian text', 'Ответ: 12', '12'],
  ['German text', 'Die Antwort ist 12.', '12'],
])('extractAnswer finds the answer in a response with %s', (_, response, answer) => {
  expect(extractAnswer(response)).toBe(answer);
});

test('finds at least 99 % of more than 300 answers in which the last number is not the answer', () => {
  const answers = statedAnswers();
  const wrong = answers.filter(({ response, reference }) => !sameAnswer(reference, extractAnswer(response) ?? ''));

  expect(answers.length).toBeGreaterThan(300);
  expect(wrong.length / answers.length).toBeLessThanOrEqual(0.01);
});

test.each([
  ['prices', '$1 '],
  ['numbers', '1 '],
  ['lines', '- 1\n'],
  ['clauses', '1, '],
  ['equals signs', '1= '],
  ['powers', '1 × 10 '],
  ['purposes', '1 to a '],
  ['conclusions', 'Therefore, 1. '],
  ['markers', '#### 1\n'],
  ['bold numbers', '**1** '],
  ['fractions', '1 ½'],
])('extractAnswer reads a long response of %s before the timeout', (_, part) => {
  expect(extractAnswer(part.repeat(100_000 / part.length))).not.toBeNull();
});
