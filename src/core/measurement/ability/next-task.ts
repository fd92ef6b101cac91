/**
 * @file Chooses the next task of a worker. A domain and a family with the fewest tasks so far come first, so that all have the
 * same weight. The level is one that the worker answers right about half of the time, because such answers tell most. The
 * estimate behind it is rough and fast: it moves a little with each answer, like a rating in chess.
 */
import { randomIndex, type Random } from '../../contract';
import { distance, logistic } from './curve';
import type { FamilyFacts, Observation } from './observation';

/** The assumed slope of all families. The choice of levels needs no better one. */
const SLOPE = 0.85;
/** Tasks are chosen so that the chance of a right answer lies in this range, except for some at random levels. */
const AIM = { low: 0.3, high: 0.8 };
/** Share of the tasks whose level is drawn from all levels. They show lapses, and how steep a worker's curve is. */
const RANDOM_SHARE = 0.15;
/** A family is dropped if all workers gave this many right answers at the highest level, or wrong answers at the lowest. */
const SATURATED = 2;

export interface ChosenTask {
  readonly family: string;
  readonly level: number;
}

/**
 * Chooses a worker's next task. Reads the observations of all workers, because they show how hard the families are.
 * @param observations in the order in which they were made
 * @returns `null` if there are no families
 */
export function nextTask(
  worker: string,
  observations: readonly Observation[],
  families: readonly FamilyFacts[],
  random: Random,
): ChosenTask | null {
  const open = openFamilies(observations, families);
  const mine = observations.filter((each) => each.worker === worker);
  const inDomain = (domain: string) => mine.filter((each) => each.domain === domain).length;
  const inFamily = ({ id }: FamilyFacts) => mine.filter(({ family }) => family === id).length;
  const domains = [...new Set(open.map(({ domain }) => domain))];
  const domain = leastOf(domains, inDomain, random);
  const family = leastOf(
    open.filter((each) => each.domain === domain),
    inFamily,
    random,
  );
  if (!family) return null;
  if (random() < RANDOM_SHARE) return { family: family.id, level: randomIndex(random, family.levels) };
  const aim = AIM.low + (AIM.high - AIM.low) * random();
  const ease = roughEase(observations, families)(worker, family);
  const wanted = (family.levels - 1) / 2 + (ease - Math.log(aim / (1 - aim))) / SLOPE;
  return { family: family.id, level: Math.min(family.levels - 1, Math.max(0, Math.round(wanted))) };
}

/**
 * The families on which workers may still differ. Families that every worker solves at the highest level, or fails at the lowest,
 * tell nothing more. All families if none is left.
 */
function openFamilies(observations: readonly Observation[], families: readonly FamilyFacts[]): readonly FamilyFacts[] {
  const workers = new Set(observations.map(({ worker }) => worker));
  const open = families.filter((family) => {
    const here = observations.filter((each) => each.family === family.id);
    const isDecided = (right: boolean, level: number) =>
      here.every((each) => each.right === right) &&
      [...workers].every(
        (worker) => here.filter((each) => each.worker === worker && each.level === level).length >= SATURATED,
      );
    return here.length === 0 || !(isDecided(true, family.levels - 1) || isDecided(false, 0));
  });
  return open.length > 0 ? open : families;
}

/** One of the items with the lowest count, at random. */
function leastOf<Item>(items: readonly Item[], count: (item: Item) => number, random: Random): Item | undefined {
  const counts = items.map(count);
  const least = Math.min(...counts);
  const lowest = items.filter((_, index) => counts[index] === least);
  return lowest[randomIndex(random, lowest.length)];
}

/** How easy the middle level of a family is for a worker, as log-odds. */
function roughEase(
  observations: readonly Observation[],
  families: readonly FamilyFacts[],
): (worker: string, family: FamilyFacts) => number {
  const levels = new Map(families.map((family) => [family.id, family.levels]));
  const ratings = new Map<string, { value: number; count: number }>();
  const rating = (key: string) => {
    const found = ratings.get(key) ?? { value: 0, count: 0 };
    ratings.set(key, found);
    return found;
  };
  const parts = ({ worker, family, domain }: Pick<Observation, 'worker' | 'family' | 'domain'>) => [
    { of: rating(worker), step: 0.5 },
    { of: rating(`${worker}\n${domain}`), step: 0.3 },
    { of: rating(`${worker}\n${family}`), step: 0.2 },
    { of: rating(`\n${family}`), step: 0.4 },
  ];
  const easeOf = (each: ReturnType<typeof parts>) => each.reduce((sum, { of }) => sum + of.value, 0);
  for (const observation of observations) {
    const middle = levels.get(observation.family);
    if (middle === undefined) continue;
    const effects = parts(observation);
    const chance = logistic(easeOf(effects) - SLOPE * distance(observation.level, middle));
    for (const { of, step } of effects) {
      of.value += (step / (1 + of.count / 8)) * 2 * (Number(observation.right) - chance);
      of.count += 1;
    }
  }
  return (worker, family) => easeOf(parts({ worker, family: family.id, domain: family.domain }));
}
