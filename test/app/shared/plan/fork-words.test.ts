import { expect, test } from 'vitest';
import { forkedStepWords, forkSentences } from '../../../../src/app/shared/plan/fork-words';
import { poolWorker, step } from '../../../fixtures/run-events';

const called = { kind: 'called', because: 'sees-called', callsSeen: [1], free: true, range: null } as const;
const proposal = {
  steps: [{ kind: 'reused' as const }, called, called],
  plansAgain: true,
  pool: [poolWorker(0, { name: 'Alder' })],
  workflow: { steps: [step(0, 'Solve'), step(0, 'Check', [0]), step(0, 'Decide', [1])] },
};

test('continues the step numbers of the earlier rounds in a later round', () => {
  expect(forkSentences(proposal, 3)).toEqual([
    'Reused for free: step 4.',
    'Called: steps 5 (Alder) and 6 (Alder).',
    'Then the Conductor plans another round.',
  ]);
  expect(forkedStepWords(called, 2, { proposal, stepsBefore: 3 })).toBe('Sees step 5: called again, free');
});

test('numbers the steps of the first round from 1', () => {
  expect(forkSentences(proposal, 0)[0]).toBe('Reused for free: step 1.');
  expect(forkedStepWords(called, 2, { proposal: null, stepsBefore: 0 })).toBe('Sees step 2: called again');
});
