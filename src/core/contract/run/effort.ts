/**
 * @file Defines the effort levels. Effort is the setting for how much work a run does to answer a question. The values are based
 * on measurements, see docs/benchmarks.md.
 */
import type { ReasoningLevel } from '../worker/provider';
import type { PoolWorker } from '../worker/worker';

export const EFFORTS = ['quick', 'balanced', 'thorough'] as const;
export type Effort = (typeof EFFORTS)[number];

/**
 * What decides how many steps a plan has: a language model, the trained policy, or the fixed rules of the built-in Conductor.
 * Templates and plans written by hand have a fixed number of steps, so effort doesn't apply to them.
 */
export type Planner = 'model' | 'policy' | 'rules';

export interface EffortLevel {
  /** Maximum number of steps of one plan. */
  readonly steps: Readonly<Record<Planner, number>>;
  /**
   * Maximum number of steps of the trained policy if all workers are simulated. Calls to simulated workers are free, and the
   * policy was trained to use five steps.
   */
  readonly practiceSteps: number;
  /** Whether the trained policy may repair an answer that no step has checked. Checked answers may always be repaired. */
  readonly repairsUnchecked: boolean;
  /** Reasoning level of workers whose setup sets no level. `null`: the model's default. */
  readonly reasoning: ReasoningLevel | null;
  /** Whether the Conductor may request another round even if recursion is off in the settings. */
  readonly recursion: boolean;
}

/**
 * Older versions had no effort setting and planned as `thorough` does. So their runs count as `thorough`.
 */
export const EFFORT_LEVELS: Readonly<Record<Effort, EffortLevel>> = {
  quick: {
    steps: { model: 2, policy: 1, rules: 1 },
    practiceSteps: 2,
    repairsUnchecked: false,
    reasoning: 'low',
    recursion: false,
  },
  balanced: {
    steps: { model: 5, policy: 3, rules: 3 },
    practiceSteps: 5,
    repairsUnchecked: false,
    reasoning: null,
    recursion: false,
  },
  thorough: {
    steps: { model: 5, policy: 5, rules: 5 },
    practiceSteps: 5,
    repairsUnchecked: true,
    reasoning: 'high',
    recursion: true,
  },
};

/** Below this output limit, in tokens, a high level of thinking could leave no tokens for the answer. */
const ROOM_TO_THINK = 8192;

/** Reasoning level at this effort for workers whose setup sets no level. `null`: the model's default. */
export function reasoningFor(effort: Effort, maxTokens: number): ReasoningLevel | null {
  const { reasoning } = EFFORT_LEVELS[effort];
  return reasoning === 'high' && maxTokens < ROOM_TO_THINK ? 'medium' : reasoning;
}

/** Maximum number of steps of a plan by this planner, at this effort and with this pool. */
export function stepLimit(planner: Planner, effort: Effort, pool: readonly PoolWorker[]): number {
  const { steps, practiceSteps } = EFFORT_LEVELS[effort];
  return planner === 'policy' && isPractice(pool) ? practiceSteps : steps[planner];
}

/** Whether all workers are simulated, apart from Conductors and Python workers. */
function isPractice(pool: readonly PoolWorker[]): boolean {
  const workers = pool.filter(({ kind }) => kind !== 'conductor' && kind !== 'python');
  return workers.length > 0 && workers.every(({ kind }) => kind === 'simulated');
}
