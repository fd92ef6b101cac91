/** @file Summarizes a dataset's tasks: digest, number, groups and graders. */
import type { Dataset, EvaluationTask } from '../../contract';
import { revisionDigest } from './revision';

type TaskDescription = Pick<Dataset, 'revision' | 'tasks' | 'groups' | 'graders'>;

export function describeTasks(tasks: readonly EvaluationTask[]): TaskDescription {
  const digest = revisionDigest();
  const groups = new Map<string, number>();
  for (const task of tasks) {
    digest.add(task);
    if (task.group !== undefined) groups.set(task.group, (groups.get(task.group) ?? 0) + 1);
  }
  return {
    revision: digest.finish(),
    tasks: tasks.length,
    groups: [...groups].map(([group, count]) => ({ group, tasks: count })),
    graders: [...new Set(tasks.map(({ grader }) => grader))],
  };
}
