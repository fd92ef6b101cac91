/**
 * @file The canonical form of a workflow: what prompts show, the grammar enforces and the stream reader expects. Three Python
 * lists, one a line, in the paper's order, which trained weights write too: `model_id`, `subtasks`, `access_list`.
 */
import type { AccessScheme, Step, Workflow } from '../contract';

/**
 * Writes a workflow in the canonical form, without a thought before it. `parseWorkflow` reads it back as it was, but for roles.
 *
 * `binary` knows only nothing and everything before: an entry that sees all earlier steps is `"all"`. One that sees some of
 * them has no binary form and is written as in `fine`, so that nothing is lost; the parser reads both.
 */
export function formatWorkflow(workflow: Workflow, options: { readonly access: AccessScheme }): string {
  const { steps } = workflow;
  return [
    `model_id = [${steps.map((step) => step.worker).join(', ')}]`,
    `subtasks = [${steps.map((step) => quoted(step.subtask)).join(', ')}]`,
    `access_list = [${steps.map((step, index) => formatAccess(step.access, index, options.access)).join(', ')}]`,
  ].join('\n');
}

/** One entry of the access list. `access` is ascending and without repeats. */
export function formatAccess(access: Step['access'], index: number, scheme: AccessScheme): string {
  const all = index > 0 && access.length === index;
  return scheme === 'binary' && all ? '"all"' : `[${access.join(', ')}]`;
}

/** A JSON string; delete is escaped like the other control characters. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}
