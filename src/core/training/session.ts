/**
 * @file Executes the page's orders: training runs and comparisons. A training run draws simulated workers and questions, and
 * updates the policy. It validates the policy every few updates, and reports each new best checkpoint.
 */
import { fault, FaultError, mixSeed } from '../contract';
import { readCheckpoint, writeCheckpoint } from '../policy/checkpoint';
import type { Parameters } from '../policy/parameters';
import { drawItems, drawSociety, type Item } from './environment/items';
import { playHeuristic, playPolicy } from './evaluation/players';
import { runTrial } from './evaluation/trial';
import { useBackend } from './learning/backend';
import { createCourse, type CourseStep } from './learning/course';
import { DEFAULT_COURSE, type CourseOptions, type GrpoSettings, type LossName } from './learning/course-options';
import type { TrainingOrder, TrainingReport, TrialOrder } from './orders';

const NO_WEBASSEMBLY =
  'Training needs WebAssembly, which this browser does not have or has switched off. Switch it on, or open Podium in a current Chrome, Edge, Firefox or Safari.';

/** The course options that fine-tuning overrides. */
export interface FineTuning
  extends Pick<CourseOptions, 'learningRate'>, Partial<Pick<CourseOptions, 'warmUpShare' | 'items'>> {
  /** Overrides of the loss settings, for each loss. */
  readonly settings?: Partial<Record<LossName, Partial<GrpoSettings>>>;
}

/**
 * Options for training that starts from trained weights. The learning rate warms up slowly, because Adam's moments start at
 * zero. There is no entropy bonus, because the policy no longer needs to explore. An item is a question with a pool of workers.
 * There are so many items that few recur, so the policy cannot memorize their answers. `npm run bench -- fine-tuning` compares
 * such options, and `models/policy/NOTES.md` has the results.
 */
export const FINE_TUNING: FineTuning = {
  learningRate: 1e-4,
  warmUpShare: 0.2,
  items: 12_000,
  settings: { default: { entropy: 0, floor: 0.01 } },
};

/**
 * Executes a training order. Throws a `FaultError` when the initial checkpoint cannot be read or WebAssembly is missing. Throws a
 * `RangeError` when a gradient is not finite, and an `AbortError` on abort.
 * @param fineTuning used only when the order has initial weights
 */
export async function* train(
  order: TrainingOrder,
  signal: AbortSignal,
  fineTuning: FineTuning = FINE_TUNING,
): AsyncGenerator<TrainingReport> {
  const { seed, scale, updates, loss } = order;
  const start = order.start === null ? null : parametersOf(order.start, 'The policy to start from');
  if (!(await useBackend('wasm'))) throw new FaultError(fault('internal', NO_WEBASSEMBLY));
  yield { type: 'began', phase: 'drawing' };
  const { workers, runs, questions } = scale;
  const society = drawSociety({ split: 'train', seed, workers, runs, questions });
  const validation = validationItems(seed, scale.validation);
  const heuristic = mean(validation, (item) => Number(playHeuristic(item).correct));
  const validate = (update: number, parameters: Parameters) => {
    const results = validation.map((item) => playPolicy(item, parameters));
    const right = mean(results, ({ correct }) => Number(correct));
    return { type: 'validated', update, right, calls: mean(results, ({ calls }) => calls), heuristic } as const;
  };
  const initial = start && validate(0, start);
  if (initial) yield initial;
  const options: CourseOptions = {
    ...DEFAULT_COURSE,
    ...scale.course,
    seed,
    updates,
    loss,
    ...(start ? { ...fineTuning, settings: fineTuning.settings?.[loss] ?? {}, pretrainingUpdates: 0 } : {}),
  };
  yield { type: 'began', phase: start ? 'updates' : 'pretraining' };
  const course = createCourse(society, options, start ?? undefined, order.own);
  const interval = validationInterval(updates);
  let best = -1;
  // The user already has the initial weights, so only better ones are worth reporting.
  const threshold = initial?.right ?? -1;
  for await (const step of course.steps(signal)) {
    const report = reportOf(step);
    if (!report) continue;
    yield report;
    if (step.update % interval !== 0 && step.update !== updates) continue;
    const parameters = await course.parameters();
    const result = validate(step.update, parameters);
    yield result;
    if (result.right < best || result.right <= threshold) continue;
    best = result.right;
    const checkpoint = writeCheckpoint(parameters, `${order.revision}-${step.update}`);
    yield { type: 'improved', update: step.update, checkpoint };
  }
}

/**
 * Executes a comparison order. Throws a `FaultError` when one of the two policies cannot be read, and an `AbortError` on abort.
 */
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
      return;
    }
    yield { type: 'played', done: value, of: order.scale.items };
  }
}

/** The number of updates between two validations: a tenth of all updates, but at least 1 and at most 20. */
function validationInterval(updates: number): number {
  return Math.max(1, Math.min(20, Math.round(updates / 10)));
}

/** The report of an update. `null` for a pretraining update, which is not reported. */
function reportOf({ rollouts, update, reward, right, calls, loss, gradient }: CourseStep): TrainingReport | null {
  return rollouts ? { type: 'updated', figures: { update, reward, right, calls, loss, gradient, ...rollouts } } : null;
}

function validationItems(seed: number, count: number): Item[] {
  const society = drawSociety({ split: 'validation', seed, workers: 60, runs: 1_500, questions: 100 });
  return drawItems(society, mixSeed(seed, 'validation'), count);
}

function mean<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((sum, each) => sum + of(each), 0) / Math.max(1, values.length);
}

/** @param what names the policy in the error message */
function parametersOf(file: unknown, what: string): Parameters {
  const read = readCheckpoint(file);
  if (!read) {
    const message = `${what} cannot be read: its weights are damaged or were made for another version of Podium. Use another policy, or import this one again from an intact file.`;
    throw new FaultError(fault('bad-request', message));
  }
  return read.parameters;
}
