import { describe, expect, it } from 'vitest';
import { fault, foldEvents, type EventBody, type PlanEvent } from '../../../../src/core/contract';
import { UnitGrader } from '../../../../src/core/evaluation/batches/grading';
import { runStarted, stampEvents, step } from '../../../fixtures/run-events';
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
