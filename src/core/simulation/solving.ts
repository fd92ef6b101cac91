/** @file A worker's own attempt at a puzzle: a bounded, seeded search whose effort, way and care follow from its skill. */
import { mixSeed, randomIndex, seededRandom, type Random, type Role } from '../contract';
import type { Attempt, PosedPuzzle, Strategy } from '../tasks';
import { skillOf, type SimulatedProfile } from './profiles';

export interface SolvingOptions {
  /** The role whose strength counts. */
  readonly role: Role;
  /** The step's seed; `null` for what the worker is most used to answering. */
  readonly seed: number | null;
  /** Times the usual effort. Default 1. */
  readonly effort?: number;
  /** Times the usual chance of a careless mistake. Default 1. */
  readonly carelessness?: number;
  /** The way to go, where one was advised. */
  readonly strategy?: Strategy;
  /** An answer to go on from. */
  readonly from?: string;
}

export interface Solved extends Attempt<string> {
  readonly strategy: Strategy;
}

/** Share of the ample steps that a worker without any skill takes. */
const LEAST_EFFORT = 0.02;
/** No attempt takes more, so that none holds up the page: times the ample steps. */
const MOST_EFFORT = 1.25;
/** Chance of a careless mistake of a worker without any skill. */
const MOST_CARELESS = 0.55;
/** How often a worker that is asked again tries anew; else it does what it did before, as models do at a low temperature. */
const FRESHNESS = 0.3;

/** Attempts a puzzle. Asked again, a worker mostly repeats itself; another worker, or another way, brings something new. */
export function solve(profile: SimulatedProfile, puzzle: PosedPuzzle, options: SolvingOptions): Solved {
  const skill = skillOf(profile, options.role, puzzle.family);
  const habit = mixSeed(profile.id, puzzle.key, options.role === 'refine' ? 'refine' : 'solve');
  const strategy = options.strategy ?? habitualStrategy(puzzle, skill, seededRandom(mixSeed(habit, 'strategy')));
  const usual = mixSeed(habit, strategy.name, options.from ?? '');
  const anew = options.seed !== null && seededRandom(mixSeed(usual, options.seed, 'anew'))() < FRESHNESS;
  const random = seededRandom(anew ? mixSeed(usual, options.seed ?? 0) : usual);
  const steps = puzzle.ample * LEAST_EFFORT ** (1 - skill) * formOfTheDay(random) * (options.effort ?? 1);
  const attempt = puzzle.search({
    steps: Math.ceil(Math.min(steps, puzzle.ample * MOST_EFFORT)),
    strategy: strategy.name,
    slip: MOST_CARELESS * (1 - skill) * (options.carelessness ?? 1),
    random,
    ...(options.from === undefined ? {} : { from: options.from }),
  });
  return { ...attempt, strategy };
}

/** Skilled workers tend to know the way that works best. */
function habitualStrategy({ strategies }: PosedPuzzle, skill: number, random: Random): Strategy {
  if (random() < skill) return strategies[0];
  return strategies[1 + randomIndex(random, strategies.length - 1)] ?? strategies[0];
}

/** Between a third and three times the usual effort. */
function formOfTheDay(random: Random): number {
  return 3 ** (random() + random() - 1);
}

/** The last way that the texts advise, or `undefined`. */
export function advisedStrategy(puzzle: PosedPuzzle, texts: readonly string[]): Strategy | undefined {
  for (const text of texts.toReversed()) {
    const advised = puzzle.strategies.find(({ wording }) => wording.test(text));
    if (advised) return advised;
    if (/\b(?:another|a different|some other) (?:way|approach|method)\b/i.test(text)) return puzzle.strategies[1];
  }
  return undefined;
}

/** Whether the texts ask for a second look at the result. */
export function advisesCare(texts: readonly string[]): boolean {
  return texts.some((text) => /\b(?:once more|double[- ]check|check (?:your|the) (?:own )?result)\b/i.test(text));
}
