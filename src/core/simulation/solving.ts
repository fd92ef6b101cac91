/**
 * @file A worker's own attempt at a puzzle: a bounded, seeded search. The worker's skill determines its effort, its
 * strategy and its error rate.
 */
import { mixSeed, randomIndex, seededRandom, type Random, type Role } from '../contract';
import type { SearchOutcome, Strategy } from '../tasks/family';
import type { PosedPuzzle } from '../tasks/posed';
import { skillOf, type SimulatedProfile } from './profiles';

export interface SolvingOptions {
  /** The role whose strength determines the skill. */
  readonly role: Role;
  /** The step's seed. `null`: the worker repeats its habitual answer. */
  readonly seed: number | null;
  /** Factor on the usual effort. Default 1. */
  readonly effort?: number;
  /** Factor on the usual probability of a careless mistake. Default 1. */
  readonly carelessness?: number;
  /** The strategy that a plan or the subtask advises. */
  readonly strategy?: Strategy;
  /** An answer to improve. */
  readonly from?: string;
}

interface Solved extends SearchOutcome<string> {
  readonly strategy: Strategy;
}

/** Effort of a worker without skill, as a share of `PosedPuzzle.ample`. */
const MIN_EFFORT = 0.02;
/** Maximum effort, as a factor on `PosedPuzzle.ample`. */
const MAX_EFFORT = 1.25;
/** Probability that a worker without skill makes a careless mistake. */
const MAX_SLIP = 0.55;
/**
 * Probability that a step's seed leads to a new attempt. Otherwise the worker repeats its habitual answer, as models do at a low
 * temperature.
 */
const RETRY_RATE = 0.3;

/**
 * Attempts a puzzle. With another seed, the same worker usually repeats its attempt. Another worker or another strategy
 * gives a different attempt.
 */
export function solve(profile: SimulatedProfile, puzzle: PosedPuzzle, options: SolvingOptions): Solved {
  const skill = skillOf(profile, options.role, puzzle.family);
  const habit = mixSeed(profile.id, puzzle.key, options.role === 'refine' ? 'refine' : 'solve');
  const strategy = options.strategy ?? habitualStrategy(puzzle, skill, seededRandom(mixSeed(habit, 'strategy')));
  const habitSeed = mixSeed(habit, strategy.name, options.from ?? '');
  const isRetry = options.seed !== null && seededRandom(mixSeed(habitSeed, options.seed, 'anew'))() < RETRY_RATE;
  const random = seededRandom(isRetry ? mixSeed(habitSeed, options.seed ?? 0) : habitSeed);
  const steps = puzzle.ample * MIN_EFFORT ** (1 - skill) * drawEffortFactor(random) * (options.effort ?? 1);
  const attempt = puzzle.search({
    steps: Math.ceil(Math.min(steps, puzzle.ample * MAX_EFFORT)),
    strategy: strategy.name,
    slip: MAX_SLIP * (1 - skill) * (options.carelessness ?? 1),
    random,
    ...(options.from === undefined ? {} : { from: options.from }),
  });
  return { ...attempt, strategy };
}

/** Skilled workers tend to use the best strategy. */
function habitualStrategy({ strategies }: PosedPuzzle, skill: number, random: Random): Strategy {
  if (random() < skill) return strategies[0];
  return strategies[1 + randomIndex(random, strategies.length - 1)] ?? strategies[0];
}

/** Draws a factor between 1/3 and 3. */
function drawEffortFactor(random: Random): number {
  return 3 ** (random() + random() - 1);
}

/**
 * The strategy that the texts advise. If several texts give advice, the last of them counts. `undefined`: no text gives advice.
 */
export function advisedStrategy(puzzle: PosedPuzzle, texts: readonly string[]): Strategy | undefined {
  for (const text of texts.toReversed()) {
    const advised = puzzle.strategies.find(({ wording }) => wording.test(text));
    if (advised) return advised;
    if (/\b(?:another|a different|some other) (?:way|approach|method)\b/i.test(text)) return puzzle.strategies[1];
  }
  return undefined;
}

/** Whether a text asks the worker to check its result. */
export function advisesCare(texts: readonly string[]): boolean {
  return texts.some((text) => /\b(?:once more|double[- ]check|check (?:your|the) (?:own )?result)\b/i.test(text));
}
