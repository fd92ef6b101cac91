/** @file Reads the tasks of `podium teach`: a file of tasks, saved graded runs, or generated tasks. */
import { domainOf } from '../../core/analysis/domain';
import { confidentialityCheck, type EvaluationTask } from '../../core/contract';
import { generatedTasks } from '../../core/evaluation/datasets/practice/generated-tasks';
import { measuredTasks } from '../../core/lessons/tasks/measured-tasks';
import { ownQuestionIds, ownQuestions } from '../../core/lessons/tasks/own-questions';
import { GENERATED_TASKS } from '../../core/lessons/tasks/task-sources';
import { MEASURED_DOMAINS } from '../../core/measurement/ability/observation';
import type { CommandContext } from '../command';
import { UsageError } from '../exit-codes';
import { isScored } from '../serve/score/score-request';
import { openRunFilesToRead } from '../store/run-files';
import { readTaskFile } from '../task-file';

/** Throws a `UsageError` unless exactly one source is given. */
export async function readTeachTasks(
  { line, terminal }: CommandContext,
  seed: number,
): Promise<readonly EvaluationTask[]> {
  const warn = (sentence: string) => terminal.error(`${sentence}\n`);
  const [path, graded, generated] = [line.text('tasks'), line.text('graded'), line.text('generated')];
  const puzzles = line.count('puzzles', 1);
  if ([path, graded, generated, puzzles].filter((each) => each !== null).length !== 1) {
    throw new UsageError('Give exactly one of --tasks, --graded, --generated and --puzzles.');
  }
  if (path !== null) return tasksIn(path, warn);
  if (graded !== null) return questionsIn(graded, warn);
  return generated === null
    ? generatedTasks(seed, puzzles ?? 0)
    : [...measuredTasks(domainsOf(generated), seed, GENERATED_TASKS)];
}

async function tasksIn(path: string, warn: (sentence: string) => void): Promise<EvaluationTask[]> {
  const read = await readTaskFile(path, warn);
  const tasks = read.flatMap(({ id, task: { question, reference, grader } }): EvaluationTask[] => {
    const own = { id, question, domain: domainOf(question), ...(reference === undefined ? {} : { reference }) };
    return isScored(grader) ? [{ ...own, grader }] : [];
  });
  const left = read.length - tasks.length;
  if (left > 0) warn(`Left out ${left} tasks, because this command does not have their graders.`);
  return tasks;
}

async function questionsIn(path: string, warn: (sentence: string) => void): Promise<readonly EvaluationTask[]> {
  const store = await openRunFilesToRead(path, warn);
  try {
    // Whoever gives the file means its grades, also if they were imported.
    const countsImported = true;
    const read = (id: string) => store.read(id);
    const isConfidential = confidentialityCheck({ read, datasets: [], batches: [] });
    const ids = await ownQuestionIds(store, countsImported);
    const tasks = await ownQuestions(store, ids, { isConfidential, countsImported });
    const left = ids.length - tasks.length;
    if (left > 0)
      warn(`Left out ${left} runs, because their question is a repetition or their right answer is not short.`);
    return tasks;
  } finally {
    await store.close();
  }
}

function domainsOf(text: string) {
  if (text === 'all') return MEASURED_DOMAINS;
  const wanted = text.split(',').map((each) => each.trim());
  const unknown = wanted.find((each) => !MEASURED_DOMAINS.some((domain) => domain === each));
  if (unknown === undefined) return MEASURED_DOMAINS.filter((domain) => wanted.includes(domain));
  throw new UsageError(
    `“${unknown}” is no domain of generated tasks. Give all, or some of ${MEASURED_DOMAINS.join(', ')}.`,
  );
}
