/** @file What the environment draws: repeatable, never shared between training and held-out, and as the contract has it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkWorkflow, seededRandom, type Step } from '../../../src/core/contract';
import { isGrammatical } from '../../../src/core/policy';
import { nextRound, play, playSkeleton, rewardOf, type Item } from '../../../src/core/training/environment';
import { historyOf } from '../../../src/core/training/history';
import { drawPopulation } from '../../../src/core/training/population';
import { drawQuestion } from '../../../src/core/training/questions';
import { wordSkeleton } from '../../../src/core/conductor/policy';
import { rememberItems } from '../../../src/core/training/trainer';
import { SUBTASK } from '../../../src/core/conductor/wording';
import { drawSkeleton, fillAtRandom, SHAPES } from '../../../src/core/training/templates';
import { items, smallSociety } from './society';

const society = smallSociety();
const asked = items(society, 40, 0.5);

describe('what is drawn', () => {
  it('is the same for the same seed', () => {
    const again = items(smallSociety(), 40, 0.5);
    expect(again.map(({ request }) => request)).toEqual(asked.map(({ request }) => request));
    expect(again.map(({ input }) => input)).toEqual(asked.map(({ input }) => input));
  });

  it('shares no worker and no puzzle between training and held-out', () => {
    const heldOut = smallSociety('held-out');
    const ids = new Set(society.population.map(({ profile }) => profile.id));
    expect(heldOut.population.some(({ profile }) => ids.has(profile.id))).toBe(false);
    const strengths = new Set(society.population.map(({ profile }) => JSON.stringify(profile.strengths)));
    expect(heldOut.population.some(({ profile }) => strengths.has(JSON.stringify(profile.strengths)))).toBe(false);
    const keys = new Set(Array.from({ length: 400 }, (_, index) => drawQuestion('train', 1, index).key));
    const common = Array.from({ length: 400 }, (_, index) => drawQuestion('held-out', 1, index).key);
    expect(common.filter((key) => keys.has(key))).toEqual([]);
  });

  it('has all families, pools of 2 to 7 different workers, and the Conductor last where it may go on', () => {
    const families = new Set(asked.map(({ simulator }) => simulator.puzzle.family));
    expect(families.size).toBe(5);
    for (const { workers, request, input } of asked) {
      expect(new Set(workers.map(({ profile }) => profile.id)).size).toBe(workers.length);
      expect(workers.length).toBeGreaterThanOrEqual(2);
      expect(workers.length).toBeLessThanOrEqual(7);
      expect(request.pool.length).toBe(workers.length + (request.recursion ? 1 : 0));
      expect(input.limits.conductor).toBe(request.recursion ? workers.length : -1);
      expect([...input.workers, ...input.question].every(Number.isFinite)).toBe(true);
    }
    expect(asked.some(({ request }) => request.recursion)).toBe(true);
  });

  it('tells of no past where none is known, and of more the deeper it looks', () => {
    const ids = society.population.map(({ profile }) => profile.id);
    const counted = (depth: number) => historyOf(society.past, ids, depth).length;
    expect(counted(0)).toBe(0);
    expect(counted(3)).toBeGreaterThan(0);
    expect(counted(10)).toBeGreaterThan(counted(3));
    const known = historyOf(society.past, ids.slice(0, 2), 5);
    expect(known.every(({ played }) => played.some(({ workerId }) => ids.slice(0, 2).includes(workerId)))).toBe(true);
  });

  it('has workers of all kinds of strength', () => {
    const strengths = drawPopulation(5, 200).flatMap(({ profile }) => Object.values(profile.strengths));
    expect(Math.min(...strengths)).toBeLessThan(0.2);
    expect(Math.max(...strengths)).toBeGreaterThan(0.9);
  });
});

describe('skeletons', () => {
  it('drawn or filled in keep to the grammar and to the invariants of workflows', () => {
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

  it('earn the same however often they are played, and less for more steps', () => {
    const [item] = asked;
    if (!item) throw new Error('There are no items.');
    const skeleton = drawSkeleton(item.workers.length, seededRandom(4));
    expect(playSkeleton(item, skeleton)).toEqual(playSkeleton(item, skeleton));
    expect(rewardOf(true, 2)).toBeGreaterThan(rewardOf(true, 5));
    expect(rewardOf(true, 5)).toBeGreaterThan(rewardOf(false, 1));
  });
});

describe('a second round', () => {
  it('knows what the first came to, and the Conductor is not called', () => {
    const item = asked.find(({ request }) => request.recursion);
    if (!item) throw new Error('No item may go on.');
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
    const next = nextRound(item, played.steps, played);
    expect(next.earlier[0]?.answer).toBe(played.outputs[0]);
    expect(next.earlier[0]?.outputs).toEqual([played.outputs[0], null]);
  });

  it('draws from its own seed', () => {
    const texts = (round: number) =>
      asked.map((item) => {
        const [shape = []] = SHAPES.slice(10);
        const steps = wordSkeleton(fillAtRandom(shape, item.workers.length, seededRandom(1)), item.input.rows);
        return play(item, steps, round).outputs;
      });
    expect(texts(1)).not.toEqual(texts(0));
  });
});

describe('items that are remembered', () => {
  it('are the newest few; what was forgotten is drawn again and plays as before', () => {
    const places = [0, 1, 2, 0, 3, 4, 1, 0, 2];
    const steps: Step[] = [{ worker: 0, subtask: SUBTASK.solve, access: [] }];
    const follow = (most: number) => {
      const item = rememberItems(society, 7, 0, most);
      return places.map((place) => item(place));
    };
    const [all, few] = [follow(100), follow(2)];
    const told = (items: readonly Item[]) =>
      items.map((item) => ({ request: item.request, input: item.input, played: play(item, steps) }));
    expect(told(few)).toEqual(told(all));
    expect(new Set(all).size, 'nothing forgotten').toBe(5);
    expect(new Set(few).size, 'what was asked for longest ago is forgotten').toBe(9);
    const item = rememberItems(society, 7, 0, 2);
    const first = item(0);
    item(1);
    expect(item(0), 'asked for again, it stays').toBe(first);
    item(2);
    expect(item(0)).toBe(first);
  });
});
