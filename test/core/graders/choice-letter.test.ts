import { expect, test } from 'vitest';
import { createChoiceLetterGrader, extractLetter } from '../../../src/core/graders/choice-letter';

test.each([
  ['a letter in answer tags', 'Because A fails. <answer>C</answer>', 'C'],
  ['a lower-case letter in answer tags', '<answer>(c)</answer>', 'C'],
  ['the last of two answer tags', '<answer>A</answer> No. <answer>B</answer>', 'B'],
  ['the simple-evals wording', 'Reasons about A.\n\nAnswer: D', 'D'],
  ['a bold answer', 'So the **answer is (B)**.', 'B'],
  ['a box', 'Thus $\\boxed{\\text{(E)}}$.', 'E'],
  ['a letter with its option', 'The correct option is clear.\nOption C: 12 m/s', 'C'],
  ['a letter on its own line', 'I compared all.\n\nB.\n', 'B'],
  ['a choice before “the answer I”', 'Answer: C\n\nThis is the answer I am sure of.', 'C'],
  ['a choice before “the answer is a”', 'Answer: C\n\nI think the answer is a good fit.', 'C'],
  ['the choice I', 'The answer is I.', 'I'],
  ['a letter at the end', 'It can only be C.', 'C'],
  ['a letter and its option in answer tags', '<answer>C. Carbon</answer>', 'C'],
  ['a letter in brackets and its option in answer tags', '<answer>(C) Carbon</answer>', 'C'],
  ['answer tags whose option ends in another letter', '<answer>B) Vitamin A</answer>', 'B'],
  ['answer tags whose option ends in the letter of an option', '<answer>B. Hepatitis C</answer>', 'B'],
  ['an option as the last line', 'I compared all.\n\nC. Carbon', 'C'],
  ['a bold option as the last line', 'I compared all.\n\n**C) Carbon**', 'C'],
  ['only an option that ends in another letter', 'B) Vitamin A', 'B'],
  ['“the correct option is”', 'The correct option is **D**.', 'D'],
  ['“the correct choice is”', 'The correct choice is (D) carbon.', 'D'],
  ['“must be”', 'Therefore, the answer must be **C**.', 'C'],
  ['a bold letter at the end', 'So it is **C**.', 'C'],
  ['“is the correct answer”', '**C** is the correct answer.', 'C'],
  ['a letter in a formula', 'Final answer: \\(C\\)', 'C'],
  ['a letter in back-ticks', 'Answer: `C`', 'C'],
  ['a letter in quotes', 'Answer: "C"', 'C'],
  ['a bold letter in a box', '$\\boxed{\\mathbf{B}}$', 'B'],
  ['“Answer: I think”', 'Answer: I think it is C', 'C'],
  [
    'a remark on another answer after the choice',
    'The answer is (C).\n\nWhy not the others? Answer A is too small.',
    'C',
  ],
])('finds the choice in a response with %s', (_, response, letter) => {
  expect(extractLetter(response, 'strict')).toBe(letter);
});

test.each([
  ['a code block', 'Here is my answer:\n```\nC\n```', 'C'],
  ['JSON', '```json\n{"answer": "D"}\n```', 'D'],
  ['square brackets', 'The correct answer is [B].', 'B'],
  ['brackets of East Asian scripts', 'Answer: 【C】', 'C'],
  ['full-width letters', 'Ａｎｓｗｅｒ：（Ｂ）', 'B'],
  ['Chinese words', '正确答案是（D）。', 'D'],
  ['Russian words', 'Ответ: C', 'C'],
  ['Spanish words', 'La respuesta correcta es la B.', 'B'],
  ['a lower-case letter', 'The answer is b.', 'B'],
  ['a lower-case letter with its option', '**b)** Carbon', 'B'],
  ['a lower-case letter with its option in answer tags', '<answer>b) carbon</answer>', 'B'],
  ['a letter in quotes', "Answer: 'B'", 'B'],
  ['two letters named before the choice', 'Both A and B seem plausible, but the correct answer is B.', 'B'],
  ['a letter that is ruled out after the choice', 'So the answer is B, not A.', 'B'],
  ['a comparison of two letters', 'Between A and C, C is the better choice.', 'C'],
  ['verdicts on all options', '(A) is false, (B) is false, (C) is true, so C.', 'C'],
  ['an equation before the choice', 'Answer: E = mc^2, so B', 'B'],
  ['none of the options', 'Answer: none of these', null],
  ['none of the named options', 'None of the options A, B, C or D is correct.', null],
  ['two choices', 'The answer is A or B.', null],
  ['two choices after a label', 'Answer: A, B', null],
  ['a sentence that begins with A', 'Answer: A person should decide.', null],
  ['a sentence that begins with I', 'Answer: I do not know.', null],
  ['a name that ends in a letter', 'Answer: Vitamin C', null],
])('reads a response with %s', (_, response, letter) => {
  expect(extractLetter(response, 'strict')).toBe(letter);
});

test('finds no choice in a word that starts with an option’s letter, or in the pronoun “I”', () => {
  expect(extractLetter('The answer is Avogadro.', 'strict')).toBeNull();
  expect(extractLetter('I cannot say', 'strict')).toBeNull();
});

test('under the published code’s rules, reads the first A, B, C or D in the tags, or else a digit', () => {
  expect(extractLetter('<answer>ANSWER: C</answer>', 'paper-artefact')).toBe('A');
  expect(extractLetter('<answer>2</answer>', 'paper-artefact')).toBe('C');
  expect(extractLetter('Answer: C', 'paper-artefact')).toBeNull();
});

test('compares the chosen letter with a reference in brackets', async () => {
  const grader = createChoiceLetterGrader('strict');
  const task = { question: 'Which?', reference: '(B)' };
  const { signal } = new AbortController();

  expect(await grader.grade(task, 'Answer: B', signal)).toMatchObject({ correct: true });
  expect(await grader.grade(task, 'Answer: C', signal)).toEqual({
    correct: false,
    detail: 'The answer C does not match the reference (B).',
  });
});

test('rejects a task without a reference', async () => {
  const grading = createChoiceLetterGrader('strict').grade({ question: 'Which?' }, 'A', new AbortController().signal);

  await expect(grading).rejects.toMatchObject({ fault: { code: 'nothing-to-grade' } });
});
