/** @file Writes the message that asks a model to correct its invalid answer. */
import type { PlanCorrection, PlanProblem } from '../contract';

/**
 * Maximum length of an invalid answer that the retry shows to the model, in UTF-16 units. A longer answer means that the engine
 * ignored the token limit.
 */
const MOST_SHOWN_AGAIN = 20_000;

/**
 * The message that asks for a correction, and whether the retry shows the invalid answer.
 * @param text the invalid answer
 * @param given whether the policy chose the workers and the access lists. The model then writes only the subtasks
 * @param isJson whether the answer is a JSON object instead of three lists
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
