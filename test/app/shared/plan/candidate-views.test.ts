import { describe, expect, test } from 'vitest';
import { candidatesSentence, candidateViews, chosenWords } from '../../../../src/app/shared/plan/candidate-views';
import {
  fault,
  favouriteOf,
  foldEvents,
  type EventBody,
  type Plan,
  type Workflow,
} from '../../../../src/core/contract';
import { poolWorker, runStarted, stampEvents, step } from '../../../fixtures/run-events';

const pool = [0, 1].map((index) => poolWorker(index));
const alone: Workflow = { steps: [step(0, 'Solve it')] };
const pair: Workflow = { steps: [step(0, 'Solve it'), step(1, 'Check it', [0])] };
const samePair: Workflow = { steps: [step(0, 'In other words'), step(1, 'Check', [0])] };

function planOf(workflows: readonly (Workflow | null)[], chosen: number | null = null): Plan {
  const bodies: EventBody[] = [
    runStarted({ pool }),
    { type: 'round-started', round: 0 },
    { type: 'plan-started', round: 0, conductor: runStarted().conductor, messages: [] },
    ...workflows.map((workflow, candidate): EventBody => {
      const problem = workflow ? null : { code: 'not-found' as const, message: 'There are no lists.', at: 0 };
      return { type: 'plan-candidate', round: 0, candidate, workflow, problem, text: '', usage: null, cost: null };
    }),
  ];
  if (chosen !== null) bodies.push({ type: 'plan-chosen', round: 0, candidate: chosen, by: 'vote' });
  const plan = foldEvents(stampEvents(bodies))?.rounds[0]?.plan;
  if (!plan) throw new Error('There is no plan.');
  return plan;
}

describe('candidate plans', () => {
  test('list each step’s worker, subtask and access', () => {
    const [view] = candidateViews(planOf([pair]), pool);
    expect(view?.steps).toMatchObject([
      { number: 1, worker: { name: 'Alder' }, subtask: 'Solve it', sees: '' },
      { number: 2, worker: { name: 'Birch' }, subtask: 'Check it', sees: 'sees 1' },
    ]);
  });

  test('do not agree if only one of them has access to earlier rounds', () => {
    const later: Workflow = { steps: pair.steps.map((each) => ({ ...each, seesEarlier: true })) };
    const views = candidateViews(planOf([pair, later]), pool);
    expect(views.map(({ agrees }) => agrees)).toEqual(['', '']);
    expect(views[1]?.steps.map(({ sees }) => sees)).toEqual(['sees earlier rounds', 'sees 1 and earlier rounds']);
  });

  test('show which plans agree, which plan a vote would choose, and which was chosen', () => {
    const plan = planOf([alone, pair, null, samePair], 3);
    const views = candidateViews(plan, pool);
    expect(views.map(({ agrees }) => agrees)).toEqual([
      '',
      'same workers and access as plan 4',
      '',
      'same workers and access as plan 2',
    ]);
    expect(favouriteOf(plan)).toBe(1);
    expect(favouriteOf(planOf([null]))).toBeNull();
    expect(views.map(({ isChosen }) => isChosen)).toEqual([false, false, false, true]);
  });

  test.each([
    [[pair, null, samePair], '3 plans, 1 could not be read. Both have the same workers and access.'],
    [[pair, samePair, pair], '3 plans. All have the same workers and access.'],
    [[pair, alone, samePair], '3 plans. 2 of them have the same workers and access.'],
    [[pair, alone], '2 plans. No two have the same workers and access.'],
    [[null, null], '2 plans, 2 could not be read.'],
    [[pair, null], '2 plans, 1 could not be read.'],
  ])('are summarized in one sentence', (workflows, sentence) => {
    expect(candidatesSentence(planOf(workflows))).toBe(sentence);
  });

  test('are counted separately if they are unreadable or failed', () => {
    const { candidates } = planOf([pair, null, null]);
    const lost = fault('unreachable', 'Nobody answers.', { retryable: true });
    const [first, second, third] = candidates;
    if (!first || !second || !third) throw new Error('There are no candidates.');
    const withFailed = [first, second, { ...third, problem: null, fault: lost }];
    expect(candidatesSentence({ candidates: withFailed })).toBe('3 plans, 1 could not be read, 1 failed.');
  });
});

test('says how a plan was chosen', () => {
  const words = (workflows: readonly (Workflow | null)[], by: 'vote' | 'rank' | 'person') =>
    chosenWords({ ...planOf(workflows, 0), chosenBy: by });
  expect(words([pair, alone], 'person')).toBe('chosen by you');
  expect(words([pair, null], 'rank')).toBe('the only valid plan');
  expect(words([pair, alone], 'rank')).toBe('chosen by the policy');
  expect(words([pair, alone, samePair], 'vote')).toBe('chosen by vote');
  expect(words([pair, alone], 'vote')).toBe('the first plan, because no two plans agree');
});
