/**
 * @file Estimates what the judge of a batch costs for one unit. The judge is a worker that grades answers.
 */
import {
  costOf,
  estimateTokens,
  GRADERS,
  isFree,
  worstCost,
  type EvaluationTask,
  type PoolWorker,
} from '../../contract';
import { judgeSampling } from '../../graders/ask-judge';

/** Tokens of the judge's rules and the tags around the texts. */
const FRAME = 300;
/** Low estimate of the length of an answer, in tokens. */
const SHORT_ANSWER = 150;
/** Low estimate of the length of the judge's reply, in tokens. */
const SHORT_VERDICT = 60;
/** Factor for the upper estimate of the input. Digits, code and rare scripts take about twice the tokens of prose. */
const WORST = 2;

/** The calls of one unit and their cost in US dollars. `null`: a price is unknown. */
export interface UnitEstimate {
  readonly calls: { readonly low: number; readonly high: number };
  readonly usd: { readonly low: number; readonly high: number } | null;
}

/** The estimated tokens of an answer. */
interface AnswerTokens {
  readonly low: number;
  readonly high: number;
}

/** Estimates the tokens of an answer that is not written yet. @param maxTokens the output limit of the answer */
export function unknownAnswer(maxTokens: number): AnswerTokens {
  return { low: Math.min(SHORT_ANSWER, maxTokens), high: maxTokens };
}

export function knownAnswer(answer: string): AnswerTokens {
  const tokens = estimateTokens(answer);
  return { low: tokens, high: tokens };
}

/** Estimates the call to the judge for one unit. @returns `null` if no judge grades the task */
export function judgeEstimate(
  judge: PoolWorker | null,
  task: EvaluationTask,
  answer: AnswerTokens,
): UnitEstimate | null {
  if (GRADERS[task.grader].by !== 'judge' || !judge) return null;
  const calls = { low: 1, high: 1 };
  if (isFree(judge)) return { calls, usd: { low: 0, high: 0 } };
  const texts = estimateTokens(task.question) + estimateTokens(task.reference ?? '') + FRAME;
  const low = costOf({ input: texts + answer.low, output: SHORT_VERDICT }, judge.price);
  const longest = WORST * (texts + answer.high);
  const high = worstCost(judge, longest, judgeSampling(judge).maxTokens);
  return { calls, usd: low === null || high === null ? null : { low, high } };
}
