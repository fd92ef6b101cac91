/** @file What a dataset records about its tasks: their digest, number, groups and graders. */
import { sha256Hex, type Dataset, type EvaluationTask } from '../../contract';

type TaskDescription = Pick<Dataset, 'revision' | 'tasks' | 'groups' | 'graders'>;

export function describeTasks(tasks: readonly EvaluationTask[]): TaskDescription {
  const groups = new Map<string, number>();
  for (const { group } of tasks) if (group !== undefined) groups.set(group, (groups.get(group) ?? 0) + 1);
  return {
    revision: sha256Hex(tasks.map(canonicalText).join('\n')),
    tasks: tasks.length,
    groups: [...groups].map(([group, count]) => ({ group, tasks: count })),
    graders: [...new Set(tasks.map(({ grader }) => grader))],
  };
}

/** The task as one line of JSON with its fields in a fixed order, so that equal tasks have equal digests. */
function canonicalText({ id, question, reference, grader, domain, group, solution, caution }: EvaluationTask): string {
  return JSON.stringify([id, question, reference, grader, domain, group, solution, caution]);
}
