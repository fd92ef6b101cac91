/**
 * @file Builds the question that the methods of a batch receive. If the batch's plan has an answer format, an instruction for
 * this format is appended to the task's question. The published code of arXiv 2512.04388 appends such an instruction to each
 * question of MATH, MMLU, RLPR and LiveCodeBench. The instructions here ask for the same format in other words.
 */
import type { BatchPlan, DatasetStore, EvaluationTask } from '../../contract';
import { DEFINITIONS } from '../../graders/definitions';

/** The instruction that is appended to the question of a task. `''`: nothing is appended. */
export function answerInstruction({ grader, artefactRules }: Pick<EvaluationTask, 'grader' | 'artefactRules'>): string {
  const { tagged } = DEFINITIONS[grader];
  if (tagged === null || artefactRules !== undefined) return '';
  return `Think step by step between <idea> and </idea>, but keep it short. Then give only ${tagged} If the text above describes another format for the answer, use this format instead.`;
}

/**
 * The question that is sent. Without an answer format, it must be exactly the question in the dataset, because run ids depend on
 * it.
 */
export function sentQuestion(task: EvaluationTask, { answerFormat }: Pick<BatchPlan, 'answerFormat'>): string {
  const instruction = answerFormat === 'answer-tags' ? answerInstruction(task) : '';
  return instruction === '' ? task.question : `${task.question}\n\n${instruction}`;
}

/** Number of tasks that are read at a time. It is small, because the tests of a coding task can be large. */
const PART = 20;

/**
 * Whether the answer format `answer-tags` changes the question of any task of a plan. `null`: unknown, because a dataset is
 * missing. Rejects with a `FaultError` if the storage fails.
 */
export async function hasTagTasks(
  plan: Pick<BatchPlan, 'datasets'>,
  datasets: Pick<DatasetStore, 'get' | 'tasks'>,
): Promise<boolean | null> {
  let isKnown = true;
  for (const { id, taskIds } of plan.datasets) {
    const dataset = await datasets.get(id);
    isKnown &&= dataset !== null;
    if (!dataset?.graders.some((grader) => DEFINITIONS[grader].tagged !== null)) continue;
    for (let from = 0; from < taskIds.length; from += PART) {
      const tasks = await datasets.tasks(id, taskIds.slice(from, from + PART));
      if (tasks.some((task) => answerInstruction(task) !== '')) return true;
    }
  }
  return isKnown ? false : null;
}
