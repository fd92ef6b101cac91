import { describe, expect, it } from 'vitest';
import {
  foldEvents,
  judgeRun,
  rewardOfSummary,
  summarize,
  type EventBody,
  type PlanEvent,
  type PlanProblem,
} from '../../../../src/core/contract';
import { runStarted, stampEvents, step } from '../../../fixtures/run-events';

const problem: PlanProblem = { code: 'not-found', message: 'There is no list.', at: 0 };
const unreachable = { code: 'unreachable' as const, message: 'Nobody answers.', retryable: true };
const rateLimit = { code: 'rate-limited' as const, message: 'Too many calls.', retryable: true };
const bill = { usage: null, cost: null };
const workflow = { steps: [step(0, 'Solve')] };
const finished: PlanEvent = {
  type: 'plan-finished',
  workflow,
  thought: '',
  text: '',
  source: 'conductor',
  finishReason: 'stop',
  ...bill,
};
const refused: PlanEvent = { type: 'plan-retried', problem, fault: null, text: 'Hm', next: 'stricter', ...bill };
/** A retry after a call that ended without an answer. */
const unanswered: PlanEvent = { ...refused, problem: null, fault: rateLimit, text: '' };
const failed: PlanEvent = { type: 'plan-failed', problem, fault: unreachable, text: 'Hm', ...bill };

function runOf(correct: boolean | null, ...plan: PlanEvent[]) {
  const conductor = { id: 'heuristic', label: 'Built in', kind: 'heuristic' as const };
  const bodies: EventBody[] = [
    runStarted(),
    { type: 'round-started', round: 0 },
    { type: 'plan-started', round: 0, conductor, messages: [] },
    ...plan.map((event): EventBody => ({ ...event, round: 0 })),
    ...(correct === null ? [] : [{ type: 'run-graded' as const, correct, by: 'person' as const, detail: '' }]),
  ];
  const run = foldEvents(stampEvents(bodies));
  if (!run) throw new Error('the events contain no run');
  return run;
}

describe('the reward of a run', () => {
  it.each([
    ['1: a valid workflow, a right answer', true, [finished], { format: true, correct: true, reward: 1 }],
    ['0.5: a valid workflow, a wrong answer', false, [finished], { format: true, correct: false, reward: 0.5 }],
    ['unknown before the run is graded', null, [finished], { format: true, correct: null, reward: null }],
    ['0: no workflow, not graded', null, [failed], { format: false, correct: null, reward: 0 }],
    [
      '0: only the second attempt at a plan could be parsed',
      true,
      [refused, finished],
      { format: false, correct: true, reward: 0 },
    ],
    [
      '0: the first answer, after a rate limit, was unreadable',
      true,
      [unanswered, refused, finished],
      { format: false, correct: true, reward: 0 },
    ],
    [
      '1: the first answer, after a rate limit, was a valid workflow',
      true,
      [unanswered, finished],
      { format: true, correct: true, reward: 1 },
    ],
    [
      '0: the first candidate failed, and the answer of the second one was unreadable',
      true,
      [
        {
          type: 'plan-candidate' as const,
          candidate: 0,
          workflow: null,
          problem: null,
          fault: unreachable,
          text: '',
          ...bill,
        },
        { type: 'plan-candidate' as const, candidate: 1, workflow: null, problem, text: 'Hm', ...bill },
        { ...refused, next: 'fallback' as const },
        { ...finished, source: 'fallback' as const },
      ],
      { format: false, correct: true, reward: 0 },
    ],
    [
      'based only on the grade if the user wrote the plan',
      true,
      [{ ...finished, source: 'person' as const }],
      { format: null, correct: true, reward: 1 },
    ],
    [
      '0: the plan was unreadable, and the built-in Conductor replaced it',
      true,
      [refused, { ...refused, next: 'fallback' as const }, { ...finished, source: 'fallback' as const }],
      { format: false, correct: true, reward: 0 },
    ],
    [
      'unknown if the Conductor could not be reached',
      true,
      [
        { ...refused, problem: null, fault: unreachable },
        { ...finished, source: 'fallback' as const },
      ],
      { format: null, correct: true, reward: null },
    ],
    [
      'that of the chosen candidate, even if another candidate was unreadable',
      false,
      [
        { type: 'plan-candidate' as const, candidate: 0, workflow: null, problem, text: '', ...bill },
        { type: 'plan-candidate' as const, candidate: 1, workflow, problem: null, text: '', ...bill },
        { type: 'plan-chosen' as const, candidate: 1, by: 'vote' as const },
        finished,
      ],
      { format: true, correct: false, reward: 0.5 },
    ],
    [
      'unknown if the call for the first candidate failed and the built-in rules planned instead',
      true,
      [
        {
          type: 'plan-candidate' as const,
          candidate: 0,
          workflow: null,
          problem: null,
          fault: unreachable,
          text: '{',
          ...bill,
        },
        { ...refused, problem: null, fault: unreachable, next: 'fallback' as const },
        { ...finished, source: 'fallback' as const },
      ],
      { format: null, correct: true, reward: null },
    ],
  ])('is %s', (_, correct, plan, judgement) => {
    const run = runOf(correct, ...plan);
    expect(judgeRun(run)).toEqual(judgement);
    expect(summarize(run).reward ?? null).toBe(judgement.reward);
    expect(summarize(run).isValid ?? null).toBe(judgement.format);
  });

  it('is computed from the grade if the summary of an older version has no reward', () => {
    expect(rewardOfSummary({ correct: true })).toBe(1);
    expect(rewardOfSummary({ correct: false })).toBe(0.5);
    expect(rewardOfSummary({ correct: null })).toBeNull();
    expect(rewardOfSummary({ correct: true, reward: 0 })).toBe(0);
  });
});

describe('the reasons for the chosen workers', () => {
  it('are stored with the plan', () => {
    const choices = [{ basis: 'order' as const, expected: 0.5, graded: 0, right: 0, inRole: false, runs: [] }];
    expect(runOf(null, { ...finished, choices }).rounds[0]?.plan?.choices).toEqual(choices);
    expect(runOf(null, finished).rounds[0]?.plan?.choices).toBeNull();
  });
});
