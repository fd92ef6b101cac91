import { expect, it } from 'vitest';
import { choiceReason, countedRuns, knownOfWorker } from '../../../../src/app/shared/plan/choice-words';

it('gives the reason for choosing a worker: its graded runs, its declared strength, or that nothing is known', () => {
  const choice = { basis: 'history' as const, expected: 0.784, graded: 6, right: 5, inRole: true, runs: [] };
  expect(choiceReason(choice, 'verify')).toBe('5 of its 6 graded runs as checker were right. Expected here: 78 %.');
  expect(choiceReason({ ...choice, inRole: false, graded: 1, right: 0 }, 'solve')).toBe(
    'its only graded run was wrong. Expected here: 78 %.',
  );
  expect(choiceReason({ ...choice, basis: 'strength' }, 'plan')).toBe(
    'of its declared strength. Expected as planner: 78 %.',
  );
  expect(choiceReason({ ...choice, basis: 'order' }, 'solve')).toMatch(/nothing is known/);
});

it('states what is known about a worker that the policy network chose, without calling it the reason', () => {
  const choice = { by: 'network' as const, basis: 'history' as const, expected: 0.784, runs: [] };
  const graded = { ...choice, graded: 6, right: 5, inRole: true };
  expect(knownOfWorker(graded, 'verify')).toBe('5 of its 6 graded runs as checker were right.');
  expect(knownOfWorker({ ...graded, inRole: false }, 'verify')).toBe('5 of its 6 graded runs were right.');
  const strength = knownOfWorker({ ...graded, basis: 'strength' }, 'plan');
  expect(strength).toBe('its declared strength, 78 % as planner. It has no graded runs yet.');
  for (const basis of ['history', 'strength', 'order'] as const) {
    expect(knownOfWorker({ ...graded, basis }, 'solve')).not.toMatch(/because|expected/);
  }
});

it('names the sentence model that measures similarity, if there is one', () => {
  const choice = { basis: 'history' as const, expected: 0.784, graded: 6, right: 5, inRole: true, runs: [] };
  expect(countedRuns(choice)).toBe('Runs that counted most: ');
  expect(countedRuns({ ...choice, nearBy: 'MiniLM' })).toBe(
    'Runs that counted most, by similarity in meaning (measured by MiniLM): ',
  );
  expect(countedRuns({ ...choice, by: 'network' })).toBe('Most similar to this question: ');
  expect(countedRuns({ ...choice, by: 'network', nearBy: 'MiniLM' })).toBe(
    'Most similar in meaning to this question (measured by MiniLM): ',
  );
});
