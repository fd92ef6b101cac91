import { describe, expect, test } from 'vitest';
import { answerWords, resultLines } from '../../../../src/app/components/compare/compare-words';
import { foldEvents, sampleRunId, type EventBody, type Run } from '../../../../src/core/contract';
import { finishedRunBodies, stampEvents } from '../../../fixtures/run-events';

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
    ['is missing, as in the base', STOPPED, STOPPED, 'No answer', false],
    ['may still come', RUNNING, FINISHED, 'No answer yet', false],
    ['may still come, as in the base', RUNNING, RUNNING, 'No answer yet', false],
    ['exists, but not in the base', FINISHED, STOPPED, 'No answer in A', true],
    ['exists, and the base is still running', FINISHED, RUNNING, '', false],
  ])('if the answer %s', (_case, run, base, text, differs) => {
    expect(answerWords(run, base)).toEqual({ text, differs });
  });
});

test('the cost of a sample run is marked as computed with made-up prices', () => {
  const spent = { ...FINISHED.spent, usd: 0.25, unpriced: 0 };
  const runs = [
    { ...FINISHED, id: sampleRunId(1), spent },
    { ...FINISHED, spent },
  ];
  const cost = resultLines(runs).find(({ name }) => name === 'Cost');
  expect(cost?.cells.map(({ text }) => text)).toEqual(['$0.25 at made-up prices', '$0.25']);
});
