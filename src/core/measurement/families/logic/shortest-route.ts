/** @file Finds the length of the shortest route through a network of roads. */
import { shuffled, type Random } from '../../../contract';
import type { Definition } from '../definition';
import { between, drawUntil, pickOf } from '../draw';

type Road = readonly [one: number, other: number, length: number];

export interface Roads {
  readonly roads: readonly Road[];
  /** The towns are numbered from 1. */
  readonly from: number;
  readonly to: number;
}

export const shortestRoute: Definition<Roads> = {
  id: 'shortest-route',
  label: 'Shortest route',
  domain: 'logic',
  // The number of roads.
  sizes: [6, 10, 16, 25, 40, 64, 100, 160],
  form: 'number',
  draw: drawRoads,
  ask: ({ roads, from, to }) =>
    `The list below has all roads between some towns, which are numbered, with the lengths in kilometres. All roads can be used in both directions. How long is the shortest route from town ${from} to town ${to}?\n\n${roads.map(([one, other, length]) => `${one} - ${other}: ${length} km`).join('\n')}`,
  answer: 'the length in kilometres, as a number without a unit',
  solve: ({ roads, from, to }) => String(distancesFrom(from, roads).get(to)),
  // Each road is followed once.
  steps: ({ roads }) => roads.length,
};

function drawRoads(random: Random, count: number): Roads {
  const towns = 2 + Math.ceil(count * 0.5);
  const roads = new Map<string, Road>();
  const add = (one: number, other: number) =>
    roads.set([Math.min(one, other), Math.max(one, other)].join(), [one, other, between(random, 11, 99)]);
  // A road from each town to an earlier one connects all of them.
  for (let town = 2; town <= towns; town++) add(town, between(random, Math.max(1, town - 4), town - 1));
  while (roads.size < count) {
    const one = between(random, 1, towns);
    const other = drawUntil(
      () => between(random, 1, towns),
      (each) => each !== one,
    );
    // Near towns, so that the route has many roads.
    if (Math.abs(one - other) <= 6) add(one, other);
  }
  const drawn = [...roads.values()];
  const from = between(random, 1, 3);
  const distances = [...distancesFrom(from, drawn)].toSorted(([, one], [, other]) => other - one);
  const [to] = pickOf(distances.slice(0, 2), random);
  return { roads: shuffled(drawn, random), from, to };
}

/** The length of the shortest route to each town. Always continues from the nearest town that is not settled. */
function distancesFrom(from: number, roads: readonly Road[]): ReadonlyMap<number, number> {
  const settled = new Map<number, number>();
  const reached = new Map([[from, 0]]);
  for (;;) {
    const [nearest] = [...reached].toSorted(([, one], [, other]) => one - other);
    if (!nearest) return settled;
    const [town, distance] = nearest;
    settled.set(town, distance);
    reached.delete(town);
    for (const [one, other, length] of roads) {
      const next = one === town ? other : other === town ? one : null;
      if (next === null || settled.has(next)) continue;
      reached.set(next, Math.min(reached.get(next) ?? Infinity, distance + length));
    }
  }
}
