/**
 * @file Tests the items on which a policy is trained and evaluated. An item is a question with a
 * pool of workers.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkWorkflow, seededRandom } from '../../../../src/core/contract';
import { isGrammatical } from '../../../../src/core/policy/moves';
import {
  playRound,
  playSkeleton,
  secondRoundRequest,
  trainingReward,
} from '../../../../src/core/training/environment/items';
import { drawQuestion, historyOf } from '../../../../src/core/training/environment/history';
import { drawPopulation } from '../../../../src/core/training/environment/population';
import { wordSkeleton } from '../../../../src/core/conductor/policy';
import { drawSkeleton, fillAtRandom, SHAPES } from '../../../../src/core/training/environment/workflow-shapes';
import { items, smallSociety } from '../society';

const society = smallSociety();
const drawn = items(society, 40, 0.5);

describe('drawn items', () => {
  it('are the same for the same seed', () => {
    const again = items(smallSociety(), 40, 0.5);
    expect(again.map(({ request }) => request)).toEqual(drawn.map(({ request }) => request));
    expect(again.map(({ input }) => input)).toEqual(drawn.map(({ input }) => input));
  });

  it('share no worker and no puzzle between training and held-out data', () => {
    const heldOut = smallSociety('held-out');
    const ids = new Set(society.population.map(({ profile }) => profile.id));
    expect(heldOut.population.some(({ profile }) => ids.has(profile.id))).toBe(false);
    const strengths = new Set(society.population.map(({ profile }) => JSON.stringify(profile.strengths)));
    expect(heldOut.population.some(({ profile }) => strengths.has(JSON.stringify(profile.strengths)))).toBe(false);
    const keys = new Set(Array.from({ length: 400 }, (_, index) => drawQuestion('train', 1, index).key));
    const common = Array.from({ length: 400 }, (_, index) => drawQuestion('held-out', 1, index).key);
    expect(common.filter((key) => keys.has(key))).toEqual([]);
  });

  it('cover all puzzle families, and list the Conductor after 2 to 7 workers if recursion is on', () => {
    const families = new Set(drawn.map(({ simulator }) => simulator.puzzle.family));
    expect(families.size).toBe(5);
    for (const { workers, request, input } of drawn) {
      expect(new Set(workers.map(({ profile }) => profile.id)).size).toBe(workers.length);
      expect(workers.length).toBeGreaterThanOrEqual(2);
      expect(workers.length).toBeLessThanOrEqual(7);
      expect(request.pool.length).toBe(workers.length + (request.recursion ? 1 : 0));
      expect(input.limits.conductor).toBe(request.recursion ? workers.length : -1);
      expect([...input.workers, ...input.question].every(Number.isFinite)).toBe(true);
    }
    expect(drawn.some(({ request }) => request.recursion)).toBe(true);
  });

  it('have more graded runs at a greater history depth, and none at depth 0', () => {
    const ids = society.population.map(({ profile }) => profile.id);
    const counted = (depth: number) => historyOf(society.histories, ids, depth).length;
    expect(counted(0)).toBe(0);
    expect(counted(3)).toBeGreaterThan(0);
    expect(counted(10)).toBeGreaterThan(counted(3));
    const known = historyOf(society.histories, ids.slice(0, 2), 5);
    expect(known.every(({ played }) => played.some(({ workerId }) => ids.slice(0, 2).includes(workerId)))).toBe(true);
  });

  it('have workers with a wide range of strengths', () => {
    const strengths = drawPopulation(5, 200).flatMap(({ profile }) => Object.values(profile.strengths));
    expect(Math.min(...strengths)).toBeLessThan(0.2);
    expect(Math.max(...strengths)).toBeGreaterThan(0.9);
  });
});

describe('skeletons (workflows without subtasks)', () => {
  it('become valid workflows, whether drawn at random or filled from a shape', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 8 }), (seed, rows) => {
        const random = seededRandom(seed);
        const limits = { rows, conductor: -1, mayKeep: false, maxSteps: 5 };
        const drawn = [drawSkeleton(rows, random), ...SHAPES.map((shape) => fillAtRandom(shape, rows, random))];
        for (const skeleton of drawn) {
          expect(isGrammatical(skeleton, limits)).toBe(true);
          const steps = wordSkeleton(skeleton, [...Array(rows).keys()]);
          expect(checkWorkflow({ steps }, { poolSize: rows, maxSteps: 5 })).toBeNull();
        }
      }),
      { numRuns: 50 },
    );
  });

  it('give the same result every time, and earn less for a right answer after more calls', () => {
    const [item] = drawn;
    if (!item) throw new Error('There are no items.');
    const skeleton = drawSkeleton(item.workers.length, seededRandom(4));
    expect(playSkeleton(item, skeleton)).toEqual(playSkeleton(item, skeleton));
    expect(trainingReward(true, 2)).toBeGreaterThan(trainingReward(true, 5));
    expect(trainingReward(true, 5)).toBeGreaterThan(trainingReward(false, 1));
  });
});

describe('a second round', () => {
  it('receives the outputs of the first round, with `null` for the Conductor’s step', () => {
    const item = drawn.find(({ request }) => request.recursion);
    if (!item) throw new Error('No item allows recursion.');
    const skeleton = [
      { row: 0, move: 'solve' as const, access: [] },
      { row: item.input.limits.conductor, move: null, access: [0] },
    ];
    expect(isGrammatical(skeleton, item.input.limits)).toBe(true);
    const played = playSkeleton(item, skeleton);
    expect(played.calls).toBe(1);
    expect(
      checkWorkflow({ steps: played.steps }, { poolSize: item.request.pool.length, maxSteps: 5, recursion: true }),
    ).toBeNull();
    const next = secondRoundRequest(item, played.steps, played);
    expect(next.earlier[0]?.answer).toBe(played.outputs[0]);
    expect(next.earlier[0]?.outputs).toEqual([played.outputs[0], null]);
  });

  it('uses other random numbers than the first round', () => {
    const texts = (round: number) =>
      drawn.map((item) => {
        const [shape = []] = SHAPES.slice(10);
        const steps = wordSkeleton(fillAtRandom(shape, item.workers.length, seededRandom(1)), item.input.rows);
        return playRound(item, steps, round).outputs;
      });
    expect(texts(1)).not.toEqual(texts(0));
  });
});
