/**
 * @file Common workflow shapes. Most workflows in simulated graded runs have one of these shapes. Pretraining teaches
 * the policy to write such workflows. Then reinforcement learning (GRPO) teaches it which of them get high rewards.
 */
import { expectedSuccess, knownOf } from '../../conductor/ranking';
import { randomIndex, type PlanRequest, type Random } from '../../contract';
import { givesAnswer, MOVES, needsAnswer, ROLE_OF_MOVE, STEPS, type Move, type Skeleton } from '../../policy/moves';

/**
 * The steps of a workflow, without workers. Each step has a move (the kind of its subtask) and the indexes of the
 * earlier steps whose output it receives.
 */
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

/** Assigns a random worker to each step of a shape. @param rows number of workers */
export function fillAtRandom(shape: Shape, rows: number, random: Random): Skeleton {
  return shape.map(([move, ...access]) => ({ row: randomIndex(random, rows), move, access }));
}

/**
 * Assigns each step of a shape to the worker with the highest expected success in the step's role. The second step with
 * the same role goes to the second-best worker, and so on.
 */
export function fillByRank(shape: Shape, request: PlanRequest, rows: readonly number[]): Skeleton {
  const assigned = new Map<string, number>();
  const known = knownOf(request);
  return shape.map(([move, ...access]) => {
    const role = ROLE_OF_MOVE[move];
    const score = (row: number) => {
      const index = rows[row] ?? -1;
      const worker = request.pool[index];
      return worker && worker.kind !== 'conductor' ? expectedSuccess(known[index], role) : -1;
    };
    const ranking = [...rows.keys()]
      .filter((row) => score(row) >= 0)
      .toSorted((one, other) => score(other) - score(one));
    const rank = assigned.get(role) ?? 0;
    assigned.set(role, rank + 1);
    return { row: ranking[rank % ranking.length] ?? 0, move, access };
  });
}

/** Draws a random skeleton (a workflow without subtask texts) that the policy could also write. */
export function drawSkeleton(rows: number, random: Random): Skeleton {
  const count = 1 + randomIndex(random, STEPS);
  const steps: { row: number; move: Move; access: number[] }[] = [];
  let latest = -1;
  for (let index = 0; index < count; index++) {
    const isLast = index === count - 1;
    const allowed = MOVES.filter((move) => (latest >= 0 || !needsAnswer(move)) && (!isLast || givesAnswer(move)));
    const move = allowed[randomIndex(random, allowed.length)] ?? 'solve';
    const access = [...Array(index).keys()].filter((at) => random() < 0.5 || (needsAnswer(move) && at === latest));
    steps.push({ row: randomIndex(random, rows), move, access });
    if (givesAnswer(move)) latest = index;
  }
  return steps;
}
