import { describe, expect, it } from 'vitest';
import { policyInput, QUESTION_FEATURES } from '../../../src/core/policy/features';
import { drawRequest } from './inputs';

describe('policyInput', () => {
  const request = drawRequest(3);
  const questions = [request.question, ...(request.history ?? []).map(({ question }) => question)];
  const placed = (place: (question: string) => number[]) => ({
    by: 'a model',
    kernelWidth: 0.15,
    vectors: new Map(questions.map((question) => [question, Float32Array.from(place(question))])),
  });

  it('uses a sentence model only to find similar runs', () => {
    expect(request.history?.length).toBeGreaterThan(3);
    const spelled = policyInput(request);
    const far = policyInput({
      ...request,
      embeddings: placed((question) => (question === request.question ? [1, 0] : [0, 1])),
    });
    const near = policyInput({ ...request, embeddings: placed(() => [1, 0]) });
    expect(far.question).toEqual(spelled.question);
    expect(far.question).toHaveLength(QUESTION_FEATURES);
    const differs = (one: Float32Array, other: Float32Array) =>
      [...one.keys()].filter((index) => one[index] !== other[index]);
    expect(differs(far.workers, near.workers).length).toBeGreaterThan(0);
    expect(differs(far.workers, spelled.workers).length).toBeGreaterThan(0);
    expect(far.limits).toEqual(spelled.limits);
  });
});
