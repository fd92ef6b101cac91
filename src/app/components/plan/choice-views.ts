/** @file Why each step went to its worker, as far as that is still so: of a step that was changed since, nothing is said. */
import type { PoolWorker, Role, StepChoice, Workflow } from '../../../core/contract';
import { unchangedOrigins } from './step-origins';

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
  const origins = unchangedOrigins(written, current);
  return current.steps.flatMap((step, index) => {
    const origin = origins[index] ?? -1;
    const before = written.steps[origin];
    const choice = choices[origin];
    const worker = pool[step.worker];
    if (!before || !choice || !worker || worker.kind === 'conductor') return [];
    // The step that was written says what it is for; an edit may have taken that label off.
    return [{ number: index + 1, worker, role: choice.role ?? before.role ?? 'solve', choice }];
  });
}

/** Whether steps were changed, added or removed after the workers had been chosen. A step that was only moved is as it was. */
export function isChanged(written: Workflow, current: Workflow): boolean {
  return written.steps.length !== current.steps.length || unchangedOrigins(written, current).includes(null);
}

/** What is said before the list; `''` where the reasons speak for themselves. */
export function choicesNote(choices: readonly StepChoice[]): string {
  if (choices.some(({ by }) => by === 'network'))
    return 'The trained policy weighs the question and all workers at once and gives no reasons. This is what was known of those it chose.';
  if (choices.some(({ by }) => by === 'model'))
    return 'A language model chose and gives no reasons. This is what was known of its workers when the plan was written.';
  return '';
}
