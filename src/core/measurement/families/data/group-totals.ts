/** @file Adds up a column of a table by group, and finds the group with the greatest total. */
import type { Random } from '../../../contract';
import type { Definition } from '../definition';
import { between, drawUntil, pickOf, repeat, sampleOf } from '../draw';
import { PLACES } from '../words';

type Row = readonly [town: string, status: 'paid' | 'open', amount: number];

export interface GroupTotals {
  readonly rows: readonly Row[];
}

export const groupTotals: Definition<GroupTotals> = {
  id: 'group-totals',
  label: 'Totals by group',
  domain: 'data',
  // The number of rows.
  sizes: [6, 10, 16, 25, 40, 64, 100, 160],
  form: 'list',
  draw: (random, count) =>
    drawUntil(
      () => drawRows(random, count),
      (puzzle) => {
        const [first, second] = ranked(puzzle);
        return first !== undefined && first[1] !== second?.[1];
      },
    ),
  ask: ({ rows }) =>
    `The table has invoices. Leave out all invoices that are open. Which town has the greatest total of paid amounts, and what is this total?\n\ntown,status,amount\n${rows.map((row) => row.join(',')).join('\n')}`,
  answer: 'the town and its total, separated by a comma',
  solve: (puzzle) => ranked(puzzle)[0]?.join(', ') ?? '',
  // Each row is left out or added.
  steps: ({ rows }) => rows.length,
};

function drawRows(random: Random, count: number): GroupTotals {
  const towns = sampleOf(PLACES, 4, random);
  return {
    rows: repeat(count, () => [pickOf(towns, random), random() < 0.7 ? 'paid' : 'open', between(random, 11, 999)]),
  };
}

/** The towns and their totals, greatest total first. */
function ranked({ rows }: GroupTotals): readonly (readonly [string, number])[] {
  const totals = new Map<string, number>();
  for (const [town, status, amount] of rows) {
    if (status === 'paid') totals.set(town, (totals.get(town) ?? 0) + amount);
  }
  return [...totals].toSorted(([, one], [, other]) => other - one);
}
