/**
 * @file The registry of graders: the grader for each kind and grading profile, and whether a task can be graded here. The profile
 * `strict` has Podium's own rules. `paper-artefact` has the rules of the published code of arXiv 2512.04388. Each grader is
 * lazy-loaded when it grades its first answer, so that this file loads quickly.
 */
import {
  loadOnce,
  type CodeRunner,
  type EvaluationTask,
  type Fault,
  type Grader,
  type GraderKind,
  type GradingProfile,
} from '../contract';
import type { Judge, JudgeRoom } from './judge';
import type { OpenPrivateTests } from '../contract/evaluation/program-tests';

/** The parts that some graders need. */
export interface GraderParts {
  /** Runs programs. Absent: tasks with programs are not gradable. */
  readonly runCode?: CodeRunner;
  /** Unpacks the private tests of LiveCodeBench. Absent: tasks with private tests are not gradable. */
  readonly openPrivateTests?: OpenPrivateTests;
  /** The worker that grades tasks whose grader is `judge`. Absent: these tasks are not gradable. */
  readonly judge?: Judge;
  /** Reserves the judge's calls in the budget of a batch. Absent: there is no budget. */
  readonly judgeRoom?: JudgeRoom;
}

/**
 * Finds a grader. The grader's `grade` gives no verdict if the task can't be graded here or grading fails. It then rejects with a
 * `FaultError`: `not-gradable`, `nothing-to-grade` or `question-unreadable` for the task, or another code for a failed grading.
 * @returns `null` if a person grades, or if the profile has no rules for this kind
 */
export function graderFor(kind: GraderKind, profile: GradingProfile, parts: GraderParts = {}): Grader | null {
  const load = loaderFor(kind, profile, parts);
  return load && lazyGrader(load);
}

/**
 * Checks whether a task can be graded here. Call this function before a run is paid for. Puzzles and regular expressions are parsed.
 * For programs, it checks the libraries and runs the reference solution, if the task has one. The result for a program is cached
 * for as long as `parts.runCode` exists. Other tasks are not checked. Rejects with a `FaultError` (`internal`) if Python could not
 * start, and with an `AbortError` on abort.
 * @returns `not-gradable`, `nothing-to-grade` or `question-unreadable` with the reason. `null`: the task can be graded
 */
export async function checkGradable(
  task: EvaluationTask,
  parts: GraderParts,
  signal: AbortSignal,
): Promise<Fault | null> {
  const { grader, question, reference } = task;
  switch (grader) {
    case 'python':
    case 'unittest':
      return (await loadProgramTasks()).checkProgramTask(task, grader, parts, signal);
    case 'pattern':
      return reference ? (await loadPattern()).patternFault(reference) : null;
    case 'puzzle':
      return (await loadPuzzle()).puzzleFault(question);
    case 'letter':
    case 'mathematics':
    case 'rlpr':
    case 'exact':
    case 'judge':
    case 'recorded':
    case 'person':
      return null;
    default:
      return grader satisfies never;
  }
}

type LoadGrader = () => Promise<Grader>;

function loaderFor(kind: GraderKind, profile: GradingProfile, parts: GraderParts): LoadGrader | null {
  const isStrict = profile === 'strict';
  switch (kind) {
    case 'puzzle':
      return isStrict ? async () => (await loadPuzzle()).createPuzzleGrader() : null;
    case 'letter':
      return async () => (await import('./choice-letter')).createChoiceLetterGrader(profile);
    case 'mathematics':
      return async () => (await import('./mathematics')).createMathematicsGrader(profile);
    case 'rlpr':
      return async () => (await import('./rlpr')).createRlprGrader(profile);
    case 'exact':
      return isStrict ? async () => (await import('./text-match')).createExactGrader() : null;
    case 'pattern':
      return isStrict ? async () => (await loadPattern()).createPatternGrader() : null;
    case 'python':
    case 'unittest':
      return async () => (await loadProgramTasks()).createProgramGrader(kind, profile, parts);
    case 'judge':
      return isStrict
        ? async () => (await import('./judge')).createJudgeGrader(parts.judge ?? null, parts.judgeRoom)
        : null;
    case 'recorded':
      return isStrict ? async () => (await import('./recorded-score')).createRecordedGrader() : null;
    case 'person':
      return null;
    default:
      return kind satisfies never;
  }
}

const loadPattern = loadOnce(() => import('./pattern'), 'the grader of regular expressions');
const loadPuzzle = loadOnce(() => import('./puzzle'), 'the grader of puzzles');
const loadProgramTasks = loadOnce(() => import('./program-grader'), 'the grader of programs');

function lazyGrader(load: LoadGrader): Grader {
  const loaded = loadOnce(load, 'the grader');
  return { grade: async (task, answer, signal) => (await loaded()).grade(task, answer, signal) };
}
