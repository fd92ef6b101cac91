/**
 * @file The contenders: the policy, and the baselines that it is compared with. `compareOn` runs all of them on an item. An item
 * is a question with a pool of workers.
 */
import { wordSkeleton } from '../../src/core/conductor/policy';
import { mixSeed, seededRandom, type Role } from '../../src/core/contract';
import { ROLE_OF_MOVE, type Move, type Skeleton } from '../../src/core/policy/moves';
import type { Parameters } from '../../src/core/policy/parameters';
import { skillOf, type SimulatedProfile } from '../../src/core/simulation/profiles';
import { TASK_FAMILIES } from '../../src/core/tasks';
import { playRound, type Item } from '../../src/core/training/environment/items';
import { drawSkeleton, SHAPES, type Shape } from '../../src/core/training/environment/workflow-shapes';
import { playHeuristic, playPolicy, type PlayResult } from '../../src/core/training/evaluation/players';

export const CONTENDERS = [
  'policy',
  'heuristic',
  'random',
  'best single',
  'template on best single',
  'equal calls on best single',
  'oracle',
] as const;
export type Contender = (typeof CONTENDERS)[number];

/** Descriptions for the model card. */
export const CONTENDER_WORDS: Readonly<Record<Contender, string>> = {
  policy: 'the trained policy, with the most likely choice at every decision',
  heuristic:
    'the built-in Conductor without training: five steps by the workers with the highest expected success in each role. The second attempt goes to the second-best worker',
  random: 'a random workflow',
  'best single': 'one call to the worker with the highest true solving skill over all families',
  'template on best single': "the heuristic's five steps, all by the worker of “best single”",
  'equal calls on best single':
    'as many calls as the policy makes, all to the worker of “best single”: several attempts, then a decision. If there are two calls, they are an attempt and its repair',
  oracle:
    "the heuristic's five steps, each by the worker with the highest true skill in the role of the step and the family of the question. The second attempt goes to the second-best worker",
};

/**
 * The shape of the heuristic's workflow. For each step: its move, such as `solve` or `decide`, and the earlier steps that it
 * sees.
 */
const HEURISTIC_SHAPE: Shape = SHAPES[12] ?? [];

/**
 * Runs every contender on an item.
 * @param parameters the weights of the policy. `null`: the policy counts as wrong, with no calls
 */
export function compareOn(item: Item, parameters: Parameters | null): Record<Contender, PlayResult> {
  const policy = parameters ? playPolicy(item, parameters) : { correct: false, calls: 0, cutShort: false };
  const best = bestSingle(item);
  const play = (skeleton: Skeleton) => playRound(item, wordSkeleton(skeleton, item.input.rows));
  const playBestSingle = (shape: Shape) => play(shape.map(([move, ...access]) => ({ row: best, move, access })));
  const random = seededRandom(mixSeed(item.request.seed, 'random contender'));
  return {
    policy,
    heuristic: playHeuristic(item),
    random: play(drawSkeleton(item.workers.length, random)),
    'best single': playBestSingle([['solve']]),
    'template on best single': playBestSingle(HEURISTIC_SHAPE),
    'equal calls on best single': playBestSingle(attemptsThenDecision(policy.calls)),
    oracle: play(fillByTrueSkill(item)),
  };
}

function bestSingle({ workers }: Item): number {
  const skill = (profile: SimulatedProfile) =>
    TASK_FAMILIES.reduce((sum, { name }) => sum + skillOf(profile, 'solve', name), 0);
  return argmax(workers.map(({ profile }) => skill(profile)));
}

function attemptsThenDecision(calls: number): Shape {
  if (calls <= 1) return [['solve']];
  if (calls === 2) return [['solve'], ['refine', 0]];
  const attempts = Array.from({ length: calls - 1 }, (_, index): readonly [Move] => [
    index % 2 === 0 ? 'solve' : 'solveAnotherWay',
  ]);
  return [...attempts, ['decide', ...attempts.keys()]];
}

function fillByTrueSkill({ workers, simulator }: Item): Skeleton {
  const assigned = new Map<Role, number>();
  return HEURISTIC_SHAPE.map(([move, ...access]) => {
    const role = ROLE_OF_MOVE[move];
    const skill = (row: number) => {
      const profile = workers[row]?.profile;
      return profile ? skillOf(profile, role, simulator.puzzle.family) : 0;
    };
    const ranking = [...workers.keys()].toSorted((one, other) => skill(other) - skill(one));
    const rank = assigned.get(role) ?? 0;
    assigned.set(role, rank + 1);
    return { row: ranking[rank % ranking.length] ?? 0, move, access };
  });
}

function argmax(values: readonly number[]): number {
  return values.reduce((best, each, index) => (each > (values[best] ?? -Infinity) ? index : best), 0);
}
