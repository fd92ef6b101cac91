/** @file Grades programs: finds the program in an answer and runs the task's tests on it. */
import { abortError, FaultError, type Grader, type GradingProfile, type Verdict } from '../contract';
import type { GraderParts } from './grader-parts';
import { commentOut, refusedText } from './programs/artefact';
import { checkProgramTask, testsFault } from './programs/check-task';
import { findProgram } from './programs/find-program';
import { notGradable, readTests, type ProgramKind, type ProgramTask } from './programs/program-task';
import { PYTHON_LIMITS, runProgram, type ProgramLimits } from './python';
import { runUnitTests, UNITTEST_LIMITS } from './unittest';

export { checkProgramTask, testsFault };

/**
 * The limits for BigCodeBench in the published code of arXiv 2512.04388. That code limits CPU time to 60 s. Podium
 * limits elapsed time instead.
 */
const ARTEFACT_UNITTEST_LIMITS: ProgramLimits = { timeLimit: 60_000, memoryLimit: 500 * 2 ** 20 };

/**
 * Creates a grader of programs. If the task can't be graded, `grade` rejects with a `FaultError` (`not-gradable` or
 * `nothing-to-grade`). If Python can't start, `grade` rejects with `internal`.
 */
export function createProgramGrader(kind: ProgramKind, profile: GradingProfile, parts: GraderParts): Grader {
  const isStrict = profile === 'strict';
  return {
    async grade(task: ProgramTask, answer, signal): Promise<Verdict> {
      if (signal.aborted) throw abortError();
      const { runCode } = parts;
      if (!runCode) throw new FaultError(notGradable('Programs can’t be run here.'));
      const found = await checkProgramTask(task, kind, parts, signal);
      if (found) throw new FaultError(found);
      const program = findProgram(answer, kind, profile);
      if (program === null) return { correct: false, detail: 'No Python program was found in the response.' };
      const tests = await readTests(task, kind, parts.openPrivateTests, signal);
      if (tests.kind === 'unittest') {
        const limits = isStrict ? UNITTEST_LIMITS : ARTEFACT_UNITTEST_LIMITS;
        return runUnitTests(isStrict ? program : commentOut(program), tests, limits, runCode, signal);
      }
      const refused = isStrict ? null : refusedText(program);
      if (refused !== null) return { correct: false, detail: `The program contains “${refused}”, so it was not run.` };
      return runProgram(program, tests, PYTHON_LIMITS, runCode, signal);
    },
  };
}
