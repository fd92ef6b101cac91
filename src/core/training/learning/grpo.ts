/**
 * @file Group-relative policy optimization (GRPO). Computes the advantage of each rollout within its group, and the weight
 * of each step in the loss. A rollout is a sampled workflow.
 */
import { STEPS } from '../../policy/moves';
import { STEP_COST } from '../environment/items';
import type { GrpoSettings, LossName } from './course-options';

/**
 * The published settings: arXiv 2512.04388 uses GRPO with group-normalized advantages, a clip of 0.2 and no KL term.
 * The reward in the paper has no step cost. With a step cost, the rewards in a group whose answers are all right would
 * differ only by the cost of the steps. Normalized advantages would give this small difference the same weight as the
 * difference between right and wrong answers in other groups.
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
 * Podium's settings. They don't divide by the deviation and don't average by rollout, because these normalizations favor
 * easy questions and short plans (Dr. GRPO, arXiv 2503.20783). They use a wider upper clip (DAPO, arXiv 2503.14476). A
 * decaying entropy bonus and a small uniform floor keep the policy from settling on one choice too early.
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

export const LOSSES: Readonly<Record<LossName, GrpoSettings>> = { default: DEFAULT_LOSS, paper: PAPER_LOSS };

/** A smaller standard deviation is treated as zero. */
const NO_DEVIATION = 1e-6;

/**
 * Subtracts from each reward the mean reward of its group. With `divideByDeviation`, divides the result by
 * the group's standard deviation. If all rewards of a group are equal, its advantages are 0.
 * @param rewards the rewards of all groups, one group after the other
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
 * The weight of each step in the loss. All weights add up to 1.
 * @param mask 1 for every step at which a choice was made. [rollouts, STEPS]
 */
export function stepWeights(
  mask: Float32Array,
  { averageByRollout }: Pick<GrpoSettings, 'averageByRollout'>,
): Float32Array {
  const rollouts = mask.length / STEPS;
  const total = mask.reduce((sum, each) => sum + each, 0);
  return mask.map((value, at) => {
    if (!averageByRollout) return value / Math.max(1, total);
    const start = Math.floor(at / STEPS) * STEPS;
    const own = mask.subarray(start, start + STEPS).reduce((sum, each) => sum + each, 0);
    return value / Math.max(1, own) / rollouts;
  });
}
