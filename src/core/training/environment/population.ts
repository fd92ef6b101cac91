/**
 * @file Draws random simulated workers for training. With hundreds of workers, the policy can't memorize each one. It
 * has to infer a worker's strengths from its description, declared strengths and history.
 */
import {
  gaussian,
  mixSeed,
  randomIndex,
  ROLES,
  seededRandom,
  shuffled,
  type PoolWorker,
  type Random,
  type Role,
} from '../../contract';
import { poolWorkerOf, type SimulatedProfile } from '../../simulation/profiles';
import { TASK_FAMILIES } from '../../tasks';
import { drawHabits, TRAINING_RANGES, within, type HabitRanges, type Habits, type Range } from './habits';

/** A simulated worker, and its entry in the pool that a Conductor receives. */
export interface TrainingWorker {
  readonly profile: SimulatedProfile;
  /** The declared strengths here can be missing, or differ from the true strengths in `profile`. */
  readonly poolWorker: PoolWorker;
  /** Absent: it works as the simulated workers that come with Podium do. */
  readonly habits?: Habits;
}

/** Draws a population of workers from a seed. */
export function drawPopulation(seed: number, count: number, ranges: HabitRanges = TRAINING_RANGES): TrainingWorker[] {
  return Array.from({ length: count }, (_, index) => drawWorker(seed, index, ranges));
}

/** About the abilities of the simulated workers that come with Podium. */
const ABILITY_WITHOUT_HABITS: Range = [0.45, 0.8];

function drawWorker(seed: number, index: number, ranges: HabitRanges): TrainingWorker {
  const random = seededRandom(mixSeed(seed, 'worker', index));
  const hasHabits = seededRandom(mixSeed(seed, 'habits', index))() >= ranges.withoutHabits;
  const general = within(hasHabits ? ranges.ability : ABILITY_WITHOUT_HABITS, random());
  const spread = 0.12 + 0.16 * random();
  const strengths = drawStrengths(ROLES, general, spread, random);
  const names = TASK_FAMILIES.map(({ name }) => name);
  const isModelLike = random() < ranges.modelLike && hasHabits;
  const best = names[randomIndex(random, names.length)] ?? '';
  const families = {
    ...drawStrengths(names, general + (isModelLike ? 0 : 0.1), spread, random),
    ...(isModelLike ? { [best]: 0.85 + 0.13 * random() } : {}),
  };
  const id = `sim:${seed}-${index}`;
  const profile: SimulatedProfile = {
    id,
    name: `Worker ${index + 1}`,
    mark: 'Wo',
    colour: (index % 9) + 1,
    description: describeWorker(strengths, families, random),
    strengths,
    families,
    pace: { firstToken: 300, tokensPerSecond: 40 },
    faultRate: 0,
  };
  const poolWorker = drawPoolWorker(profile, general, random);
  return {
    profile,
    poolWorker,
    ...(hasHabits ? { habits: drawHabits(ranges, strengths.verify, isModelLike, random) } : {}),
  };
}

function drawStrengths<Name extends string>(
  names: readonly Name[],
  mean: number,
  spread: number,
  random: Random,
): Record<Name, number> {
  const entries = names.map((name) => [name, Math.min(0.98, Math.max(0.05, mean + spread * gaussian(random)))]);
  return Object.fromEntries(entries) as Record<Name, number>;
}

/**
 * Draws a worker's pool entry with its price and declared strengths. Better workers tend to cost more. Half of the
 * workers declare strengths, with random errors. The other half declare none.
 */
function drawPoolWorker(profile: SimulatedProfile, general: number, random: Random): PoolWorker {
  const { strengths: _trueStrengths, ...worker } = poolWorkerOf(profile);
  const output = random() < 0.2 ? 0 : 30 * general ** 3 * Math.exp(0.7 * gaussian(random));
  const price = random() < 0.15 ? null : { input: output / 4, output };
  const declares = random() < 0.5;
  const error = 0.04 + 0.12 * random();
  const declared = ROLES.map((role) => [role, clamp(profile.strengths[role] + error * gaussian(random))] as const);
  return { ...worker, price, ...(declares ? { strengths: Object.fromEntries(declared) } : {}) };
}

// The policy hashes the words of descriptions into its input features, so a change of wording changes these features.
const ROLE_PRAISE: Readonly<Record<Role, readonly string[]>> = {
  plan: ['plans well', 'a strategist', 'breaks problems down', 'sees the way to go'],
  solve: ['a good solver', 'solves on its own', 'strong at working things out', 'finds answers'],
  verify: ['checks with care', 'overlooks little', 'a strict reviewer', 'spots mistakes'],
  refine: ['mends what others began', 'repairs and improves', 'a patient corrector', 'goes on from drafts'],
  aggregate: ['weighs what others say', 'merges results', 'a fair summariser', 'combines answers'],
  decide: ['decides well', 'level-headed', 'settles disputes', 'picks the right answer'],
};
const FAMILY_PRAISE: Readonly<Record<string, readonly string[]>> = {
  countdown: ['number games', 'reaching targets', 'searching broadly'],
  arithmetic: ['sums', 'arithmetic', 'exact calculation'],
  ordering: ['putting things in order', 'dates and sizes', 'sorting'],
  statements: ['logic', 'who tells the truth', 'deduction'],
  change: ['coins and change', 'optimisation', 'small combinatorial problems'],
};
const UNINFORMATIVE = ['A general model.', 'A language model for many tasks.', 'Fast and cheap.', ''] as const;

/**
 * Describes a few strengths of a worker and sometimes a weakness, in randomly chosen phrases. On average, one
 * description in five is uninformative.
 */
function describeWorker(
  strengths: Readonly<Record<string, number>>,
  families: Readonly<Record<string, number>>,
  random: Random,
): string {
  if (random() < 0.2) return UNINFORMATIVE[randomIndex(random, UNINFORMATIVE.length)] ?? '';
  const praise: Readonly<Record<string, readonly string[]>> = { ...ROLE_PRAISE, ...FAMILY_PRAISE };
  const phrase = (name: string) => {
    const list = praise[name] ?? [];
    return list[randomIndex(random, list.length)] ?? name;
  };
  const strongest = (of: Readonly<Record<string, number>>) =>
    Object.keys(of).toSorted((one, other) => (of[other] ?? 0) - (of[one] ?? 0));
  const roles = strongest(strengths);
  const kinds = strongest(families);
  const parts = shuffled(
    [phrase(roles[0] ?? ''), phrase(roles[1] ?? ''), `good at ${phrase(kinds[0] ?? '')} and ${phrase(kinds[1] ?? '')}`],
    random,
  );
  const weak = random() < 0.6 ? ` Weak at ${phrase(kinds.at(-1) ?? '')}.` : '';
  const sentence = parts.slice(0, 2 + randomIndex(random, 2)).join(', ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.${weak}`;
}

/**
 * Draws a pool of `size` different workers, or of all suitable workers if there are fewer. All have habits, or none has, so that
 * there are also pools like the one that comes with Podium.
 */
export function drawPool(
  population: readonly TrainingWorker[],
  size: number,
  random: Random,
): readonly TrainingWorker[] {
  const first = population[randomIndex(random, population.length)];
  if (!first) return [];
  const suitable = population.filter(({ habits }) => !habits === !first.habits);
  const chosen = new Set([first]);
  while (chosen.size < Math.min(size, suitable.length)) {
    const worker = suitable[randomIndex(random, suitable.length)];
    if (worker) chosen.add(worker);
  }
  return [...chosen];
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
