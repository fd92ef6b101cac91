/**
 * @file Defines the levels of effort, the setting for how much a run does to answer a question. The values are based on
 * measurements, see docs/plans-and-runs.md.
 */
import type { ReasoningLevel } from '../worker/provider';
import type { PoolWorker } from '../worker/worker';

export const EFFORTS = ['quick', 'balanced', 'thorough'] as const;
export type Effort = (typeof EFFORTS)[number];

/**
 * Who decides how many steps a plan has: a language model, the trained policy, or the fixed rules of the built-in Conductor.
 * Templates and plans by hand have a fixed number of steps, so effort doesn't apply to them.
 */
export type Planner = 'model' | 'policy' | 'rules';

export interface EffortLevel {
  /** Maximum number of steps of one plan. */
  readonly steps: Readonly<Record<Planner, number>>;
  /**
   * Maximum number of steps of the trained policy if all workers are simulated. Their calls are free, and the policy was
   * trained to use five steps.
   */
  readonly practiceSteps: number;
  /** Whether the trained policy may repair an answer that no step has checked. */
  readonly repairsUnchecked: boolean;
  /** How much a worker thinks if its setup sets no level. `null`: the model's default. */
  readonly reasoning: ReasoningLevel | null;
  /** Whether the Conductor may request another round even if recursion is off in the settings. */
  readonly recursion: boolean;
}

/**
 * With `thorough`, plans are made as in older versions, which had no setting for effort. Runs of these versions count as
 * `thorough`.
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

/** How much workers think in a run of this effort if their setup sets no level. `null`: the model's default. */
export function reasoningFor(effort: Effort, maxTokens: number): ReasoningLevel | null {
  const { reasoning } = EFFORT_LEVELS[effort];
  return reasoning === 'high' && maxTokens < ROOM_TO_THINK ? 'medium' : reasoning;
}

/** Maximum number of steps that an effort allows for a planner with these workers. */
export function stepLimit(planner: Planner, effort: Effort, pool: readonly PoolWorker[]): number {
  const { steps, practiceSteps } = EFFORT_LEVELS[effort];
  return planner === 'policy' && isPractice(pool) ? practiceSteps : steps[planner];
}

/** Whether all workers that take instructions are simulated. */
function isPractice(pool: readonly PoolWorker[]): boolean {
  const workers = pool.filter(({ kind }) => kind !== 'conductor' && kind !== 'python');
  return workers.length > 0 && workers.every(({ kind }) => kind === 'simulated');
}
