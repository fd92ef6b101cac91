/**
 * @file Lists the workers of a graded run and their roles. This file imports the rules that recognize the role of a
 * step by its wording. A page without graded runs does not need these rules, so `history.ts` lazy-loads this file.
 */
import { roleOf } from '../analysis/roles';
import { countedGrade, type GradedRun, type Run } from '../contract';

/**
 * The grade of a run, and the role of each worker in it. `null` if the run has no grade that counts.
 * @param countsImported see `countedGrade`
 */
export function gradedRunOf(run: Run, countsImported: boolean): GradedRun | null {
  const right = countedGrade(run, countsImported)?.correct ?? null;
  if (right === null) return null;
  const played = new Map<string, GradedRun['played'][number]>();
  for (const { steps } of run.rounds) {
    const planned = steps.map(({ step }) => step);
    for (const { step, index, status } of steps) {
      const worker = run.pool[step.worker];
      // A reused step has the status `reused`. It counts only for the earlier run, in which its worker was called.
      if (!worker || status !== 'finished') continue;
      const role = roleOf(planned, index);
      played.set(JSON.stringify([worker.id, role]), { workerId: worker.id, role });
    }
  }
  const { id, startedAt, question, batch } = run;
  const graded = { runId: id, startedAt, question: question.text, right, played: [...played.values()] };
  return batch ? { ...graded, isOfBatch: true } : graded;
}
