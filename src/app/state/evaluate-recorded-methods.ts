/**
 * @file Limits methods to those that recorded workers allow: methods that call one worker once, with the whole question. The answers
 * of recorded workers come from an imported table.
 */
import type { MethodChoice } from './evaluate-methods';

const ONE_CALL = new Set(['template:best-single', 'template:routing']);
const RANDOM = 'template:random';
const REFUSED = 'Needs answers that are not in the table.';

/**
 * Returns the choices with two changes. Methods that make other calls get a reason why they can't be chosen. The random workflow
 * becomes one call to a random worker.
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
