/** @file Grades programs, and finds out which tasks can be graded here. */
import { fault, FaultError, type EvaluationTask, type Fault, type Grader, type GradingProfile } from '../contract';
import type { GraderParts } from './grader-for';

const NOT_YET = fault('not-gradable', 'Programs cannot be graded yet.');

export function createProgramGrader(
  _kind: 'python' | 'unittest',
  _profile: GradingProfile,
  _parts: GraderParts,
): Grader {
  return {
    async grade() {
      throw new FaultError(NOT_YET);
    },
  };
}

export async function checkProgramTask(
  _task: Pick<EvaluationTask, 'reference' | 'solution'>,
  _kind: 'python' | 'unittest',
  _parts: GraderParts,
  _signal: AbortSignal,
): Promise<Fault | null> {
  return NOT_YET;
}
