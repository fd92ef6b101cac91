/** @file Compares the programs in answers by the tests of their task, and records the result in a run. Makes no calls. */
import type { Run } from '../contract';
import { testedAnalysis } from '../graders/disagreement-words';
import { answersDigest } from '../graders/disagreement';
import type { GraderParts } from '../graders/grader-parts';
import { groupByTests } from '../graders/tested-programs';
import type { TestedComparisonRequest } from './compare-answers';
import type { Runs } from './runs';

/** Rejects as `groupByTests`, and with a `FaultError` if the result can't be stored. @returns the run that records the result */
export async function compareByTests(
  { runId, question, answers, task }: TestedComparisonRequest,
  { runs, parts }: { readonly runs: Pick<Runs, 'addComparison'>; readonly parts: GraderParts },
  signal: AbortSignal,
): Promise<Run> {
  const groups = await groupByTests(answers, task, parts, signal);
  const sha256 = answersDigest(question, answers);
  return runs.addComparison(runId, {
    by: 'the tests of the task',
    sha256,
    usage: null,
    cost: 0,
    analysis: testedAnalysis(groups),
  });
}
