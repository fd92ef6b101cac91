/** @file Decides what a search does next. A pure function of the state, so that a resumed search continues exactly as it would have. */
import { mixSeed, seededRandom, shuffled } from '../contract';
import type { LeakCheck } from './leak-check';
import { editLessons, readLessons, type ReadLessons } from './lesson-text';
import { bestCandidate, drawParent } from './pareto';
import type { LostOutcome, SearchEvent } from './search-events';
import type { Candidate, Iteration, SearchState } from './search-state';

/** A run that the search needs. */
export interface NeededRun {
  /** Index of the candidate. */
  readonly candidate: number;
  readonly lessons: readonly string[];
  readonly task: string;
  /** Whether the reflecting model will read what happened. */
  readonly isTraced: boolean;
}

export type NextStep =
  | { readonly kind: 'grade'; readonly runs: readonly NeededRun[] }
  | { readonly kind: 'reflect'; readonly iteration: Iteration; readonly parent: Candidate }
  | { readonly kind: 'record'; readonly event: SearchEvent }
  | { readonly kind: 'done' };

/** What a candidate must not contain. */
export interface LessonRules {
  readonly leaks: Pick<LeakCheck, 'problem'>;
  /** The names of the workers. */
  readonly names: readonly string[];
}

export function nextStep(state: SearchState, rules: LessonRules): NextStep {
  if (state.proof) return proofStep(state);
  if (state.isEnded) return { kind: 'done' };
  const { current, candidates, plan } = state;
  const [start] = candidates;
  if (!start) return { kind: 'done' };
  const missing = missingRuns(start, plan.split.validation, false);
  if (missing.length > 0) return affordable(state, missing);
  return current ? iterationStep(state, current, rules) : beginIteration(state);
}

/** The winner so far, or the candidate that is proved. `null`: nothing is better than the start. */
export function winnerOf({ candidates, plan, proof }: SearchState): Candidate | null {
  if (proof) return candidates[proof.candidate] ?? null;
  const best = bestCandidate(candidates, plan.split.validation);
  return best && best.index > 0 ? best : null;
}

function proofStep({ proof, candidates }: SearchState): NextStep {
  const [start] = candidates;
  const winner = proof ? candidates[proof.candidate] : undefined;
  if (!proof || !start || !winner) return { kind: 'done' };
  const without = proof.without.flatMap((index) => candidates[index] ?? []);
  const missingOf = (compared: readonly Candidate[]) =>
    proof.tasks.flatMap((task) => compared.flatMap((each) => missingRuns(each, [task], false)));
  const runs = [...missingOf([start, winner]), ...missingOf(without)];
  return runs.length > 0 ? { kind: 'grade', runs } : { kind: 'done' };
}

/** More iterations than this do not pay: they are perfect, or refused, and change nothing. For each minibatch in the cap on runs. */
const ITERATIONS_PER_MINIBATCH = 2;

function beginIteration(state: SearchState): NextStep {
  const { plan, candidates, iterations } = state;
  const { seed, minibatch: size, split, caps } = plan;
  const pool = candidates.filter(({ status }) => status === 'pool');
  const number = iterations + 1;
  const parent = drawParent(pool, split.validation, seededRandom(mixSeed(seed, 'parent', number)));
  const minibatch = minibatchOf(plan, number);
  const parentRuns = candidates[parent] ? missingRuns(candidates[parent], minibatch, true) : [];
  const fewest = parentRuns.length + minibatch.length + thirdOf(split.validation).length;
  const isLast = number > ITERATIONS_PER_MINIBATCH * Math.ceil(caps.runs / Math.max(1, size));
  if (isLast || minibatch.length === 0 || !fits(state, fewest))
    return { kind: 'record', event: { type: 'search-ended' } };
  return { kind: 'record', event: { type: 'iteration-started', iteration: number, parent, minibatch } };
}

/** The training tasks of an iteration. Each task comes once before any task comes again, in a new order each time. */
function minibatchOf({ seed, minibatch: size, split: { train } }: SearchState['plan'], iteration: number): string[] {
  const perEpoch = Math.max(1, Math.floor(train.length / size));
  const epoch = Math.floor((iteration - 1) / perEpoch);
  const place = (iteration - 1) % perEpoch;
  return shuffled(train, seededRandom(mixSeed(seed, 'epoch', epoch))).slice(place * size, (place + 1) * size);
}

function iterationStep(state: SearchState, current: Iteration, rules: LessonRules): NextStep {
  const { candidates, plan } = state;
  const { minibatch, number: iteration } = current;
  const parent = candidates[current.parent];
  if (!parent) return { kind: 'done' };
  const ended = (outcome: LostOutcome | 'accepted', reason?: string): NextStep => {
    return {
      kind: 'record',
      event: { type: 'iteration-ended', iteration, outcome, ...(reason === undefined ? {} : { reason }) },
    };
  };
  const parentRuns = missingRuns(parent, minibatch, true);
  if (parentRuns.length > 0) return affordable(state, parentRuns);
  if (minibatch.every((task) => (parent.results.get(task)?.score ?? 1) >= 1)) return ended('perfect');
  if (current.answer === null) return { kind: 'reflect', iteration: current, parent };
  if (current.child === null) {
    const read = readAnswer(current.answer, parent, state, rules);
    const problem = read.ok ? rules.leaks.problem(read.lessons) : read.reason;
    if (problem !== null || !read.ok) return ended('refused', problem ?? undefined);
    const key = read.lessons.join('\n');
    if (candidates.some(({ lessons }) => lessons.join('\n') === key)) return ended('repeated');
    return {
      kind: 'record',
      event: { type: 'candidate-proposed', iteration, parent: parent.index, lessons: read.lessons },
    };
  }
  const child = candidates[current.child];
  if (!child) return { kind: 'done' };
  const childRuns = missingRuns(child, minibatch, true);
  if (childRuns.length > 0) return affordable(state, childRuns);
  if (lead(child, parent, minibatch).sum <= 0) return ended('no-gain');
  const third = thirdOf(plan.split.validation);
  const firstRuns = missingRuns(child, third, false);
  if (firstRuns.length > 0) return affordable(state, firstRuns);
  if (isHopeless(child, parent, third)) return ended('hopeless');
  const rest = missingRuns(child, plan.split.validation, false);
  return rest.length > 0 ? affordable(state, rest) : ended('accepted');
}

function readAnswer(answer: string, parent: Candidate, { plan }: SearchState, { names }: LessonRules): ReadLessons {
  return plan.mode === 'edit'
    ? editLessons(answer, parent.lessons, plan.lessonTokens, names)
    : readLessons(answer, plan.lessonTokens, names);
}

/** The first third of the validation tasks, which decides whether the rest is worth its cost. */
function thirdOf(validation: readonly string[]): readonly string[] {
  return validation.slice(0, Math.ceil(validation.length / 3));
}

/** How far a candidate is ahead of another one, on the tasks on which both have a verdict. */
function lead(one: Candidate, other: Candidate, tasks: readonly string[]) {
  const differences = tasks.flatMap((task) => {
    const [mine, theirs] = [one.results.get(task)?.score ?? null, other.results.get(task)?.score ?? null];
    return mine === null || theirs === null ? [] : [mine - theirs];
  });
  return {
    sum: differences.reduce((sum, each) => sum + each, 0),
    spread: Math.sqrt(differences.reduce((sum, each) => sum + each ** 2, 0)),
  };
}

/** Whether a candidate is behind its parent by more than chance would explain in two of three cases. */
function isHopeless(child: Candidate, parent: Candidate, tasks: readonly string[]): boolean {
  const { sum, spread } = lead(child, parent, tasks);
  return sum < 0 && -sum >= spread;
}

function missingRuns({ index, lessons, results }: Candidate, tasks: readonly string[], isTraced: boolean): NeededRun[] {
  return tasks.flatMap((task) => (results.has(task) ? [] : [{ candidate: index, lessons, task, isTraced }]));
}

function affordable(state: SearchState, runs: readonly NeededRun[]): NextStep {
  return fits(state, runs.length) ? { kind: 'grade', runs } : { kind: 'record', event: { type: 'search-ended' } };
}

/** Whether more runs fit into the caps, if they cost what the runs so far have cost on average. */
function fits({ runs, spent, plan: { caps } }: SearchState, more: number): boolean {
  if (runs + more > caps.runs) return false;
  return caps.usd === null || spent.usd + (runs === 0 ? 0 : (spent.usd / runs) * more) <= caps.usd;
}
