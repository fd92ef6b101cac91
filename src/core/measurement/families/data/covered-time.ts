/** @file Computes how much time at least one of many periods covers. */
import type { Definition } from '../definition';
import { between, repeat } from '../draw';
import { clock } from './clock';

export interface Periods {
  /** From and to, in minutes from midnight. */
  readonly periods: readonly (readonly [from: number, to: number])[];
}

const DAY = 24 * 60;

export const coveredTime: Definition<Periods> = {
  id: 'covered-time',
  label: 'Time covered by periods',
  domain: 'data',
  // The number of periods.
  sizes: [3, 5, 8, 13, 20, 32, 50, 80],
  form: 'number',
  draw: (random, count) => ({
    periods: repeat(count, () => {
      const length = between(random, Math.ceil(300 / count), Math.ceil(1800 / count));
      const from = between(random, 0, DAY - 1 - length);
      return [from, from + length] as const;
    }),
  }),
  ask: ({ periods }) =>
    `A machine writes down the periods in which it was used by someone. The periods can overlap. For how many minutes of the day was the machine used by at least one person? A period such as 10:00-10:30 has 30 minutes.\n\n${periods.map(([from, to]) => `${clock(from)}-${clock(to)}`).join('\n')}`,
  answer: 'the number of minutes',
  solve: ({ periods }) => {
    let [minutes, end] = [0, 0];
    for (const [from, to] of periods.toSorted(([one], [other]) => one - other)) {
      minutes += Math.max(0, to - Math.max(from, end));
      end = Math.max(end, to);
    }
    return String(minutes);
  },
  // Each period is put in its place, and added.
  steps: ({ periods }) => 2 * periods.length,
};
