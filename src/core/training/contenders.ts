/**
 * @file Who else could have planned: the baselines that a policy is compared with, each as a pure function from an item to a
 * workflow.
 */
import { planByRole } from '../conductor/heuristic';
import { mixSeed, seededRandom, type Role, type Step } from '../contract';
import { planGreedily, policyInput, ROLE_OF_MOVE, type Move, type Parameters } from '../policy';
import { skillOf, type SimulatedProfile } from '../simulation';
import { TASK_FAMILIES } from '../tasks';
import { nextRound, play, type Item } from './environment';
import { wordSkeleton } from '../conductor/policy';
import { drawSkeleton, SHAPES, type Shape } from './templates';
import { playSecond } from './trainer';

/** What a contender's plan came to. */
export interface Result {
  readonly correct: boolean;
  readonly calls: number;
}

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

/** What each contender is, for the model card. */
export const CONTENDER_WORDS: Readonly<Record<Contender, string>> = {
  policy: 'the trained policy, most likely choice at every turn',
  heuristic: 'the built-in Conductor that needs no learning: five steps, each by the best worker as far as is known',
  random: 'a workflow drawn at random',
  'best single': 'one call to the worker whose true skill at solving is the greatest over all families',
  'template on best single': "the heuristic's five steps, all by that worker",
  'equal calls on best single': 'as many calls to that worker as the policy makes: attempts, then a decision',
  oracle:
    "the heuristic's five steps, each by the worker whose true skill in the role on the question's family is the greatest",
};

/** The heuristic's own shape. */
const BY_ROLE: Shape = SHAPES[12] ?? [];

/** Plays every contender on an item. Without parameters the policy is left out: it calls nobody and is never right. */
export function compareOn(item: Item, parameters: Parameters | null): Record<Contender, Result> {
  const policy = parameters ? playPolicy(item, parameters) : { correct: false, calls: 0 };
  const best = bestSingle(item);
  const alone = (shape: Shape) => {
    return play(
      item,
      wordSkeleton(
        shape.map(([move, ...access]) => ({ row: best, move, access })),
        item.input.rows,
      ),
    );
  };
  const random = seededRandom(mixSeed(item.request.seed, 'random contender'));
  return {
    policy,
    heuristic: playHeuristic(item),
    random: play(item, wordSkeleton(drawSkeleton(item.workers.length, random), item.input.rows)),
    'best single': alone([['solve']]),
    'template on best single': alone(BY_ROLE),
    'equal calls on best single': alone(attemptsThenDecision(policy.calls)),
    oracle: play(item, wordSkeleton(fillByTruth(item), item.input.rows)),
  };
}

/** The policy's own plan, and its second round where it asks for one. */
export function playPolicy(item: Item, parameters: Parameters): Result {
  const { skeleton } = planGreedily(parameters, item.input);
  const steps = wordSkeleton(skeleton, item.input.rows);
  const first = play(item, steps);
  if (skeleton.at(-1)?.move !== null) return first;
  const next = planGreedily(parameters, policyInput(nextRound(item, steps, first)));
  const second = playSecond(item, first, next.skeleton);
  return { correct: second.correct, calls: first.calls + second.calls };
}

/** The plan of the built-in Conductor that needs no learning. */
export function playHeuristic(item: Item): Result {
  const planned = planByRole(item.request);
  const steps: readonly Step[] = 'workflow' in planned ? planned.workflow.steps : [];
  return play(item, steps);
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

function fillByTruth({ workers, simulator }: Item) {
  const taken = new Map<Role, number>();
  return BY_ROLE.map(([move, ...access]) => {
    const role = ROLE_OF_MOVE[move];
    const skill = (row: number) => {
      const profile = workers[row]?.profile;
      return profile ? skillOf(profile, role, simulator.puzzle.family) : 0;
    };
    const ranking = [...workers.keys()].toSorted((one, other) => skill(other) - skill(one));
    const place = taken.get(role) ?? 0;
    taken.set(role, place + 1);
    return { row: ranking[place % ranking.length] ?? 0, move, access };
  });
}

function argmax(values: readonly number[]): number {
  return values.reduce((best, each, index) => (each > (values[best] ?? -Infinity) ? index : best), 0);
}
