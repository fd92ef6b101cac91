/** @file The profiles of the built-in simulated workers: strengths, pace and fault rate. */
import type { PoolWorker, Role } from '../contract';

/**
 * A simulated worker. Its reply depends only on these values, the messages, the seed, the number of the attempt and the output
 * limit.
 */
export interface SimulatedProfile {
  /** `sim:` and a name. The id is part of the worker's random seeds. */
  readonly id: string;
  readonly name: string;
  readonly mark: string;
  readonly colour: number;
  readonly description: string;
  /** For each role, from 0 to 1. */
  readonly strengths: Readonly<Record<Role, number>>;
  /** For each puzzle family by name, from 0 to 1. Default 0.5. */
  readonly families: Readonly<Record<string, number>>;
  readonly pace: Pace;
  /** Probability that an attempt fails as overloaded before its first token. */
  readonly faultRate: number;
}

/** A worker's speed, before the client's factor `speed` is applied. */
interface Pace {
  /** Time to the first token in ms. */
  readonly firstToken: number;
  readonly tokensPerSecond: number;
}

export const SIMULATED_WORKERS: readonly SimulatedProfile[] = [
  {
    id: 'sim:alder',
    name: 'Alder',
    mark: 'Al',
    colour: 1,
    description: 'Fast and level-headed: plans and decides well, solves lightly.',
    strengths: { plan: 0.9, solve: 0.5, verify: 0.6, refine: 0.45, aggregate: 0.8, decide: 0.92 },
    families: { countdown: 0.6, arithmetic: 0.8, ordering: 0.9, statements: 0.65, change: 0.6 },
    pace: { firstToken: 300, tokensPerSecond: 50 },
    faultRate: 0,
  },
  {
    id: 'sim:birch',
    name: 'Birch',
    mark: 'Bi',
    colour: 2,
    description: 'Searches broadly: a good solver of number games and logic.',
    strengths: { plan: 0.6, solve: 0.78, verify: 0.55, refine: 0.6, aggregate: 0.6, decide: 0.6 },
    families: { countdown: 0.95, arithmetic: 0.65, ordering: 0.7, statements: 0.9, change: 0.6 },
    pace: { firstToken: 500, tokensPerSecond: 40 },
    faultRate: 0,
  },
  {
    id: 'sim:cedar',
    name: 'Cedar',
    mark: 'Ce',
    colour: 3,
    description: 'Checks with care and overlooks little; a slow solver.',
    strengths: { plan: 0.55, solve: 0.45, verify: 0.96, refine: 0.55, aggregate: 0.75, decide: 0.7 },
    families: { countdown: 0.8, arithmetic: 0.9, ordering: 0.85, statements: 0.85, change: 0.85 },
    pace: { firstToken: 500, tokensPerSecond: 35 },
    faultRate: 0,
  },
  {
    id: 'sim:dogwood',
    name: 'Dogwood',
    mark: 'Do',
    colour: 4,
    description: 'Slow and deep: mends what others began.',
    strengths: { plan: 0.7, solve: 0.55, verify: 0.65, refine: 0.94, aggregate: 0.6, decide: 0.6 },
    families: { countdown: 0.9, arithmetic: 0.75, ordering: 0.8, statements: 0.9, change: 0.9 },
    pace: { firstToken: 800, tokensPerSecond: 30 },
    faultRate: 0,
  },
  {
    id: 'sim:elm',
    name: 'Elm',
    mark: 'El',
    colour: 5,
    description: 'Quick and greedy: strong at sums and orders, hasty at number games. Now and then overloaded.',
    strengths: { plan: 0.5, solve: 0.7, verify: 0.5, refine: 0.5, aggregate: 0.55, decide: 0.55 },
    families: { countdown: 0.35, arithmetic: 0.95, ordering: 0.95, statements: 0.5, change: 0.8 },
    pace: { firstToken: 350, tokensPerSecond: 45 },
    faultRate: 0.02,
  },
];

export function simulatedPoolWorkers(): PoolWorker[] {
  return SIMULATED_WORKERS.map(poolWorkerOf);
}

export function poolWorkerOf({ id, name, mark, colour, description, strengths }: SimulatedProfile): PoolWorker {
  return {
    id,
    name,
    mark,
    colour,
    kind: 'simulated',
    model: 'simulated',
    origin: null,
    price: { input: 0, output: 0 },
    description,
    strengths,
  };
}

/** A worker's skill in a role and a family, from 0 to 1: the geometric mean of the two strengths. */
export function skillOf(profile: SimulatedProfile, role: Role, family: string): number {
  return Math.sqrt(profile.strengths[role] * (profile.families[family] ?? 0.5));
}
