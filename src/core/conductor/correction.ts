/** @file Asks a model to correct its invalid answer. */
import type { PlanCorrection, PlanProblem } from '../contract';

/**
 * Longest invalid answer that is shown to the model again, in UTF-16 units. An engine that returns a longer answer has ignored
 * the token limit.
 */
const MOST_SHOWN_AGAIN = 20_000;

/**
 * The request to correct an invalid answer.
 * @param given whether workers and access were given, so that the model only writes the subtasks
 */
export function correctionOf(
  text: string,
  problem: PlanProblem,
  { maxSteps, given, isJson }: { readonly maxSteps: number; readonly given: boolean; readonly isJson: boolean },
): PlanCorrection {
  const brief = given ? 'short subtasks' : 'two sentences of thought and short subtasks';
  const shorter = problem.code === 'cut-off' ? ` Be much shorter: ${brief}.` : '';
  const lists = 'the lists model_id, subtasks and access_list';
  const wanted = isJson
    ? 'the same JSON object, corrected'
    : given
      ? `${lists}, model_id and access_list as they were given to you, and nothing else`
      : `your thought in one or two sentences, then ${lists} with one entry for each step, at most ${maxSteps}, and nothing after them`;
  const content = `This is not a workflow that can run. ${problem.message}${shorter} Write your whole answer again: ${wanted}.`;
  return { shown: text.trim() !== '' && text.length <= MOST_SHOWN_AGAIN, text: content };
}
