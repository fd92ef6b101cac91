/** @file Compares answers, by a worker or by the tests of their task, and records the result in a run. */
import {
  isFree,
  type Account,
  type AnswerAnalysis,
  type AnswerComparison,
  type BatchReference,
  type EvaluationTask,
  type PoolWorker,
  type Run,
} from '../contract';
import { analysisMessages, askAnalysis } from '../graders/answer-analysis';
import { answersDigest, type GivenAnswer } from '../graders/disagreement';
import { testedAnalysis } from '../graders/disagreement-words';
import type { GraderParts } from '../graders/grader-parts';
import type { AskRoom } from '../contract/money/ask-worker';
import type { Judge } from '../graders/judge';
import { groupByTests } from '../graders/tested-programs';
import type { Runs } from './runs';

export interface ComparisonRequest {
  readonly worker: PoolWorker;
  /** The run that records the comparison and its cost. */
  readonly runId: string;
  readonly question: string;
  readonly answers: readonly GivenAnswer[];
  /** Answers that workers gave after seeing others. */
  readonly revised: readonly GivenAnswer[];
}

export interface TestedComparisonRequest extends Pick<ComparisonRequest, 'runId' | 'question' | 'answers'> {
  /** The task that the answers are for. */
  readonly task: EvaluationTask;
}

export interface AnswerAnalyst {
  /** Resolves with the run that records the comparison. Rejects with a `FaultError`, or an `AbortError`. */
  compare(request: ComparisonRequest, signal: AbortSignal): Promise<Run>;
  /** The task of a run, if it has tests that can compare programs. `null`: no tests are at hand. */
  testedTask(batch: BatchReference): Promise<EvaluationTask | null>;
  /** Compares programs by the tests of their task, for free. Resolves and rejects like `compare`. */
  compareByTests(request: TestedComparisonRequest, signal: AbortSignal): Promise<Run>;
}

/**
 * Lets a worker compare answers, and records each of its calls in a run. If a call may cost money, its maximum cost is recorded
 * before the call is sent. So the cost counts even if the page closes before the worker answers.
 */
export async function compareAnswers(
  { worker, runId, question, answers, revised }: ComparisonRequest,
  { runs, judge }: { readonly runs: Pick<Runs, 'addComparison'>; readonly judge: Judge },
  signal: AbortSignal,
): Promise<Run> {
  const sha256 = answersDigest(question, answers);
  let ended: Account | null = null;
  let isPending = false;
  const write = (call: Pick<AnswerComparison, 'usage' | 'cost' | 'billed' | 'analysis' | 'pending'>) =>
    runs.addComparison(runId, { by: judge.name, sha256, ...call });
  async function close(analysis: AnswerAnalysis | null): Promise<Run | null> {
    const account = ended;
    const isOpen = isPending;
    [ended, isPending] = [null, false];
    return account && (analysis ?? isOpen) ? write({ ...account, analysis }) : null;
  }
  const room: AskRoom = async (usd) => {
    await close(null);
    return {
      reserve: () => ({ type: 'reserved', reservation: null }),
      async announce() {
        if (isFree(worker)) return;
        await write({ usage: null, cost: usd, analysis: null, pending: true });
        isPending = true;
      },
      // If the reply was cut off, the cost of the call is unknown. Then its maximum counts.
      settle: (_reservation, account) => (ended = account.cost === null ? { ...account, cost: usd } : account),
    };
  };
  try {
    const analysis = await askAnalysis(judge, analysisMessages(question, answers, revised), signal, room);
    return (await close(analysis)) ?? (await write({ usage: null, cost: 0, analysis }));
  } finally {
    await close(null);
  }
}

/**
 * Compares the programs in answers by the tests of their task, without calls. Rejects as `groupByTests`, and with a `FaultError` if the result can't be stored.
 * @returns the run that records the result
 */
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
