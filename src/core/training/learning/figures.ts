/**
 * @file The numbers that a training run reports after each update and each validation. Reporting must not change random numbers
 * or losses: with the same seed, training gives the same weights, bit for bit, with and without reports.
 */
import type { Topology } from '../../analysis/topology';

/** Means and shares over the rollouts of an update. */
export interface RolloutFigures {
  /** Share of workflows that follow the grammar. */
  readonly valid: number;
  /** Mean number of steps in a workflow. */
  readonly steps: number;
  /** Mean negative log-probability of a step's sampled choices, in nats. It estimates the policy's entropy. */
  readonly entropy: number;
  /** Share of each shape among the workflows with steps. The shares add up to 1. Without such workflows, all are 0. */
  readonly topologies: Readonly<Record<Topology, number>>;
  /**
   * Shares of calls to the best, the second-best, the third-best and any other worker of the pool. Workers are ranked by their
   * true skill in the step's role and in the question's kind of puzzle. This skill is known because the workers are simulated.
   * The shares add up to 1. Without calls, all are 0.
   */
  readonly ranks: readonly number[];
}

/** The figures of one update. */
export interface UpdateFigures extends RolloutFigures {
  /** 1-based. */
  readonly update: number;
  readonly reward: number;
  /** Share of right answers, from 0 to 1. */
  readonly right: number;
  /** Mean number of worker calls per question. */
  readonly calls: number;
  readonly loss: number;
  /** Norm of the gradient before clipping. */
  readonly gradient: number;
}

/** The policy's result on the validation items. */
export interface ValidationFigures {
  /** 0: before the first update. */
  readonly update: number;
  /** Share of right answers, from 0 to 1. */
  readonly right: number;
  readonly calls: number;
  /** The share of right answers with the plans of the built-in rules, on the same items. */
  readonly heuristic: number;
}
