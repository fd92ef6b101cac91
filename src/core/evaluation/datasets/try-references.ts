/**
 * @file Grades the references of tasks before their dataset is used: each reference is put into the form that workers are asked
 * for, and must be graded as right. This finds a wrong column, a worked solution in place of an answer, and tests that fail.
 */
import {
  FaultError,
  GRADERS,
  toFault,
  type EvaluationTask,
  type Fault,
  type Grader,
  type GraderKind,
  type ReferenceTrial,
} from '../../contract';
import { DEFINITIONS, type Trial } from '../../graders/definitions';
import { graderFor } from '../../graders/grader-for';

/** Runs the solution of a programming task, or loads its tests if it has no solution. @returns why the task can't be graded */
export type TryProgram = (task: EvaluationTask, signal: AbortSignal) => Promise<Fault | null>;

/**
 * Tries the references of some tasks. Rejects with an `AbortError` on abort.
 * @param tryProgram absent: programming tasks are not tried
 */
export async function tryReferences(
  tasks: readonly EvaluationTask[],
  tryProgram: TryProgram | undefined,
  signal: AbortSignal,
): Promise<ReferenceTrial> {
  const failed: { taskId: string; message: string }[] = [];
  const doubt = referenceDoubts();
  let tried = 0;
  let untried: string | null = null;
  let programs = 0;
  for (const task of tasks) {
    signal.throwIfAborted();
    if (GRADERS[task.grader].by === 'sandbox') {
      if (!tryProgram || (programs += 1) > MOST_PROGRAMS) continue;
      const result = await programDoubt(task, tryProgram, signal);
      if (result.kind === 'untried') {
        untried ??= result.message;
        continue;
      }
      tried += 1;
      if (result.message !== null) failed.push({ taskId: task.id, message: result.message });
    } else if (DEFINITIONS[task.grader].trial) {
      tried += 1;
      const message = await doubt(task, signal);
      if (message !== null) failed.push({ taskId: task.id, message });
    }
  }
  return { tried, failed, untried };
}

/** Returns a function that tries the reference of one task, and returns why it is not graded as right. Skips programming tasks. */
export function referenceDoubts(): (task: EvaluationTask, signal: AbortSignal) => Promise<string | null> {
  const graders = new Map<GraderKind, Grader | null>();
  return async (task, signal) => {
    const { grader: kind, reference } = task;
    const { trial } = DEFINITIONS[kind];
    if (!trial || reference === undefined) return null;
    const grader = graders.get(kind) ?? graderFor(kind, 'strict');
    graders.set(kind, grader);
    const doubt = DOUBTS[trial.refuses](reference);
    if (doubt !== null) return doubt;
    const verdict = await grader?.grade(task, trial.answer(reference), signal);
    if (verdict && !verdict.correct) return `The reference itself is graded as wrong. ${verdict.detail}`;
    return null;
  };
}

/** Maximum number of programming tasks to try, because each may take seconds. */
const MOST_PROGRAMS = 3;
/** Longer references are sentences, which no worker repeats word for word. */
const LONGEST_EXACT = 120;

/** Why no worker will give an answer that is graded as right, even if repeating the reference would be. */
const DOUBTS: Readonly<Record<Trial['refuses'], (reference: string) => string | null>> = {
  nothing: () => null,
  long: longText,
  worked: (reference) => (isWorked(reference) ? partSentence(reference) : null),
};

function longText(reference: string): string | null {
  if (hasMarkedAnswer(reference)) return partSentence(reference);
  const lines = reference.trim().split('\n').length;
  if (lines === 1 && reference.length <= LONGEST_EXACT) return null;
  const length = lines > 1 ? `${lines} lines` : `${reference.length} characters`;
  return `An answer would have to repeat the ${length} of the reference word for word. Choose the part of it that is the answer, or another grader.`;
}

/** Minimum number of words outside of LaTeX commands for which a text is prose. */
const PROSE = 8;

/** Whether a reference is a worked solution. Comparing it with itself would succeed, but no worker answers with these words. */
export function isWorked(reference: string): boolean {
  const text = reference.trim();
  if (hasMarkedAnswer(text) || (text.includes('\n') && !text.includes('\\begin'))) return true;
  const plain = text.replace(/\\[a-zA-Z]+/g, ' ');
  return (plain.match(/(?<![\p{L}\d])\p{L}{2,}/gu)?.length ?? 0) >= PROSE;
}

/** Whether only a part of the text is the answer: after a marker, or in a box that something stands before. */
function hasMarkedAnswer(text: string): boolean {
  return text.includes('####') || (/\\boxed|\\fbox/.test(text) && !/^[\s$]*\\f?box/.test(text));
}

function partSentence(reference: string): string {
  return `The reference is a text with the answer in it: “${shortened(reference)}”. Choose the part of it that is the answer, or another grader.`;
}

function shortened(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

async function programDoubt(
  task: EvaluationTask,
  tryProgram: TryProgram,
  signal: AbortSignal,
): Promise<
  { readonly kind: 'tried' | 'untried'; readonly message: string } | { readonly kind: 'tried'; readonly message: null }
> {
  try {
    const found = await tryProgram(task, signal);
    return { kind: 'tried', message: found?.message ?? null };
  } catch (thrown) {
    if (!(thrown instanceof FaultError)) throw thrown;
    return { kind: 'untried', message: toFault(thrown).message };
  }
}
