import { cleanMedian } from '../../../../src/core/measurement/families/data/clean-median';
import { coveredTime } from '../../../../src/core/measurement/families/data/covered-time';
import { groupTotals } from '../../../../src/core/measurement/families/data/group-totals';
import { logSessions } from '../../../../src/core/measurement/families/data/log-sessions';
import { mixedUnits } from '../../../../src/core/measurement/families/data/mixed-units';
import { tableJoin } from '../../../../src/core/measurement/families/data/table-join';
import { expect } from 'vitest';
import { describeFamily } from './describe-family';

describeFamily(tableJoin, ({ town }, { question }) => {
  // Reads the tables from the question, and goes from the customers to their orders.
  const table = (name: string) => {
    const lines = (question.split(`${name}\n`).at(-1) ?? '').split('\n\n')[0]?.split('\n') ?? [];
    return lines.slice(1).map((line) => line.split(','));
  };
  const [prices, orders] = [
    new Map(table('Prices').map(([product = '', price]) => [product, Number(price)])),
    table('Orders'),
  ];
  let total = 0;
  for (const [customer, home] of table('Customers')) {
    for (const [name, product, amount] of orders) {
      if (home !== town || name !== customer) continue;
      total += Number(amount) * (prices.get(product ?? '') ?? NaN);
    }
  }
  return `${total}.00`;
});

describeFamily(groupTotals, ({ rows }) => {
  // Adds up one town after the other.
  const towns = [...new Set(rows.map(([town]) => town))];
  const totals = towns.map((town) =>
    rows.filter(([each, status]) => each === town && status === 'paid').reduce((sum, [, , amount]) => sum + amount, 0),
  );
  const most = Math.max(...totals);
  return `${towns[totals.indexOf(most)]} (${most})`;
});

/** The minutes from midnight of a time such as 09:05. */
function minuteOf(time = ''): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

describeFamily(coveredTime, (_, { question }) => {
  // Reads the periods from the question, and marks their minutes.
  const used = new Uint8Array(24 * 60);
  for (const [, from, to] of question.matchAll(/^(\d\d:\d\d)-(\d\d:\d\d)$/gm))
    used.fill(1, minuteOf(from), minuteOf(to));
  return `${used.reduce((sum, minute) => sum + minute, 0)} minutes`;
});

describeFamily(cleanMedian, (_, { question }) => {
  // Reads the rows from the question from the end, and removes the least and the greatest weight until at most two are left.
  const weights = new Map<string, number>();
  for (const [, parcel = '', number, unit] of [...question.matchAll(/^(P\d+),([\d.]+) ?(k?g)$/gm)].toReversed()) {
    if (!weights.has(parcel)) weights.set(parcel, Math.round(Number(number) * (unit === 'kg' ? 1_000 : 1)));
  }
  let left = [...weights.values()];
  while (left.length > 2) {
    const [least, most] = [left.indexOf(Math.min(...left)), left.lastIndexOf(Math.max(...left))];
    left = left.filter((__, index) => index !== least && index !== most);
  }
  return `${((left[0] ?? 0) + (left.at(-1) ?? 0)) / 2} g`;
});

describeFamily(mixedUnits, ({ units, ratios, amounts }) => {
  // Converts everything to the smallest unit and back.
  const [most = 1, few = 1] = ratios;
  const total = amounts.reduce(
    (sum, [large = 0, middle = 0, small = 0]) => sum + (large * most + middle) * few + small,
    0,
  );
  const numbers = [Math.floor(total / (most * few)), Math.floor(total / few) % most, total % few];
  expect(units).toHaveLength(numbers.length);
  return numbers.join('; ');
});

describeFamily(logSessions, (_, { question }) => {
  // Reads the log from the question, and counts the users of each minute.
  const events = new Map(
    [...question.matchAll(/^(\d\d:\d\d) (\w+) (login|logout)$/gm)].map(([, time, ...event]) => [minuteOf(time), event]),
  );
  const [active, minutes] = [new Set<string>(), new Map<string, number>()];
  for (let minute = 0; minute < 24 * 60; minute++) {
    const [user = '', event] = events.get(minute) ?? [];
    if (event === 'login') active.add(user);
    if (event === 'logout') active.delete(user);
    for (const each of active) minutes.set(each, (minutes.get(each) ?? 0) + 1);
  }
  const most = Math.max(...minutes.values());
  return `${[...minutes].find(([, count]) => count === most)?.[0]}: ${most}`;
});
