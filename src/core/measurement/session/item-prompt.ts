/** @file The messages of an item. Planted answers are checked with the prompt that a check gets in a workflow. */
import { mixSeed, renderPrompt, seededRandom, workerPrompt, type Message, type Workflow } from '../../contract';
import type { MeasuredItem } from '../../contract/measurement/measurement';
import { verdictRequest } from '../../contract/workflow/read-verdicts';
import type { MadeTask } from './tasks';

const SOLVE = 'Solve the user question.';
const CHECK =
  'Check whether the response to the earlier subtask answers the user question. Work it out yourself first.';

const CHECKING: Workflow = {
  steps: [
    { subtask: SOLVE, worker: 0, access: [], role: 'solve' },
    { subtask: CHECK, worker: 0, access: [0], role: 'verify' },
  ],
};

/** The messages of an item with a generated task. */
export function itemMessages({ planted, seed }: MeasuredItem, task: MadeTask): readonly Message[] {
  if (planted === undefined) return solveMessages(task);
  return checkMessages(task, planted ? task.right : task.wrong(seededRandom(mixSeed(seed, 'planted'))));
}

/** Asks for the solution of a task. */
export function solveMessages({ question }: Pick<MadeTask, 'question'>): readonly Message[] {
  return [{ role: 'user', content: question }];
}

/** Asks for a verdict on a planted answer. */
function checkMessages({ question }: Pick<MadeTask, 'question'>, planted: string): readonly Message[] {
  const subtasks = CHECKING.steps.map(({ subtask }) => subtask);
  return renderPrompt(workerPrompt(CHECKING, 0, 1, undefined, [], verdictRequest([0])), {
    question,
    subtask: (_round, step) => subtasks[step],
    output: () => planted,
  });
}
