import { describe, expect, it } from 'vitest';
import { fault, foldEvents, type CheckVerdict, type EventBody, type PlanEvent } from '../../../../src/core/contract';
import { UnitGrader } from '../../../../src/core/evaluation/batches/grading';
import { poolWorker, runStarted, stampEvents, step } from '../../../fixtures/run-events';
import { EXACT, exactTasks } from './world';

const problem = { code: 'not-found' as const, message: 'There is no list.', at: 0 };
const bill = { usage: null, cost: null };
const refused: PlanEvent = { type: 'plan-retried', problem, fault: null, text: 'Hm', next: 'stricter', ...bill };
const offline = fault('unreachable', 'The server can’t be reached.');

/** A run that failed after these events of its plan. */
function failedRun(...plan: PlanEvent[]) {
  const bodies: EventBody[] = [
    runStarted(),
    { type: 'round-started', round: 0 },
    { type: 'plan-started', round: 0, conductor: runStarted().conductor, messages: [] },
    ...plan.map((event): EventBody => ({ ...event, round: 0 })),
    { type: 'run-failed', fault: offline },
  ];
  const run = foldEvents(stampEvents(bodies));
  if (!run) throw new Error('The events have no run.');
  return run;
}

function gradingOf(...plan: PlanEvent[]) {
  const [task] = exactTasks(1);
  if (!task) throw new Error('There is no task.');
  return new UnitGrader(EXACT, null).grade(task, failedRun(...plan), new AbortController().signal);
}

describe('a failed run', () => {
  it('is graded as wrong if the Conductor wrote no valid workflow', async () => {
    const failed: PlanEvent = { type: 'plan-failed', problem, fault: offline, text: 'Hm', ...bill };
    expect(await gradingOf(refused, failed)).toMatchObject({
      status: 'graded',
      verdicts: { strict: { correct: false } },
    });
  });

  it('has no verdict if the Conductor’s second attempt was a valid workflow', async () => {
    const finished: PlanEvent = {
      type: 'plan-finished',
      workflow: { steps: [step(0, 'Solve')] },
      thought: '',
      text: '',
      source: 'conductor',
      finishReason: 'stop',
      ...bill,
    };
    expect(await gradingOf(refused, finished)).toEqual({ status: 'failed', verdicts: {}, fault: offline });
  });
});

describe('the checks of a graded run', () => {
  const checked = (first: string, verdict: CheckVerdict, last: string) => {
    const pool = [0, 1].map((index) => poolWorker(index));
    const workflow = {
      steps: [
        { ...step(0, 'Solve'), role: 'solve' as const },
        { ...step(1, 'Check', [0]), role: 'verify' as const },
        { ...step(0, 'Correct', [0, 1]), role: 'refine' as const },
      ],
    };
    const plan = { workflow, thought: '', text: '', source: 'conductor', finishReason: 'stop', ...bill } as const;
    const bodies: EventBody[] = [
      runStarted({ pool }),
      { type: 'round-started', round: 0 },
      { type: 'plan-started', round: 0, conductor: runStarted().conductor, messages: [] },
      { type: 'plan-finished', round: 0, ...plan },
      ...[first, 'Checked.', last].flatMap((output, index): EventBody[] => {
        const key = { round: 0, step: index, attempt: 0 };
        const verdicts = index === 1 ? { verdicts: [{ step: 0, verdict }] } : {};
        const workerId = pool[index % 2]?.id ?? '';
        return [
          { type: 'step-started', ...key, workerId, messages: [], sha256: '' },
          { type: 'step-finished', ...key, output, reasoning: '', finishReason: 'stop', ...bill, ...verdicts },
        ];
      }),
      { type: 'round-finished', round: 0, outcome: 'answered' },
      { type: 'run-finished', round: 0, step: 2 },
    ];
    const run = foldEvents(stampEvents(bodies));
    const [task] = exactTasks(1);
    if (!run || !task) throw new Error('There is no run or no task.');
    const [solver, checker] = pool.map(({ id }) => id);
    const grade = new UnitGrader(EXACT, null).grade(task, run, new AbortController().signal);
    return { grade, task, seen: { checker, solver, verdict } };
  };
  const right = exactTasks(1)[0]?.reference ?? '';

  it('are known to be true by grading the answers that they saw, whatever the run ended with', async () => {
    const cases = [
      [right, 'right', 'none', true],
      ['none', 'right', 'none of them', false],
      ['none', 'wrong', right, false],
    ] as const;
    for (const [first, verdict, last, isRight] of cases) {
      const { grade, seen } = checked(first, verdict, last);
      expect((await grade).checks, `${first}, ${verdict}`).toEqual([{ ...seen, isRight }]);
    }
  });
});
