/**
 * @file Summarizes what a graded run shows about its workers. `history.ts` loads this file only once there is a graded run, because
 * this file imports the rules that recognize the role of a step by its wording.
 */
import { roleOf } from '../analysis';
import { countedGrade, type GradedRun, type Run } from '../contract';

/**
 * What a run shows about its workers, or `null` if the run has no grade that counts.
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
      // Skips reused steps, because they count for the run in which their workers were called.
      if (!worker || status !== 'finished') continue;
      const role = roleOf(planned, index);
      played.set(JSON.stringify([worker.id, role]), { workerId: worker.id, role });
    }
  }
  const { id, startedAt, question, batch } = run;
  const graded = { runId: id, startedAt, question: question.text, right, played: [...played.values()] };
  return batch ? { ...graded, isOfBatch: true } : graded;
}
