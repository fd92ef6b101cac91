/**
 * @file Group-relative policy optimisation (GRPO): how good each rollout was beside the others of its group, and how much each
 * of its steps weighs. Two settings stand side by side; what differs between them is all in `GrpoSettings`.
 */
import { STEPS } from '../policy';
import { STEP_COST } from './environment';

export interface GrpoSettings {
  /** Divide advantages by the group's standard deviation. */
  readonly divideByDeviation: boolean;
  /** Every rollout weighs the same, however many steps it has; else every step weighs the same. */
  readonly averageByRollout: boolean;
  /** The ratio of probabilities is clipped to 1 - low … 1 + high. */
  readonly clipLow: number;
  readonly clipHigh: number;
  /** Weight of the entropy at the start; it falls to a tenth of it at the end. */
  readonly entropy: number;
  /** Share of every choice that is drawn evenly among what is allowed. */
  readonly floor: number;
  /** Taken from the reward for each step. */
  readonly stepCost: number;
}

/**
 * As published: arXiv 2512.04388 takes GRPO's group-normalised advantages, a clip of 0.2 and no KL term. Its reward knows no
 * cost of a step; under group-normalised advantages one would be all that differs in a group whose answers are all right, and
 * would count as much as being right.
 */
export const PAPER_LOSS: GrpoSettings = {
  divideByDeviation: true,
  averageByRollout: true,
  clipLow: 0.2,
  clipHigh: 0.2,
  entropy: 0,
  floor: 0,
  stepCost: 0,
};

/**
 * Without the two divisions, which favour easy questions and short plans (Dr. GRPO, arXiv 2503.20783), with a wider upper clip
 * (DAPO, arXiv 2503.14476), decaying entropy and a small uniform floor against early collapse.
 */
export const DEFAULT_LOSS: GrpoSettings = {
  divideByDeviation: false,
  averageByRollout: false,
  clipLow: 0.2,
  clipHigh: 0.28,
  entropy: 0.01,
  floor: 0.04,
  stepCost: STEP_COST,
};

export const LOSSES = { paper: PAPER_LOSS, default: DEFAULT_LOSS } as const;
export type LossName = keyof typeof LOSSES;

/** Below this a group's rewards count as equal. */
const NO_DEVIATION = 1e-6;

/**
 * Each reward less its group's mean; by the paper's setting in units of the group's standard deviation. A group whose rewards
 * are all equal says nothing: its advantages are 0.
 * @param rewards group after group
 */
export function advantagesOf(rewards: Float32Array, group: number, { divideByDeviation }: GrpoSettings): Float32Array {
  const advantages = new Float32Array(rewards.length);
  for (let start = 0; start < rewards.length; start += group) {
    const own = rewards.subarray(start, start + group);
    const mean = own.reduce((sum, each) => sum + each, 0) / own.length;
    const deviation = Math.sqrt(own.reduce((sum, each) => sum + (each - mean) ** 2, 0) / own.length);
    if (deviation < NO_DEVIATION) continue;
    const unit = divideByDeviation ? deviation : 1;
    for (const [index, each] of own.entries()) advantages[start + index] = (each - mean) / unit;
  }
  return advantages;
}

/**
 * How much each step weighs in the loss; all together 1.
 * @param taken 1 for every step at which something was chosen. [rollouts, STEPS]
 */
export function stepWeights(taken: Float32Array, { averageByRollout }: GrpoSettings): Float32Array {
  const rollouts = taken.length / STEPS;
  const total = taken.reduce((sum, each) => sum + each, 0);
  return taken.map((value, at) => {
    if (!averageByRollout) return value / Math.max(1, total);
    const start = Math.floor(at / STEPS) * STEPS;
    const own = taken.subarray(start, start + STEPS).reduce((sum, each) => sum + each, 0);
    return value / Math.max(1, own) / rollouts;
  });
}
