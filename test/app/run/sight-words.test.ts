import { expect, test } from 'vitest';
import { basisWords, unsentWords } from '../../../src/app/run/sight-words';
import type { StepSight } from '../../../src/core/analysis/step-sight';

const sight: StepSight = {
  question: 'What is 2 + 2?',
  images: { sent: 0, unseen: 0 },
  wasSent: false,
  seen: [],
  unseen: [],
};

test.each([
  ['Nothing has been sent yet.', 'running', 'planned'],
  ['Nothing has been sent yet.', 'running', 'queued'],
  ['Nothing has been sent yet.', 'running', undefined],
  ['Nothing was sent.', 'running', 'skipped'],
  ['Nothing was sent.', 'running', 'recursed'],
  ['Nothing was sent.', 'finished', 'skipped'],
  ['Nothing was sent.', 'cancelled', 'planned'],
  ['Nothing was sent.', 'interrupted', 'queued'],
  ['Nothing was sent in this run.', 'finished', 'reused'],
] as const)('says "%s" if the run is %s and the step is %s', (words, run, step) => {
  expect(unsentWords({ status: run }, step && { status: step })).toBe(words);
});

test('says whether the list of seen steps is based on the prompt or on the plan', () => {
  const [run, step] = [{ status: 'finished' }, { status: 'skipped' }] as const;
  expect(basisWords({ ...sight, wasSent: true }, run, step)).toBe('From the prompt that was sent.');
  expect(basisWords(sight, run, step)).toBe('From the plan. Nothing was sent.');
  expect(basisWords(sight, { status: 'running' }, { status: 'queued' })).toBe(
    'From the plan. Nothing has been sent yet.',
  );
  expect(basisWords(sight, run, { status: 'reused' })).toContain('reused');
});
