/**
 * @file The habits of simulated workers: how often their checks err, how often a repair breaks a right answer, and how they write.
 * A worker's strengths alone give checks that every later step believes, and repairs that keep what a check found right. With such
 * workers, skipping a settled step would never cost anything, so a policy could not learn when a check is worth its trust.
 */
import { mixSeed, seededRandom, type Random } from '../../contract';
import type { Judgement } from '../../simulation/evidence';
import type { SimulatedProfile } from '../../simulation/profiles';
import type { PosedPuzzle } from '../../tasks/posed';

export interface Habits {
  /** Workers of one family share blind spots. */
  readonly family: number;
  /** Probability that a check calls a wrong answer right, on the easiest and on the hardest question. */
  readonly falseRight: Range;
  /** Probability that a check calls a right answer wrong. */
  readonly falseWrong: number;
  /** Share of the mistakes of its own family that a worker always overlooks, as the other checks of that family do. */
  readonly sharedErrors: number;
  /** Probability that a check gives no verdict. */
  readonly missingVerdict: number;
  /** Probability that a repair breaks a right answer. */
  readonly breaks: number;
  /** Probability that a repair ignores the checks and judges for itself. */
  readonly doubts: number;
  /** Probability that an answer cannot be read. */
  readonly malformed: number;
  readonly isVerbose: boolean;
}

/** The lower and the upper end. */
export type Range = readonly [low: number, high: number];

/** The ranges from which a population is drawn. */
export interface HabitRanges {
  readonly ability: Range;
  readonly families: number;
  /** Share of workers without habits: they work as the simulated workers that come with Podium do. */
  readonly withoutHabits: number;
  /** Share of workers that behave like language models: strong in one kind of puzzles, often verbose, sometimes malformed. */
  readonly modelLike: number;
  readonly falseRightWhenEasy: Range;
  readonly falseRightWhenHard: Range;
  readonly sharedErrors: Range;
  readonly missingVerdict: Range;
  readonly breaks: Range;
  readonly malformed: Range;
}

export const TRAINING_RANGES: HabitRanges = {
  ability: [0.3, 0.75],
  families: 6,
  withoutHabits: 0.5,
  modelLike: 0.4,
  falseRightWhenEasy: [0.02, 0.14],
  falseRightWhenHard: [0.08, 0.34],
  sharedErrors: [0.3, 0.5],
  missingVerdict: [0, 0.08],
  breaks: [0, 0.12],
  malformed: [0, 0.1],
};

/** The workers of held-out items differ from all workers in training, so that a policy must cope with populations it never saw. */
export const HELD_OUT_RANGES: HabitRanges = {
  ability: [0.25, 0.8],
  families: 4,
  withoutHabits: 0,
  modelLike: 0.6,
  falseRightWhenEasy: [0.04, 0.18],
  falseRightWhenHard: [0.12, 0.4],
  sharedErrors: [0.4, 0.6],
  missingVerdict: [0.02, 0.1],
  breaks: [0.02, 0.15],
  malformed: [0.02, 0.12],
};

/** A number between the ends of a range. @param share from 0 to 1 */
export function within([low, high]: Range, share: number): number {
  return low + (high - low) * share;
}

/** Number of steps into which the difficulty of questions is divided. */
const LEVELS = 10;
const profilesByLevel = new WeakMap<SimulatedProfile, Map<number, SimulatedProfile>>();

/**
 * The profile of a worker on a question of this difficulty. The difficulty of a puzzle alone hardly changes how often a worker is
 * right, because its effort grows with the size of the puzzle. So the worker is more able on easy questions and less on hard ones.
 * @param difficulty from 0 to 1
 */
export function profileAt(profile: SimulatedProfile, difficulty: number): SimulatedProfile {
  const level = Math.round(LEVELS * difficulty);
  const known = profilesByLevel.get(profile) ?? new Map<number, SimulatedProfile>();
  profilesByLevel.set(profile, known);
  let at = known.get(level);
  if (!at) {
    const factor = 1.5 - (1.1 * level) / LEVELS;
    const families = Object.entries(profile.families).map(
      ([name, strength]) => [name, Math.min(0.98, strength * factor)] as const,
    );
    known.set(level, (at = { ...profile, families: Object.fromEntries(families) }));
  }
  return at;
}

/**
 * Draws the habits of a worker.
 * @param checking its strength in checks, from 0 to 1. Half of how often its checks are too lenient follows from this
 */
export function drawHabits(ranges: HabitRanges, checking: number, isModelLike: boolean, random: Random): Habits {
  const leniency = (1 - checking + random()) / 2;
  return {
    family: Math.floor(random() * ranges.families),
    falseRight: [within(ranges.falseRightWhenEasy, leniency), within(ranges.falseRightWhenHard, leniency)],
    falseWrong: 0.02 + 0.1 * (1 - checking) + 0.06 * random(),
    sharedErrors: within(ranges.sharedErrors, random()),
    missingVerdict: within(ranges.missingVerdict, random()),
    breaks: within(ranges.breaks, random()),
    doubts: 0.5 * random(),
    malformed: isModelLike ? within(ranges.malformed, random()) : 0,
    isVerbose: isModelLike && random() < 0.5,
  };
}

/**
 * How a worker with habits judges an answer in a check. It judges the same answer the same way every time.
 * @param difficulty of the question, from 0 to 1
 * @param author the habits of the answer's author. `undefined`: it has none
 */
export function judgeAnswer(
  { id, habits }: { readonly id: string; readonly habits: Habits },
  puzzle: PosedPuzzle,
  answer: string,
  difficulty: number,
  author: Habits | undefined,
): Judgement {
  const { correct, detail } = puzzle.check(answer);
  const seen = (of: string | number) => seededRandom(mixSeed('judge', of, puzzle.key, answer))();
  if (correct) return { right: seen(id) >= habits.falseWrong, reason: '' };
  const isBlindSpot = author?.family === habits.family && seen(habits.family) < habits.sharedErrors;
  const right = isBlindSpot || seen(id) < within(habits.falseRight, difficulty);
  return { right, reason: right ? '' : detail };
}
