/** @file Summarizes a dataset's tasks: digest, number, groups and graders. */
import type { Dataset, EvaluationTask } from '../../contract';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

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

/** The revision of a dataset: a digest of all its tasks in their order. It is computed while the tasks arrive. */
interface RevisionDigest {
  add(task: EvaluationTask): void;
  /** Returns the SHA-256 as lower-case hex. Call it once, after the last task. */
  finish(): string;
}

/** Starts a digest. It doesn't depend on the order of a task's fields. */
export function revisionDigest(): RevisionDigest {
  const hash = sha256.create();
  return {
    add({ id, question, reference, grader, domain, group, solution, caution, artefactRules, recorded }) {
      const fields = [id, question, reference, grader, domain, group, solution, caution].map((field) => field ?? null);
      // A task without this field must keep the digest that older versions of Podium gave it.
      if (artefactRules !== undefined) fields.push(artefactRules);
      // JSON without indentation has no line breaks, so a line break separates tasks unambiguously.
      hash.update(utf8ToBytes(`${JSON.stringify(fields)}\n`));
      for (const { worker, text, usd, latency, input, output } of recorded ?? []) {
        hash.update(utf8ToBytes(`${JSON.stringify({ worker, text, usd, latency, input, output })}\n`));
      }
    },
    finish: () => bytesToHex(hash.digest()),
  };
}
