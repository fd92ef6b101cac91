/**
 * @file The user's own questions as tasks of a search: questions of saved runs that were graded as right, with the short answer as the
 * reference. Answers that are too long to be compared give no task.
 */
import { domainOf } from '../../analysis/domain';
import {
  countedGrade,
  foldEvents,
  mayCount,
  type EvaluationTask,
  type GraderKind,
  type Run,
  type RunStore,
  type RunSummary,
  type StoredEvent,
} from '../../contract';
import { referenceDoubts } from '../../evaluation/datasets/try-references';
import { graderFor } from '../../graders/grader-for';
import { puzzleFault } from '../../graders/puzzle';
import { statedAnswer } from '../../graders/same-answers';
import { spellings } from '../../graders/text-match';

export interface OwnQuestionsOptions {
  /** Whether a run must not leave this browser. Its question is no task. @param first the run's first event */
  readonly isConfidential: (first: StoredEvent) => Promise<boolean>;
  /** Whether grades from imported files count. */
  readonly countsImported: boolean;
}

/** Number of the newest runs that are searched. */
const NEWEST = 5_000;
/** Number of runs that are read at a time. */
const PAGE = 100;

/** Ids of runs that may give a task, newest first, according to their summaries. Runs of batches are in their datasets already. */
export async function ownQuestionIds(
  store: Pick<RunStore, 'summaries'>,
  countsImported: boolean,
): Promise<readonly string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  for (let read = 0; read < NEWEST; read += PAGE) {
    const page = await store.summaries({ limit: PAGE, after });
    ids.push(...page.summaries.filter((summary) => mayAsk(summary, countsImported)).map(({ id }) => id));
    after = page.next;
    if (after === null) break;
  }
  return ids;
}

function mayAsk(summary: RunSummary, countsImported: boolean): boolean {
  const { correct, batch, thread, recorded } = summary;
  const isWhole = batch === undefined && thread === undefined && !recorded;
  return isWhole && correct === true && mayCount(summary, countsImported);
}

/** The tasks of runs, in their order. The id of a task is that of its run. A question that was asked several times is one task. */
export async function ownQuestions(
  store: Pick<RunStore, 'readMany'>,
  ids: readonly string[],
  { isConfidential, countsImported }: OwnQuestionsOptions,
): Promise<readonly EvaluationTask[]> {
  const tasks = new Map<string, EvaluationTask>();
  const read = taskReader();
  for (let from = 0; from < ids.length; from += PAGE) {
    for (const events of await store.readMany(ids.slice(from, from + PAGE))) {
      const [first] = events;
      const run = foldEvents(events);
      if (!first || !run || (await isConfidential(first))) continue;
      const task = await read(run, countsImported);
      if (task && !tasks.has(task.question)) tasks.set(task.question, task);
    }
  }
  return [...tasks.values()];
}

/** The graders that may compare an answer with the right one. The first under which the right answer is right is used. */
const KINDS: readonly GraderKind[] = ['mathematics', 'rlpr', 'exact'];
/** The first two options of a question, such as “A) …” and “B) …”, each on a line of its own. */
const OPTIONS = [/^[ \t]*\(?A[).:]/m, /^[ \t]*\(?B[).:]/m];

function taskReader(): (run: Run, countsImported: boolean) => Promise<EvaluationTask | null> {
  const doubt = referenceDoubts();
  const { signal } = new AbortController();
  return async (run, countsImported) => {
    const { text: question, context, images = [], files = [] } = run.question;
    if (countedGrade(run, countsImported)?.correct !== true || run.answer === null) return null;
    if (context || images.length > 0 || files.length > 0 || question.trim() === '') return null;
    const base = { id: run.id, question, domain: domainOf(question) };
    if (puzzleFault(question) === null) return { ...base, grader: 'puzzle' };
    const stated = statedAnswer(run.answer);
    if (stated === null) return null;
    // Without emphasis, quotes and a label, because a lesson must not repeat the answer in any form.
    const reference = spellings(stated).at(-1) ?? stated;
    const isLetter = /^[A-J]$/.test(reference) && OPTIONS.every((option) => option.test(question));
    for (const grader of isLetter ? (['letter'] as const) : KINDS) {
      const task = { ...base, grader, reference };
      if ((await doubt(task, signal)) !== null) continue;
      const verdict = await graderFor(grader, 'strict')?.grade(task, run.answer, signal);
      if (verdict?.correct) return task;
    }
    return null;
  };
}
