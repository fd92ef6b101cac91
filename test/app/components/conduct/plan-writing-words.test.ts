import { expect, test } from 'vitest';
import { writingSentence } from '../../../../src/app/components/conduct/plan-writing-words';
import type { ConductorInfo } from '../../../../src/core/contract';

const conductor: ConductorInfo = { id: 'local:a', label: 'Tiny', kind: 'webllm' };
const none = { conductor, text: '', reasoning: '', firstTokenAt: null };

test('a model that has written nothing yet reads the prompt', () => {
  expect(writingSentence(none, 5000, undefined)).toBe('Tiny is reading the prompt.');
});

test('a model that has only reasoned is thinking, and the time limit is named', () => {
  const plan = { ...none, reasoning: 'Hmm. Yes.', firstTokenAt: 1000 };
  expect(writingSentence(plan, 5000, 300)).toBe('Tiny is thinking: about 3 tokens in 4.0 s. Time limit: 5 min 00 s.');
});

test('a model that writes the plan is named with its tokens, including those of its reasoning', () => {
  const plan = { ...none, reasoning: 'Hmm.', text: 'model_id = [', firstTokenAt: 1000 };
  expect(writingSentence(plan, 3500, undefined)).toBe('Tiny is writing the plan: about 4 tokens in 2.5 s.');
});
