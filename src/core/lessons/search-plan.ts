/** @file Makes the plan of a search, the rules for its lessons, and the start of its proof. The page and the command line share them. */
import { sha256Hex, type ConductorInfo, type EvaluationTask, type LearnedWorker, type PoolWorker } from '../contract';
import { LeakCheck } from './leak-check';
import { winnerOf, type LessonRules } from './next-step';
import type { SearchEvent, SearchPlan } from './search-events';
import type { SearchState } from './search-state';
import { FEWEST_OWN_TASKS, splitTasks } from './task-split';
import { generatedTasks } from '../evaluation/datasets/practice/generated-tasks';
import { measuredDomainsOf, measuredTaskById, measuredTasks } from './tasks/measured-tasks';

/** Number of training tasks for each reflection: of eight, a useless child passes less often than of three. */
const MINIBATCH = 8;
/** Number of generated tasks for the test, if there are too few own tasks. */
const GENERATED = 200;
/** Fewest own tasks of a search: one minibatch for training, and as many for validation. */
export const FEWEST_TASKS = 2 * MINIBATCH;
/** The budget of a search that its user has not changed. */
export const USUAL_BUDGET = { runs: 500, lessonTokens: 400 } as const;

/** Generated tasks of the same domains for the proof, if there are too few own tasks. Empty: there are enough. */
export function tasksForTest(own: readonly EvaluationTask[], seed: number): Iterable<EvaluationTask> {
  if (own.length >= FEWEST_OWN_TASKS) return [];
  return own.every(({ grader }) => grader === 'puzzle')
    ? generatedTasks(seed + 1, GENERATED)
    : measuredTasks(measuredDomainsOf(own), seed + 1, GENERATED);
}

/** The generated tasks of a split that belong to no dataset. @param known tasks of the dataset */
export function generatedTestTasks({ split, seed }: SearchPlan, known: ReadonlySet<string>): EvaluationTask[] {
  const missing = split.test.filter((id) => split.testTasks === 'generated' && !known.has(id));
  const measured = missing.flatMap((id) => measuredTaskById(id) ?? []);
  return measured.length === missing.length ? measured : generatedTasks(seed + 1, GENERATED);
}

export interface PlanParts extends Pick<SearchPlan, 'seed' | 'start' | 'lessonTokens' | 'caps' | 'mode'> {
  readonly own: readonly EvaluationTask[];
  /** Whether these tasks are the user's. Otherwise no verdict holds for the user's questions. */
  readonly areOwn: boolean;
  readonly generated: readonly EvaluationTask[];
  /** What else determines the search, such as the pool and the Conductor. */
  readonly also: readonly unknown[];
}

/** `null`: there are fewer tasks than `FEWEST_TASKS`, or so many near-equal ones that a part is too small. */
export function searchPlan({ own, areOwn, generated, also, caps, ...given }: PlanParts): SearchPlan | null {
  const { seed, start, lessonTokens, mode } = given;
  const split = splitTasks(own, generated, seed, areOwn);
  if (split.train.length < MINIBATCH || split.validation.length < MINIBATCH) return null;
  // The caps are left out, because they may be raised when a search continues.
  const fixed = { split, seed, start, minibatch: MINIBATCH, lessonTokens, mode };
  const id = sha256Hex(JSON.stringify([fixed, own, generated, ...also])).slice(0, 32);
  return { id, ...fixed, caps };
}

export function rulesFor(tasks: Iterable<EvaluationTask>, pool: readonly LearnedWorker[]): LessonRules {
  const checked = [...tasks].map(({ question, reference }) => ({
    question,
    answers: reference === undefined ? [] : [reference],
  }));
  return { leaks: new LeakCheck(checked), names: pool.map(({ name }) => name) };
}

/**
 * The event that starts the proof of the winner. `null`: there is no winner, or a proof has started.
 * @param used the tasks of other proofs, which may have used the same tasks
 */
export function proofStart(state: SearchState, used: Iterable<readonly string[]>): SearchEvent | null {
  const winner = winnerOf(state);
  if (!winner || state.proof) return null;
  const tasks = state.plan.split.test;
  return { type: 'proof-started', candidate: winner.index, tasks, isUnseen: isUnseen(tasks, used) };
}

/** The event that starts the ablation of proved lessons. `null`: there is no ended proof of several lessons, or it has started. */
export function ablationStart(state: SearchState): SearchEvent | null {
  const { proof } = state;
  const lessons = winnerOf(state)?.lessons ?? [];
  return proof && proof.without.length === 0 && lessons.length > 1 ? { type: 'ablation-started' } : null;
}

/** What lessons are proved with, when a worker or a model has changed since. */
export interface NewProof {
  readonly conductor: ConductorInfo;
  readonly lessons: readonly string[];
  readonly pool: readonly PoolWorker[];
}

/** The plan of a search that only proves lessons again, against no lessons, on the test tasks of the search that found them. */
export function newProofPlan({ plan }: Pick<SearchState, 'plan'>, { lessons, pool, conductor }: NewProof): SearchPlan {
  const id = sha256Hex(JSON.stringify([plan.id, 'proof', lessons, pool, conductor.id, conductor.model])).slice(0, 32);
  return { ...plan, id, start: [], split: { ...plan.split, train: [], validation: [] }, caps: { runs: 0, usd: null } };
}

/** Whether no other proof used any of the test tasks. */
export function isUnseen(test: readonly string[], used: Iterable<readonly string[]>): boolean {
  const own = new Set(test);
  for (const tasks of used) if (tasks.some((task) => own.has(task))) return false;
  return true;
}
