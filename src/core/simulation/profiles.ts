/** @file Who the simulated workers are: declared strengths, pace and faults. They are free and nothing leaves the page. */
import type { PoolWorker, Role } from '../contract';

/** A simulated worker. All that it can do follows from these numbers and the seed. */
export interface SimulatedProfile {
  /** `sim:` and a name; what it draws at random hangs on it. */
  readonly id: string;
  readonly name: string;
  readonly mark: string;
  readonly colour: number;
  readonly description: string;
  /** For each role, 0 to 1. */
  readonly strengths: Readonly<Record<Role, number>>;
  /** For each puzzle family by name, 0 to 1; families not named count as 0.5. */
  readonly families: Readonly<Record<string, number>>;
  readonly pace: Pace;
  /** Chance that an attempt fails as overloaded before its first word. */
  readonly faultRate: number;
}

/** How fast a worker is, before `speed`. */
export interface Pace {
  /** ms until the first word. */
  readonly firstToken: number;
  readonly tokensPerSecond: number;
}

/** The five that everyone has. */
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

/** The five as a pool knows them. */
export function simulatedPoolWorkers(): PoolWorker[] {
  return SIMULATED_WORKERS.map(poolWorkerOf);
}

/** What a run remembers of a simulated worker. */
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

/** How good a worker is in a role on a family, 0 to 1: the geometric mean of both strengths. */
export function skillOf(profile: SimulatedProfile, role: Role, family: string): number {
  return Math.sqrt(profile.strengths[role] * (profile.families[family] ?? 0.5));
}
