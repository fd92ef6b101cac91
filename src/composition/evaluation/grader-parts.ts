/**
 * @file Composes what graders need from the platform: a sandbox, the judge, and a function that decompresses the
 * private tests of programming tasks.
 */
import type { PoolWorker } from '../../core/contract';
import { privateTestsOpener } from '../../core/evaluation/datasets/private-tests';
import type { GraderParts } from '../../core/graders/grader-parts';
import { inflateBase64 } from '../../platform/datasets/inflate';
import { createSandbox } from '../../platform/sandbox/sandbox';
import { judgeUnderBudget, type JudgeParts } from './judge';

/** @returns a function that makes the parts. Its argument is `null` for a batch without a judge */
export function createGraderParts(parts: JudgeParts): (judge: PoolWorker | null) => GraderParts {
  const shared = {
    // Grading has its own sandbox, so that the grading of programs never delays a Python worker.
    runCode: createSandbox(parts.clock),
    openPrivateTests: privateTestsOpener(inflateBase64),
  };
  return (judge) => (judge ? { ...shared, judge: judgeUnderBudget(judge, parts) } : shared);
}
