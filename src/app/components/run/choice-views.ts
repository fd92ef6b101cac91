/** @file Why each step went to its worker, as far as that is still so: of a step that was changed since, nothing is said. */
import { sameStep, type PoolWorker, type Role, type StepChoice, type Workflow } from '../../../core/contract';

export interface ChoiceView {
  /** 1-based. */
  readonly number: number;
  readonly worker: PoolWorker;
  /** What the step is for. */
  readonly role: Role;
  readonly choice: StepChoice;
}

/**
 * @param choices one for each step of `written`
 * @param written the workflow as its Conductor wrote it
 * @param current the workflow as it stands, which a person may have edited
 */
export function choiceViews(
  choices: readonly StepChoice[],
  { written, current, pool }: { written: Workflow; current: Workflow; pool: readonly PoolWorker[] },
): ChoiceView[] {
  return current.steps.flatMap((step, index) => {
    const before = written.steps[index];
    const choice = choices[index];
    const worker = pool[step.worker];
    if (!before || !choice || !worker || worker.kind === 'conductor' || !sameStep(before, step)) return [];
    // The step that was written says what it is for; an edit may have taken that label off.
    return [{ number: index + 1, worker, role: choice.role ?? before.role ?? 'solve', choice }];
  });
}

/** Whether there are steps that somebody changed after the workers had been chosen. */
export function isChanged(written: Workflow, current: Workflow): boolean {
  return current.steps.some((step, index) => {
    const before = written.steps[index];
    return !before || !sameStep(before, step);
  });
}

/** What is said before the list; `''` where the reasons speak for themselves. */
export function choicesNote(choices: readonly StepChoice[]): string {
  if (choices.some(({ by }) => by === 'network'))
    return 'The trained policy weighs the question and all workers at once and gives no reasons. This is what was known of those it chose.';
  if (choices.some(({ by }) => by === 'model'))
    return 'A language model chose and gives no reasons. This is what was known of its workers when the policy ranked the plans.';
  return '';
}
