/**
 * @file Shapes of workflows that people use. They fill the histories that training invents, and a policy first learns to
 * write them before it learns which of them pay.
 */
import { expectedSuccess, knownOf } from '../conductor/ranking';
import { randomIndex, type PlanRequest, type Random } from '../contract';
import { givesAnswer, MOVES, needsAnswer, ROLE_OF_MOVE, STEPS, type Move, type Skeleton } from '../policy';

/** Moves and what they see; workers are filled in. */
export type Shape = readonly (readonly [Move, ...number[]])[];

export const SHAPES: readonly Shape[] = [
  [['solve']],
  [['plan'], ['solve', 0]],
  [['solve'], ['refine', 0]],
  [['solve'], ['verify', 0], ['refine', 0, 1]],
  [['solve'], ['solveAnotherWay'], ['decide', 0, 1]],
  [['solve'], ['solve'], ['solveAnotherWay'], ['decide', 0, 1, 2]],
  [['solve'], ['solve'], ['verify', 0, 1], ['decide', 0, 1, 2]],
  [['plan'], ['solve', 0], ['verify', 1], ['refine', 1, 2]],
  [['plan'], ['solve', 0], ['solveAnotherWay'], ['aggregate', 1, 2]],
  [['solve'], ['verify', 0], ['refine', 0, 1], ['verify', 2], ['refine', 2, 3]],
  [['solve'], ['solve'], ['solve'], ['solveAnotherWay'], ['decide', 0, 1, 2, 3]],
  [['solve'], ['solveAnotherWay'], ['verify', 0, 1], ['verify', 0, 1], ['decide', 0, 1, 2, 3]],
  [['solve'], ['solveAnotherWay'], ['verify', 0, 1], ['refine', 0, 1, 2], ['decide', 2, 3]],
  [['solve'], ['solve'], ['solve'], ['verify', 0, 1, 2], ['decide', 0, 1, 2, 3]],
];

/** A shape with workers at random, by row. */
export function fillAtRandom(shape: Shape, rows: number, random: Random): Skeleton {
  return shape.map(([move, ...access]) => ({ row: randomIndex(random, rows), move, access }));
}

/** A shape with each step given to who is best at it as far as the request tells; the next best where one step is like another. */
export function fillByRank(shape: Shape, request: PlanRequest, rows: readonly number[]): Skeleton {
  const taken = new Map<string, number>();
  const known = rememberedKnownOf(request);
  return shape.map(([move, ...access]) => {
    const role = ROLE_OF_MOVE[move];
    const score = (row: number) => {
      const index = rows[row] ?? -1;
      const worker = request.pool[index];
      return worker && worker.kind !== 'conductor' ? expectedSuccess(worker, role, known[index]) : -1;
    };
    const ranking = [...rows.keys()]
      .filter((row) => score(row) >= 0)
      .toSorted((one, other) => score(other) - score(one));
    const place = taken.get(role) ?? 0;
    taken.set(role, place + 1);
    return { row: ranking[place % ranking.length] ?? 0, move, access };
  });
}

const remembered = new WeakMap<PlanRequest, ReturnType<typeof knownOf>>();

function rememberedKnownOf(request: PlanRequest): ReturnType<typeof knownOf> {
  const known = remembered.get(request) ?? knownOf(request);
  remembered.set(request, known);
  return known;
}

/** Any workflow that keeps to the grammar, drawn choice by choice. */
export function drawSkeleton(rows: number, random: Random): Skeleton {
  const count = 1 + randomIndex(random, STEPS);
  const steps: { row: number; move: Move; access: number[] }[] = [];
  let latest = -1;
  for (let index = 0; index < count; index++) {
    const isLast = index === count - 1;
    const fitting = MOVES.filter((move) => (latest >= 0 || !needsAnswer(move)) && (!isLast || givesAnswer(move)));
    const move = fitting[randomIndex(random, fitting.length)] ?? 'solve';
    const access = [...Array(index).keys()].filter((at) => random() < 0.5 || (needsAnswer(move) && at === latest));
    steps.push({ row: randomIndex(random, rows), move, access });
    if (givesAnswer(move)) latest = index;
  }
  return steps;
}
