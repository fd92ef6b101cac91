import { expect, it } from 'vitest';
import { foldEvents, isJudged, type EventBody } from '../../../../src/core/contract';
import { finishedRunBodies, stampEvents } from '../../../fixtures/run-events';

const judge = { batchId: 'b', sha256: 'c'.repeat(64), usage: null, cost: 0.001 };
const graded = (by: 'person' | 'grader', correct: boolean | null, detail: string, isByJudge = false): EventBody => ({
  type: 'run-graded',
  correct,
  by,
  detail,
  ...(isByJudge ? { judge } : {}),
});

it.each([
  ['a judge gave the grade', true, [graded('grader', true, 'Judged correct by Portia.', true)]],
  ['the run is not graded', false, []],
  ['a grader without a judge gave the grade', false, [graded('grader', true, 'Found 42.')]],
  ['the judge gave no verdict', false, [graded('grader', null, 'It gave no verdict.', true)]],
  [
    'the user’s grade replaced the judge’s',
    false,
    [graded('grader', true, 'Judged correct by Portia.', true), graded('person', false, '')],
  ],
  [
    'another grader replaced the judge’s grade',
    false,
    [graded('grader', true, 'Judged correct by Portia.', true), graded('grader', true, 'Found 42.')],
  ],
] as const)('if %s, isJudged returns %s', (_when, expected, grades) => {
  const run = foldEvents(stampEvents([...finishedRunBodies(), ...grades]));
  expect(run && isJudged(run)).toBe(expected);
});
