/**
 * @file The registry of graders: finds a grader by its kind and grading profile, and checks whether a task can
 * be graded here. The profile `strict` has Podium's own rules. The profile `paper-artefact` has the rules of
 * the published code of arXiv 2512.04388. Graders are lazy-loaded, so that this file stays small.
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

/** Dependencies that only some graders need. */
export interface GraderParts {
  /** Runs programs. Absent: tasks with programs are not gradable. */
  readonly runCode?: CodeRunner;
  /** Unpacks the private tests of LiveCodeBench. Absent: tasks with private tests are not gradable. */
  readonly openPrivateTests?: OpenPrivateTests;
  /** The worker that grades tasks whose grader is `judge`. Absent: these tasks are not gradable. */
  readonly judge?: Judge;
  /** Reserves the cost of the judge's calls in the budget of a batch. Absent: there is no budget. */
  readonly judgeRoom?: JudgeRoom;
}

/**
 * Finds a grader. The grader's `grade` rejects with a `FaultError` if it can't give a verdict. If the task
 * can't be graded here, the fault's code is `not-gradable`, `nothing-to-grade` or `question-unreadable`. Any
 * other code means that the grading failed.
 * @returns `null` if a person grades, or if the profile has no rules for this kind
 */
export function graderFor(kind: GraderKind, profile: GradingProfile, parts: GraderParts = {}): Grader | null {
  const load = loaderFor(kind, profile, parts);
  return load && lazyGrader(load);
}

/**
 * Checks whether a task can be graded here, before its run costs money:
 * - puzzles and regular expressions must be valid
 * - for programs, all libraries must be available, and the task's own solution must pass if there is one
 * - other tasks are not checked
 *
 * Results for programs are cached per `parts.runCode`. Rejects with a `FaultError` (`internal`) if Python can't
 * start, and with an `AbortError` on abort.
 * @returns a fault `not-gradable`, `nothing-to-grade` or `question-unreadable`. `null`: the task can be graded
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
