/**
 * @file View models that show why each step got its worker. A step that the user changed after planning has
 * no view model.
 */
import type { PoolWorker, Role, StepChoice, Workflow } from '../../../core/contract';
import { unchangedOrigins } from './step-origins';

export interface ChoiceView {
  /** Number of the step, from 1. */
  readonly number: number;
  readonly worker: PoolWorker;
  readonly role: Role;
  readonly choice: StepChoice;
}

/**
 * Builds a view for each step that is unchanged since planning, except steps that hand over to the Conductor.
 * @param choices one for each step of `written`
 * @param written the workflow as its Conductor wrote it
 * @param current the workflow now, possibly edited by the user
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
    // Uses `before.role`, because an edit may have removed the role from the current step.
    return [{ number: index + 1, worker, role: choice.role ?? before.role ?? 'solve', choice }];
  });
}

/** Whether steps were changed, added or removed after the workers were chosen. Moving a step doesn't count. */
export function isChanged(written: Workflow, current: Workflow): boolean {
  return written.steps.length !== current.steps.length || unchangedOrigins(written, current).includes(null);
}

/**
 * The note above choices that a policy or a language model made. It says that neither gives reasons. `''` for
 * all other choices.
 */
export function choicesNote(choices: readonly StepChoice[]): string {
  if (choices.some(({ by }) => by === 'network'))
    return 'The trained policy weighs the question and all workers at once and gives no reasons. This is what was known about the workers it chose.';
  if (choices.some(({ by }) => by === 'model'))
    return 'A language model chose and gives no reasons. This is what was known about its workers when the plan was written.';
  return '';
}
