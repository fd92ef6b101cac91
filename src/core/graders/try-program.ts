/** @file Tries a programming task before its import. It is separate from `grader-for.ts`, which the first page loads. */
import { loadOnce, type EvaluationTask, type Fault } from '../contract';
import { checkGradable, type GraderParts } from './grader-for';

/**
 * Like `checkGradable`, for a programming task that is about to be imported. If the task has no solution, its unit tests must at
 * least load.
 */
export async function tryProgram(task: EvaluationTask, parts: GraderParts, signal: AbortSignal): Promise<Fault | null> {
  const found = await checkGradable(task, parts, signal);
  if (found || task.grader !== 'unittest' || task.solution !== undefined) return found;
  return (await loadProgramGrader()).testsFault(task, parts, signal);
}

const loadProgramGrader = loadOnce(() => import('./program-grader'), 'the grader of programs');
