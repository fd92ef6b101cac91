/**
 * @file Limits the methods of an evaluation with recorded workers, whose answers come from an imported table. The table has
 * answers only to whole questions, so a method can make only one call, with the whole question.
 */
import type { MethodChoice } from './evaluate-methods';

const ONE_CALL = new Set(['template:best-single', 'template:routing']);
const RANDOM = 'template:random';
const REFUSED = 'Needs answers that are not in the table.';

/**
 * Marks methods that need answers outside the table as unavailable, with a reason. The random workflow becomes
 * one call to a random worker.
 */
export function forRecordedWorkers(choices: readonly MethodChoice[]): readonly MethodChoice[] {
  return choices.map((choice): MethodChoice => {
    const { info, section } = choice;
    if (section === 'workers' || ONE_CALL.has(info.id)) return choice;
    if (info.id !== RANDOM) return { ...choice, missing: REFUSED };
    const description = 'One call for each task, to a worker drawn at random.';
    return { ...choice, name: 'Random worker', description, maxSteps: 1 };
  });
}
