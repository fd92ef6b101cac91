/**
 * @file Finds where several answers to a question disagree: without a call, by comparing the answers as the graders do. Only
 * numbers, letters and short texts can be compared. For prose, see `answer-analysis.ts`.
 */
import { ANSWERING, roleOf } from '../analysis/roles';
import { beginningOf, sha256Hex, stepsBefore, workerOf, type Run, type StepRun } from '../contract';
import { groupAnswers } from './count-votes';
import { sameAnswers, statedAnswer } from './same-answers';

/** An answer and who gave it. */
export interface GivenAnswer {
  readonly by: string;
  readonly text: string;
}

/** Those who gave the same answer. */
export interface AnswerGroup {
  /** The answer, or the beginning of a longer text. */
  readonly answer: string;
  readonly by: readonly string[];
}

/** A worker that gave another answer after it saw other steps. */
export interface ChangedMind {
  readonly by: string;
  readonly from: string;
  readonly to: string;
  /** The others that it saw. Empty: only its own earlier steps. */
  readonly saw: readonly string[];
  /** Those of `saw` that had given the new answer before. */
  readonly followed: readonly string[];
}

export interface Disagreement {
  /** Number of compared answers. */
  readonly of: number;
  /** The largest group first. */
  readonly groups: readonly AnswerGroup[];
  /** Those whose answers can't be compared without a call. */
  readonly uncompared: readonly string[];
  readonly changes: readonly ChangedMind[];
}

/** Maximum length of a shown answer, in UTF-16 units. */
const SHOWN = 80;

/** Compares answers. @param changes the changes of mind that led to them */
export function disagreementOf(answers: readonly GivenAnswer[], changes: readonly ChangedMind[] = []): Disagreement {
  const concluding = answers.filter(({ text }) => concludes(text));
  const { groups } = groupAnswers(concluding.map(({ text }) => text));
  const nameOf = (index: number) => concluding[index]?.by ?? '';
  return {
    of: answers.length,
    groups: groups.map((same) => ({ answer: shown(concluding[same[0] ?? 0]?.text ?? ''), by: same.map(nameOf) })),
    uncompared: answers.flatMap((answer) => (concluding.includes(answer) ? [] : [answer.by])),
    changes,
  };
}

/**
 * Whether a text ends in a short answer. Graders know that a number is wanted, so they accept any number in a text. Here, a number
 * somewhere in prose must not pass for the answer.
 */
function concludes(text: string): boolean {
  const answer = statedAnswer(text);
  if (answer === null) return false;
  if (/\\boxed|####|answer\b/i.test(text)) return true;
  const last = text.trim().split('\n').at(-1) ?? '';
  return last.length <= SHOWN && statedAnswer(last) === answer;
}

/**
 * The independent answers in a run: the outputs of the steps of one round that were asked to solve the question without seeing
 * others. Empty if no round has two of them.
 */
export function independentAnswers(run: Run): readonly GivenAnswer[] {
  for (const { steps } of run.rounds) {
    const planned = steps.map(({ step }) => step);
    const answers = steps.flatMap((stepRun) => {
      const { step, index, output, settled } = stepRun;
      const isAlone = step.access.length === 0 && !step.seesEarlier && !settled;
      const isAnswer = isAlone && isModel(run, stepRun) && roleOf(planned, index) === 'solve';
      return isAnswer && output ? [{ by: placed(run, stepRun), text: output }] : [];
    });
    if (answers.length > 1) return answers;
  }
  return [];
}

/** The workers of a run that gave another answer after they had seen other steps. */
export function changesOfMind(run: Run): readonly ChangedMind[] {
  return revisionsIn(run).flatMap(({ stepRun, steps, before, output }) => {
    if (!concludes(before) || !concludes(output) || sameAnswers(before, output) !== false) return [];
    const { access, worker, seesEarlier } = stepRun.step;
    const others = access.flatMap((seen) => steps[seen] ?? []).filter(({ step }) => step.worker !== worker);
    const followed = others.filter((other) => sameAnswers(other.output ?? '', output) === true);
    const names = (found: readonly StepRun[]) => found.map((other) => placed(run, other));
    const saw = [...names(others), ...(seesEarlier ? ['the earlier rounds'] : [])];
    return [{ by: placed(run, stepRun), from: shown(before), to: shown(output), saw, followed: names(followed) }];
  });
}

/** The answers of workers that had answered before, given after seeing other steps. */
export function revisedAnswers(run: Run): readonly GivenAnswer[] {
  return revisionsIn(run).map(({ stepRun, output }) => ({ by: placed(run, stepRun), text: output }));
}

interface Revision {
  readonly stepRun: StepRun;
  /** The steps of its round. */
  readonly steps: readonly StepRun[];
  /** The last answer of the same worker. */
  readonly before: string;
  readonly output: string;
}

function revisionsIn(run: Run): readonly Revision[] {
  const latest = new Map<number, string>();
  return run.rounds.flatMap(({ steps }) => {
    const planned = steps.map(({ step }) => step);
    return steps.flatMap((stepRun) => {
      const { step, index, output, settled } = stepRun;
      if (!output || settled || !isModel(run, stepRun) || !ANSWERING.has(roleOf(planned, index))) return [];
      const before = latest.get(step.worker);
      latest.set(step.worker, output);
      const hasSeen = step.access.length > 0 || step.seesEarlier === true;
      return before !== undefined && hasSeen ? [{ stepRun, steps, before, output }] : [];
    });
  });
}

/** Identifies the compared answers in any order, so that a stored comparison is found again. */
export function answersDigest(question: string, answers: readonly GivenAnswer[]): string {
  return sha256Hex(JSON.stringify([question, ...answers.map(({ by, text }) => `${by}\n${text}`).toSorted()]));
}

function isModel(run: Run, stepRun: StepRun): boolean {
  const kind = workerOf(run, stepRun)?.kind;
  return kind !== undefined && kind !== 'python' && kind !== 'conductor';
}

/** The worker and the number of a step, such as "Alder (step 2)". */
function placed(run: Run, stepRun: StepRun): string {
  const round = run.rounds.findIndex(({ steps }) => steps.includes(stepRun));
  return `${workerOf(run, stepRun)?.name ?? 'No worker'} (step ${stepsBefore(run, round) + stepRun.index + 1})`;
}

function shown(text: string): string {
  const answer = statedAnswer(text) ?? text.trim().replace(/\s+/g, ' ');
  return answer.length > SHOWN ? `${beginningOf(answer, SHOWN - 1)}…` : answer;
}
