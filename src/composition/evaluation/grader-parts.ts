/** @file Composes what graders need beyond the language: a sandbox, the private tests of programs, and the judge of a batch. */
import type { PoolWorker } from '../../core/contract';
import { privateTestsOpener } from '../../core/evaluation/datasets/private-tests';
import type { GraderParts } from '../../core/graders/grader-for';
import { inflateBase64 } from '../../platform/datasets/inflate';
import { createSandbox } from '../../platform/sandbox/sandbox';
import { judgeUnderBudget, type JudgeParts } from './judge';

/** @returns makes the parts for a judge, or without one */
export function createGraderParts(parts: JudgeParts): (judge: PoolWorker | null) => GraderParts {
  const shared = {
    // Grading has a sandbox of its own, so that no worker waits for it.
    runCode: createSandbox(parts.clock),
    openPrivateTests: privateTestsOpener(inflateBase64),
  };
  return (judge) => (judge ? { ...shared, judge: judgeUnderBudget(judge, parts) } : shared);
}
