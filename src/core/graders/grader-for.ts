/** @file Finds a grader by its kind and grading profile, and checks whether a task can be graded here. */
import {
  GRADERS,
  loadOnce,
  type EvaluationTask,
  type Fault,
  type Grader,
  type GraderKind,
  type GradingProfile,
} from '../contract';
import { DEFINITIONS, loadProgramGrader } from './definitions';
import type { GraderParts } from './grader-parts';

/**
 * Finds a grader. The grader's `grade` rejects with a `FaultError` if it can't give a verdict. See
 * `isNotGradable`.
 * @returns `null` if a person grades, or if the profile has no rules for this kind
 */
export function graderFor(kind: GraderKind, profile: GradingProfile, parts: GraderParts = {}): Grader | null {
  const load = DEFINITIONS[kind].rules[profile];
  if (!load) return null;
  const loaded = loadOnce(() => load(profile, parts), 'the grader');
  const version = graderVersion(kind, profile);
  return {
    async grade(task, answer, signal) {
      const verdict = await (await loaded()).grade(task, answer, signal);
      return version === 1 ? verdict : { ...verdict, version };
    },
  };
}

/**
 * The current version of a grader's rules. A verdict names it, unless it is 1. The rules of `paper-artefact` follow published
 * code, so their version is always 1.
 */
export function graderVersion(kind: GraderKind, profile: GradingProfile): number {
  return profile === 'strict' ? DEFINITIONS[kind].version : 1;
}

/**
 * Checks whether a task can be graded here, before its run costs money:
 * - puzzles and regular expressions must be valid
 * - for programs, all libraries must be available, and the task's own solution must pass if there is one
 * - other tasks are not checked
 *
 * Results for programs are cached per `parts.runCode`. Rejects with a `FaultError` (`internal`) if Python can't
 * start, and with an `AbortError` on abort.
 * @returns a fault, see `isNotGradable`. `null`: the task can be graded
 */
export async function checkGradable(
  task: EvaluationTask,
  parts: GraderParts,
  signal: AbortSignal,
): Promise<Fault | null> {
  return (await DEFINITIONS[task.grader].check?.(task, parts, signal)) ?? null;
}

/**
 * Like `checkGradable`, for a programming task that is about to be imported. If the task has no solution, its unit tests must at
 * least load.
 */
export async function tryProgram(task: EvaluationTask, parts: GraderParts, signal: AbortSignal): Promise<Fault | null> {
  const found = await checkGradable(task, parts, signal);
  if (found || GRADERS[task.grader].needs !== 'unit-tests' || task.solution !== undefined) return found;
  return (await loadProgramGrader()).testsFault(task, parts, signal);
}
