/** @file Random valid workflows for tests, with subtasks that would break a careless parser. */
import fc from 'fast-check';
import type { AccessScheme, Workflow } from '../../../src/core/contract';

export const HOSTILE = [
  '"', "'", '`', '\\', '\n', '\r\n', '\t', '[', ']', '(', '}', ',', '#', '//', '/*', '"""', "'''", '“', '”', '’', ' ',
  'all', '"all"', '["all"]', 'None', '\u0000', '\u007f', '\u2028', '\ud800', '😀', 'é', '\\n', '\\"', '</think>', '<think>',
  'model_id = [0]', '\nmodel_id = [9]\nsubtasks = ["x"]\naccess_list = [[]]', 'subtasks: ["', 'access_list', '```', '- ', '**',
]; // prettier-ignore

const subtaskOf = fc
  .array(
    fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 6 }), fc.lorem({ maxCount: 2 })),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''))
  .filter((text) => text.trim() !== '');

/** Any valid workflow for a pool of `poolSize` workers. */
export function workflowOf(poolSize: number, maxSteps: number, access: AccessScheme): fc.Arbitrary<Workflow> {
  return fc
    .array(fc.record({ worker: fc.nat(poolSize - 1), subtask: subtaskOf, seen: fc.nat(2 ** 16 - 1) }), {
      minLength: 1,
      maxLength: maxSteps,
    })
    .map((drafts) => ({
      steps: drafts.map(({ worker, subtask, seen }, index) => {
        const earlier = Array.from({ length: index }, (_, step) => step);
        const binary = seen % 2 === 0 ? [] : earlier;
        return { worker, subtask, access: access === 'binary' ? binary : earlier.filter((step) => (seen >> step) % 2) };
      }),
    }));
}
