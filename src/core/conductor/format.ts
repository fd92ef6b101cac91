/**
 * @file Formats workflows in the canonical form. Prompts show this form, the grammar enforces it, and the stream reader expects
 * it. The form has three Python lists, one on each line: `model_id`, `subtasks`, `access_list`. This order is from the paper.
 * Models that were trained as Conductors use the same order.
 */
import type { AccessScheme, Step, Workflow } from '../contract';

/**
 * Formats a workflow in the canonical form, without a thought. `parseWorkflow` restores the same workflow,
 * but without roles.
 *
 * The `binary` scheme has two entries: `[]` if the step sees no earlier step, and `"all"` if it sees all
 * earlier steps. If a step sees only some earlier steps, its entry is written as in `fine`, so that no
 * information is lost. The parser reads both schemes.
 */
export function formatWorkflow(workflow: Workflow, options: { readonly access: AccessScheme }): string {
  const { steps } = workflow;
  return [
    `model_id = [${steps.map((step) => step.worker).join(', ')}]`,
    `subtasks = [${steps.map((step) => quoted(step.subtask)).join(', ')}]`,
    `access_list = [${steps.map((step, index) => (step.seesEarlier ? '"all"' : formatAccess(step.access, index, options.access))).join(', ')}]`,
  ].join('\n');
}

/** Formats one entry of the access list. `access` must be ascending and without duplicates. */
export function formatAccess(access: Step['access'], index: number, scheme: AccessScheme): string {
  const all = index > 0 && access.length === index;
  return scheme === 'binary' && all ? '"all"' : `[${access.join(', ')}]`;
}

/** A JSON string in which the delete character is escaped like other control characters. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}
