import { describe, expect, test } from 'vitest';
import { answerWords, resultLines } from '../../../src/app/compare/compare-words';
import { foldEvents, sampleRunId, type EventBody, type Run } from '../../../src/core/contract';
import { finishedRunBodies, stampEvents } from '../../fixtures/run-events';

function runOf(bodies: readonly EventBody[]): Run {
  const run = foldEvents(stampEvents(bodies));
  if (!run) throw new Error('no run');
  return run;
}
const BODIES = finishedRunBodies();
const FINISHED = runOf(BODIES);
const OTHER: Run = { ...FINISHED, answer: 'another answer' };
const RUNNING = runOf(BODIES.slice(0, 4));
const STOPPED = runOf([...BODIES.slice(0, 4), { type: 'run-cancelled' }]);

describe('the words above an answer', () => {
  test.each<[string, Run, Run, string, boolean]>([
    ['equals the answer of the base', FINISHED, FINISHED, '', false],
    ['differs from the answer of the base', OTHER, FINISHED, 'Another answer', true],
    ['is missing', STOPPED, FINISHED, 'No answer', true],
    ['is missing, and the base has none either', STOPPED, STOPPED, 'No answer', false],
    ['may still come, because the run is not finished', RUNNING, FINISHED, 'No answer yet', false],
    ['may still come, and so may that of the base', RUNNING, RUNNING, 'No answer yet', false],
    ['exists, and the base has none', FINISHED, STOPPED, 'No answer in A', true],
    ['exists, and the base is still running', FINISHED, RUNNING, '', false],
  ])(
    'name the difference from the base (run A), if there is one, when the answer %s',
    (_case, run, base, text, differs) => {
      expect(answerWords(run, base)).toEqual({ text, differs });
    },
  );
});

test.each([
  ['an unknown cost and no cost', [0, 1], [0, 0], ['cost unknown', '$0'], ''],
  ['equal known costs, one with calls of unknown price,', [0.25, 2], [0.25, 0], ['$0.25 + 2 unpriced', '$0.25'], ''],
  ['an unknown and a known cost', [0, 1], [0.05, 0], ['cost unknown', '$0.0500'], ''],
  ['a known and an unknown cost', [0.05, 0], [0, 1], ['$0.0500', 'cost unknown'], ''],
  ['two known costs', [0.25, 0], [0.75, 0], ['$0.25', '$0.75'], '+$0.50'],
] as const)('%s differ', (_case, one, other, texts, change) => {
  const runs = [one, other].map(([usd, unpriced]) => ({ ...FINISHED, spent: { ...FINISHED.spent, usd, unpriced } }));
  const cost = resultLines(runs).find(({ name }) => name === 'Cost');
  expect(cost).toMatchObject({ isSame: false, cells: [{ text: texts[0] }, { text: texts[1], change }] });
});

test('two unknown costs don’t differ', () => {
  const run = { ...FINISHED, spent: { ...FINISHED.spent, usd: 0, unpriced: 1 } };
  expect(resultLines([run, run]).find(({ name }) => name === 'Cost')?.isSame).toBe(true);
});

test('the cost of a sample run is labeled “at made-up prices”', () => {
  const spent = { ...FINISHED.spent, usd: 0.25, unpriced: 0 };
  const runs = [
    { ...FINISHED, id: sampleRunId(1), spent },
    { ...FINISHED, spent },
  ];
  const cost = resultLines(runs).find(({ name }) => name === 'Cost');
  expect(cost?.cells.map(({ text }) => text)).toEqual(['$0.25 at made-up prices', '$0.25']);
});
