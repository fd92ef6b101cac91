/**
 * @file What a graded run tells of its workers. Apart from the history: the rules by which roles are told from wording come when
 * there is a graded run.
 */
import { roleOf } from '../analysis';
import { countedGrade, type GradedRun, type Run } from '../contract';

/** What a run tells of its workers; `null` where it has no grade that counts. @param countsImported see `countedGrade` */
export function gradedRunOf(run: Run, countsImported: boolean): GradedRun | null {
  const right = countedGrade(run, countsImported)?.correct ?? null;
  if (right === null) return null;
  const played = new Map<string, GradedRun['played'][number]>();
  for (const { steps } of run.rounds) {
    const planned = steps.map(({ step }) => step);
    for (const { step, index, status } of steps) {
      const worker = run.pool[step.worker];
      // Reused steps count where they were called: in the run they were taken from.
      if (!worker || status !== 'finished') continue;
      const role = roleOf(planned, index);
      played.set(JSON.stringify([worker.id, role]), { workerId: worker.id, role });
    }
  }
  const { id, startedAt, question } = run;
  return { runId: id, startedAt, question: question.text, right, played: [...played.values()] };
}
