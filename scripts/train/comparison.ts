/**
 * @file Compares the policy with its contenders, such as the built-in rules, on the trials that the model card reports. A trial
 * is a set of items. An item is a question with a pool of simulated workers.
 */
import { mixSeed, type Interval } from '../../src/core/contract';
import { simulatedPoolWorkers, SIMULATED_WORKERS } from '../../src/core/simulation/profiles';
import { simulateHistories } from '../../src/core/training/environment/history';
import { drawSociety, type Society } from '../../src/core/training/environment/items';
import type { PlayResult } from '../../src/core/training/evaluation/players';
import { CONTENDERS, type Contender } from './contenders';
import { estimate } from '../../src/core/training/evaluation/trial';

interface Standing {
  /** Share of right answers. */
  readonly right: Interval;
  /** Mean number of calls for a question. */
  readonly calls: number;
  /** The policy's share of right answers, minus the contender's share on the same items. */
  readonly policyLeads: Interval;
}

interface Comparison {
  readonly items: number;
  readonly standings: Readonly<Record<Contender, Standing>>;
}

/** Summarizes results. Each entry has the results of all contenders on one item. */
export function summarize(results: readonly Record<Contender, PlayResult>[]): Comparison {
  const standing = (contender: Contender): Standing => ({
    right: estimate(results.map((each) => Number(each[contender].correct))),
    calls: results.reduce((sum, each) => sum + each[contender].calls, 0) / Math.max(1, results.length),
    policyLeads: estimate(results.map((each) => Number(each.policy.correct) - Number(each[contender].correct))),
  });
  const standings = Object.fromEntries(CONTENDERS.map((contender) => [contender, standing(contender)]));
  return { items: results.length, standings: standings as Record<Contender, Standing> };
}

export const TRIALS = ['known workers', 'unseen workers', 'built-in workers'] as const;
export type Trial = (typeof TRIALS)[number];

/** Descriptions of the trials for the model card. */
export const TRIAL_WORDS: Readonly<Record<Trial, string>> = {
  'known workers': 'new questions, new pools of the workers used in training',
  'unseen workers': 'new questions, pools of workers that are in no training item',
  'built-in workers':
    'new questions, pools of the simulated workers that come with Podium, which are in no training item',
};

/** The workers of each trial with their past runs. No question of a trial is used in training. */
export function trialSocieties(trained: Society, seed: number): Record<Trial, Society> {
  const size = { workers: 120, runs: 5_000, questions: 200 };
  return {
    'known workers': { ...trained, split: 'held-out' },
    'unseen workers': drawSociety({ split: 'held-out', seed, ...size }),
    'built-in workers': builtInSociety(seed),
  };
}

/** The simulated workers that come with Podium, with their past runs. */
export function builtInSociety(seed: number): Society {
  const pool = simulatedPoolWorkers();
  const population = SIMULATED_WORKERS.flatMap((profile, index) => {
    const poolWorker = pool[index];
    return poolWorker ? [{ profile, poolWorker }] : [];
  });
  const split = 'held-out';
  const options = { split, seed: mixSeed(seed, 'built-in'), runs: 400, questions: 100 } as const;
  return { split, population, histories: simulateHistories(population, options) };
}
