/**
 * @file A policy held against the others on the same items, with intervals: what the model card reports and what decides
 * whether a checkpoint may be used.
 */
import { mixSeed } from '../contract';
import type { Parameters } from '../policy';
import { simulatedPoolWorkers, SIMULATED_WORKERS } from '../simulation';
import { compareOn, CONTENDERS, type Contender, type Result } from './contenders';
import { drawItem, drawSociety, type Item, type Society } from './environment';
import { playPast } from './history';

/** A mean and its 95 % interval. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** One contender over all items. */
export interface Standing {
  readonly right: Estimate;
  readonly calls: number;
  /** How much more often the policy is right, item by item. */
  readonly policyLeads: Estimate;
}

export interface Comparison {
  readonly items: number;
  readonly standings: Readonly<Record<Contender, Standing>>;
}

/** Plays every contender on every item. */
export function compare(items: readonly Item[], parameters: Parameters): Comparison {
  return summarise(items.map((item) => compareOn(item, parameters)));
}

/** Results of the same items for all contenders into means and paired differences. */
export function summarise(results: readonly Record<Contender, Result>[]): Comparison {
  const standing = (contender: Contender): Standing => ({
    right: estimate(results.map((each) => Number(each[contender].correct))),
    calls: results.reduce((sum, each) => sum + each[contender].calls, 0) / Math.max(1, results.length),
    policyLeads: estimate(results.map((each) => Number(each.policy.correct) - Number(each[contender].correct))),
  });
  const standings = Object.fromEntries(CONTENDERS.map((contender) => [contender, standing(contender)]));
  return { items: results.length, standings: standings as Record<Contender, Standing> };
}

/** The mean with its 95 % interval by the central limit theorem. */
export function estimate(values: readonly number[]): Estimate {
  const count = Math.max(1, values.length);
  const mean = values.reduce((sum, each) => sum + each, 0) / count;
  const variance = values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / Math.max(1, count - 1);
  const half = 1.96 * Math.sqrt(variance / count);
  return { mean, low: mean - half, high: mean + half };
}

export const TRIALS = ['known workers', 'unseen workers', 'built-in workers'] as const;
export type Trial = (typeof TRIALS)[number];

export const TRIAL_WORDS: Readonly<Record<Trial, string>> = {
  'known workers': 'new questions, new pools of workers from the training population',
  'unseen workers': 'new questions, pools of workers that no training item held',
  'built-in workers':
    'new questions, pools of the simulated workers that come with Podium, which no training item held',
};

/** Societies to report on; none of their questions was trained on. */
export function trialSocieties(trained: Society, seed: number): Record<Trial, Society> {
  const size = { workers: 120, runs: 5_000, questions: 200 };
  return {
    'known workers': { ...trained, split: 'held-out' },
    'unseen workers': drawSociety({ split: 'held-out', seed, ...size }),
    'built-in workers': builtIn(seed),
  };
}

function builtIn(seed: number): Society {
  const seen = simulatedPoolWorkers();
  const population = SIMULATED_WORKERS.flatMap((profile, index) => {
    const worker = seen[index];
    return worker ? [{ profile, seen: worker }] : [];
  });
  const split = 'held-out';
  return {
    split,
    population,
    past: playPast(population, { split, seed: mixSeed(seed, 'built-in'), runs: 400, questions: 100 }),
  };
}

/** The items of a trial. No second round is allowed, so that all contenders have as many steps. */
export function trialItems(society: Society, seed: number, count: number): Item[] {
  return Array.from({ length: count }, (_, index) => drawItem(society, { seed, index, recursion: 0 }));
}
