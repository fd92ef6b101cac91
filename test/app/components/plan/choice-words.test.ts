import { expect, it } from 'vitest';
import { choiceReason, countedRuns, knownOfWorker } from '../../../../src/app/components/plan/choice-words';

it('says in a clause why a worker was chosen', () => {
  const choice = { basis: 'history' as const, expected: 0.784, graded: 6, right: 5, inRole: true, runs: [] };
  expect(choiceReason(choice, 'verify')).toBe('5 of its 6 graded runs as checker came out right; 78 % expected here.');
  expect(choiceReason({ ...choice, inRole: false, graded: 1, right: 0 }, 'solve')).toBe(
    '0 of its 1 graded run came out right; 78 % expected here.',
  );
  expect(choiceReason({ ...choice, basis: 'strength' }, 'plan')).toBe('of what it declares; 78 % expected as planner.');
  expect(choiceReason({ ...choice, basis: 'order' }, 'solve')).toMatch(/nothing is known/);
});

it('says of a network’s choice what was known, and no reason', () => {
  const choice = { by: 'network' as const, basis: 'history' as const, expected: 0.784, runs: [] };
  const graded = { ...choice, graded: 6, right: 5, inRole: true };
  expect(knownOfWorker(graded, 'verify')).toBe('5 of its 6 graded runs as checker came out right.');
  expect(knownOfWorker({ ...graded, inRole: false }, 'verify')).toBe('5 of its 6 graded runs came out right.');
  const strength = knownOfWorker({ ...graded, basis: 'strength' }, 'plan');
  expect(strength).toBe('what it declares, 78 % as planner; no graded run yet.');
  for (const basis of ['history', 'strength', 'order'] as const) {
    expect(knownOfWorker({ ...graded, basis }, 'solve')).not.toMatch(/because|expected/);
  }
});

it('names by what the runs lay near', () => {
  const choice = { basis: 'history' as const, expected: 0.784, graded: 6, right: 5, inRole: true, runs: [] };
  expect(countedRuns(choice)).toBe('Counted most: ');
  expect(countedRuns({ ...choice, nearBy: 'MiniLM' })).toBe('Counted most, as nearest in meaning by MiniLM: ');
  expect(countedRuns({ ...choice, by: 'network' })).toBe('Nearest to this question: ');
  expect(countedRuns({ ...choice, by: 'network', nearBy: 'MiniLM' })).toBe(
    'Nearest to this question in meaning, by MiniLM: ',
  );
});
