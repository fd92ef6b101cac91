import { expect, it } from 'vitest';
import { questionEmbedding, similarity } from '../../../src/core/analysis/question-embedding';
import { ALIKE_QUESTIONS, UNLIKE_QUESTIONS } from '../../fixtures/alike-questions';

it('the hashed embedding ranks the similar question first for only 5 of 24 questions', () => {
  expect(ALIKE_QUESTIONS).toHaveLength(UNLIKE_QUESTIONS.length);
  const others = ALIKE_QUESTIONS.map(([, other]) => questionEmbedding(other));
  const found = ALIKE_QUESTIONS.filter(([question], index) => {
    const likeness = others.map((other) => similarity(questionEmbedding(question), other));
    return likeness[index] === Math.max(...likeness);
  });
  expect(found).toHaveLength(5);
});
