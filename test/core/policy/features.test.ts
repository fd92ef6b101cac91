import { describe, expect, it } from 'vitest';
import { ROLES } from '../../../src/core/contract';
import {
  COMPARISON_COLUMN,
  policyInput,
  QUESTION_FEATURES,
  WORKER_FEATURES,
  type PolicyInput,
} from '../../../src/core/policy/features';
import { CONDUCTOR_ENTRY, published, request as conductorRequest, worker } from '../conductor/requests';
import { drawRequest } from './inputs';

describe('policyInput', () => {
  const request = drawRequest(3);
  const questions = [request.question, ...(request.history ?? []).map(({ question }) => question)];
  const placed = (place: (question: string) => number[]) => ({
    by: 'a model',
    storedAs: 'model',
    vectors: new Map(questions.map((question) => [question, Float32Array.from(place(question))])),
  });

  it('uses a sentence model only for the features of workers', () => {
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

  it('uses a worker’s published results in its features and in the pool’s mean success rates', () => {
    const members = [worker(0, { strengths: { solve: 0.6 } }), worker(1), CONDUCTOR_ENTRY];
    const requested = { question: 'What is 17 * 23?', recursion: true };
    const before = policyInput(conductorRequest({ ...requested, pool: members }));
    const after = policyInput(conductorRequest({ ...requested, pool: members.with(1, published(1, 'gpt-5')) }));
    const row = (input: PolicyInput, at: number) =>
      [...input.workers].slice(at * WORKER_FEATURES, (at + 1) * WORKER_FEATURES);
    expect(row(after, 1)).not.toEqual(row(before, 1));
    expect(row(after, 2)).toEqual(row(before, 2));
    const changed = row(after, 0).flatMap((value, column) => (value === row(before, 0)[column] ? [] : [column]));
    const first = COMPARISON_COLUMN;
    expect(changed.every((column) => column >= first && column < first + 2 * ROLES.length)).toBe(true);
  });
});
