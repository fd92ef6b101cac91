/**
 * @file A training as the page asks for it: draws its society, runs a course, looks after every few updates how the policy
 * does on validation items and hands the best so far out, if it is better than what it went on from. Whoever breaks it off has
 * the best that was handed out.
 */
import { fault, FaultError, mixSeed } from '../contract';
import { readCheckpoint, writeCheckpoint, type Parameters } from '../policy';
import { useBackend } from './backend';
import { playHeuristic, playPolicy } from './contenders';
import { drawItem, drawSociety, type Item } from './environment';
import type { GrpoSettings, LossName } from './grpo';
import type { TrainingOrder, TrainingReport, TrialOrder } from './orders';
import { createCourse, DEFAULT_COURSE, type CourseOptions, type CourseStep } from './trainer';
import { runTrial } from './trial';

const NO_WEBASSEMBLY =
  'Training needs WebAssembly, which this browser does not have or has switched off. Switch it on, or open Podium in a current Chrome, Edge, Firefox or Safari.';

/** What of a course differs where it goes on from trained weights. */
export interface GoingOn extends Pick<CourseOptions, 'learningRate'>, Partial<Pick<CourseOptions, 'rise' | 'items'>> {
  /** In place of what a loss has. */
  readonly settings?: Partial<Record<LossName, Partial<GrpoSettings>>>;
}

/**
 * Weights that are trained out have little to gain and much to unlearn. Adam's means begin anew, so the rate rises slowly; the
 * entropy that served to look around is not wanted any more; and items seldom come again, so that their answers are not learned
 * by heart. Chosen by `npm run bench -- going-on`; what was tried stands in `models/policy/NOTES.md`.
 */
export const GOING_ON: GoingOn = {
  learningRate: 1e-4,
  rise: 0.2,
  items: 12_000,
  settings: { default: { entropy: 0, floor: 0.01 } },
};

/**
 * Throws a `FaultError` for a checkpoint that cannot be read, and where there is no WebAssembly.
 * @param goingOn for an order with a start
 */
export async function* train(
  order: TrainingOrder,
  signal: AbortSignal,
  goingOn: GoingOn = GOING_ON,
): AsyncGenerator<TrainingReport> {
  const { seed, scale, updates, loss } = order;
  const start = order.start === null ? null : parametersOf(order.start, 'The policy to start from');
  if (!(await useBackend('wasm'))) throw new FaultError(fault('internal', NO_WEBASSEMBLY));
  yield { type: 'began', phase: 'drawing' };
  const { workers, runs, questions } = scale;
  const society = drawSociety({ split: 'train', seed, workers, runs, questions });
  const validation = validationItems(seed, scale.validation);
  const heuristic = mean(validation, (item) => Number(playHeuristic(item).correct));
  const validated = (update: number, parameters: Parameters) => {
    const results = validation.map((item) => playPolicy(item, parameters));
    const right = mean(results, ({ correct }) => Number(correct));
    return { type: 'validated', update, right, calls: mean(results, ({ calls }) => calls), heuristic } as const;
  };
  const started = start && validated(0, start);
  if (started) yield started;
  const options: CourseOptions = {
    ...DEFAULT_COURSE,
    ...scale.course,
    seed,
    updates,
    loss,
    ...(start ? { ...goingOn, settings: goingOn.settings?.[loss] ?? {}, warmUp: 0 } : {}),
  };
  yield { type: 'began', phase: start ? 'updates' : 'shapes' };
  const course = createCourse(society, options, start ?? undefined, order.own);
  const every = validateEvery(updates);
  let best = -1;
  // What it went on from is there already: what is no better is nothing to keep.
  const toBeat = started?.right ?? -1;
  for await (const step of course.steps(signal)) {
    const report = updated(step);
    if (!report) continue;
    yield report;
    if (step.update % every !== 0 && step.update !== updates) continue;
    const parameters = await course.parameters();
    const result = validated(step.update, parameters);
    yield result;
    if (result.right < best || result.right <= toBeat) continue;
    best = result.right;
    const checkpoint = writeCheckpoint(parameters, `${order.revision}-${step.update}`);
    yield { type: 'improved', update: step.update, checkpoint };
  }
  yield { type: 'finished' };
}

/** Compares a candidate with the policy in use and the heuristic. Throws a `FaultError` for what cannot be read. */
export async function* compareHeldOut(order: TrialOrder, signal: AbortSignal): AsyncGenerator<TrainingReport> {
  const inUse = { parameters: parametersOf(order.inUse, 'The policy in use'), revision: order.inUse.revision };
  const trial = runTrial({
    ...order.scale,
    seed: order.seed,
    candidate: parametersOf(order.candidate, 'The candidate'),
    inUse,
  });
  yield { type: 'played', done: 0, of: order.scale.items };
  for (;;) {
    signal.throwIfAborted();
    const { done, value } = trial.next();
    if (done) {
      yield { type: 'compared', heldOut: value };
      yield { type: 'finished' };
      return;
    }
    yield { type: 'played', done: value, of: order.scale.items };
  }
}

/** About ten looks at the validation items in a course, and one at least every twenty updates. */
function validateEvery(updates: number): number {
  return Math.max(1, Math.min(20, Math.round(updates / 10)));
}

function updated({ rollouts, update, reward, right, calls, loss, gradient }: CourseStep): TrainingReport | null {
  return rollouts ? { type: 'updated', figures: { update, reward, right, calls, loss, gradient, ...rollouts } } : null;
}

function validationItems(seed: number, count: number): Item[] {
  const society = drawSociety({ split: 'validation', seed, workers: 60, runs: 1_500, questions: 100 });
  return Array.from({ length: count }, (_, index) =>
    drawItem(society, { seed: mixSeed(seed, 'validation'), index, recursion: 0 }),
  );
}

function mean<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((sum, each) => sum + of(each), 0) / Math.max(1, values.length);
}

/** @param what it is, as a sentence begins */
function parametersOf(file: unknown, what: string): Parameters {
  const read = readCheckpoint(file);
  if (!read) {
    const message = `${what} cannot be read: its weights are damaged, or made for another version of Podium. Use another policy, or import it again from a file that is whole.`;
    throw new FaultError(fault('bad-request', message));
  }
  return read.parameters;
}
