import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/core/contract';
import { nextTask } from '../../../../src/core/measurement/ability/next-task';
import type { FamilyFacts, Observation } from '../../../../src/core/measurement/ability/observation';

const FAMILIES: readonly FamilyFacts[] = [
  { id: 'sums', domain: 'maths', levels: 6 },
  { id: 'roots', domain: 'maths', levels: 6 },
  { id: 'loops', domain: 'code', levels: 6 },
];
const SUMS = FAMILIES.slice(0, 1);

const made = (family: FamilyFacts, level: number, right: boolean, worker = 'w'): Observation => ({
  worker,
  family: family.id,
  domain: family.domain,
  level,
  right,
});

/** Asks one worker, who solves all tasks below a level. @returns all observations */
function ask(families: readonly FamilyFacts[], tasks: number, limit: number): Observation[] {
  const random = seededRandom(1);
  const observations: Observation[] = [];
  for (let task = 0; task < tasks; task++) {
    const chosen = nextTask('w', observations, families, random);
    const family = families.find(({ id }) => id === chosen?.family);
    if (chosen && family) observations.push(made(family, chosen.level, chosen.level < limit));
  }
  return observations;
}

describe('nextTask', () => {
  it('gives all domains the same number of tasks, and all families of a domain', () => {
    const observations = ask(FAMILIES, 40, 3);
    const count = (family: string) => observations.filter((each) => each.family === family).length;
    expect([count('sums'), count('roots'), count('loops')]).toEqual([10, 10, 20]);
  });

  it.each([1, 5])('asks more often near the limit of a worker who solves %i levels', (limit) => {
    const observations = ask(SUMS, 30, limit);
    const near = observations.filter(({ level }) => Math.abs(level + 0.5 - limit) <= 1);
    const far = observations.filter(({ level }) => Math.abs(level + 0.5 - limit) >= 3);
    // Two levels are near, and two or three are far.
    expect(near.length).toBeGreaterThan(1.3 * far.length);
  });

  it('learns the difficulty of a family from other workers', () => {
    const others = ['a', 'b', 'c'].flatMap((worker) =>
      Array.from({ length: 18 }, (_, index) => made(SUMS[0] as FamilyFacts, index % 6, false, worker)),
    );
    const random = seededRandom(2);
    const meanLevel = (observations: readonly Observation[]) =>
      Array.from({ length: 60 }, () => nextTask('new', observations, SUMS, random)?.level ?? NaN).reduce(
        (sum, level) => sum + level / 60,
        0,
      );
    expect(meanLevel(others)).toBeLessThan(meanLevel([]) - 0.4);
  });

  it('drops a family that all workers solve at the highest level, or fail at the lowest', () => {
    const [sums, roots] = [SUMS[0] as FamilyFacts, FAMILIES[1] as FamilyFacts];
    const maths = [sums, roots];
    const solved = ['w', 'v'].flatMap((worker) => [made(sums, 5, true, worker), made(sums, 5, true, worker)]);
    const failed = ['w', 'v'].flatMap((worker) => [made(sums, 0, false, worker), made(sums, 0, false, worker)]);
    // So that the other family is not the one with the fewest tasks.
    const many = [0, 1, 2, 3, 4, 5].map((level) => made(roots, level, level < 3));
    const next = (observations: readonly Observation[]) =>
      nextTask('w', [...observations, ...many], maths, seededRandom(3))?.family;
    expect([next(solved), next(failed)]).toEqual(['roots', 'roots']);
    expect(next([...solved, made(sums, 3, false)])).toBe('sums');
    expect(next(solved.slice(1))).toBe('sums');
    expect(nextTask('w', solved, [sums], seededRandom(3))?.family).toBe('sums');
  });

  it('makes the same choice for the same observations and random numbers', () => {
    const observations = ask(FAMILIES, 12, 3);
    const choose = () => nextTask('w', observations, FAMILIES, seededRandom(4));
    expect(choose()).toEqual(choose());
    expect(nextTask('w', [], [], seededRandom(4))).toBeNull();
  });
});
