/** @file Adds amounts in units that are multiples of each other. */
import type { Definition } from '../definition';
import { between, repeat, sampleOf } from '../draw';

export interface MixedUnits {
  /** The units, largest first. */
  readonly units: readonly string[];
  /** How many of the next smaller unit make one of each unit. The smallest unit has none. */
  readonly ratios: readonly number[];
  /** Each amount has a number for each unit. */
  readonly amounts: readonly (readonly number[])[];
}

const UNITS = ['tor', 'lim', 'pek', 'zan', 'mot', 'gril', 'dax', 'fen'];

export const mixedUnits: Definition<MixedUnits> = {
  id: 'mixed-units',
  label: 'Sums in mixed units',
  domain: 'data',
  // The number of amounts.
  sizes: [2, 3, 5, 8, 13, 21, 33, 53],
  form: 'list',
  draw: (random, count) => {
    const ratios = repeat(2, () => between(random, 6, 36));
    return {
      units: sampleOf(UNITS, 3, random),
      ratios,
      amounts: repeat(count, () => [between(random, 1, 30), ...ratios.map((ratio) => between(random, 1, ratio - 1))]),
    };
  },
  ask: ({ units, ratios, amounts }) =>
    `In an old system of weights, ${ratios.map((ratio, index) => `1 ${units[index] ?? ''} is ${ratio} ${units[index + 1] ?? ''}`).join(', and ')}. Add all of these weights:\n\n${amounts.map((amount) => amount.map((number, index) => `${number} ${units[index] ?? ''}`).join(' ')).join('\n')}\n\nWrite the sum with as many ${units[0] ?? ''} as possible, then as many ${units[1] ?? ''} as possible, and the rest in ${units[2] ?? ''}.`,
  answer: 'the three numbers of the sum without the units, separated by commas',
  solve: ({ ratios, amounts }) => {
    const [most = 1, few = 1] = ratios;
    const column = (index: number) => amounts.reduce((sum, amount) => sum + (amount[index] ?? 0), 0);
    const middle = column(1) + Math.floor(column(2) / few);
    return [column(0) + Math.floor(middle / most), middle % most, column(2) % few].join(', ');
  },
  // Each number is added.
  steps: ({ units, amounts }) => units.length * amounts.length,
};
