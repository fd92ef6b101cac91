/** @file Compares the speed of a local model in Podium with that of its library alone (`bare`), in pairs of measurements. */
import { seededRandom } from '../../../src/core/contract';
import { median, table, type Print } from '../report';
import type { Contender, Sample } from './contenders';
import type { GenerateRequest } from '../../../src/core/contract';

export interface Pair {
  readonly podium: Sample;
  readonly bare: Sample;
}

/** In each pair, both contenders get the same request. They take turns to go first. The first pair is discarded as a warm-up. */
export async function measurePairs(
  { podium, bare }: { readonly podium: Contender; readonly bare: Contender },
  count: number,
  requestOf: (seed: number) => GenerateRequest,
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let seed = 0; seed <= count; seed++) {
    const request = requestOf(seed);
    if (seed % 2 === 0) {
      const first = await podium.run(request);
      pairs.push({ podium: first, bare: await bare.run(request) });
    } else {
      const first = await bare.run(request);
      pairs.push({ podium: await podium.run(request), bare: first });
    }
  }
  return pairs.slice(1);
}

/** Time per token after the first, ms. */
const decodeTime = ({ tokens, firstToken, end }: Sample) => (end - firstToken) / (tokens - 1);

export function printPairs(print: Print, title: string, pairs: readonly Pair[]): void {
  const differing = pairs.filter(
    ({ podium, bare }) => podium.tokens !== bare.tokens || podium.text !== bare.text,
  ).length;
  const rate = (side: keyof Pair) => 1000 / median(pairs.map((pair) => decodeTime(pair[side])));
  const decode = estimate(pairs.map(({ podium, bare }) => Math.log(decodeTime(bare) / decodeTime(podium))));
  const first = estimate(pairs.map(({ podium, bare }) => Math.log(podium.firstToken / bare.firstToken)));
  const cost = estimate(pairs.map(({ podium, bare }) => 1000 * (decodeTime(podium) - decodeTime(bare))));
  const tokens = pairs.map(({ bare }) => bare.tokens);
  const figure = ({ mean, low, high }: Estimate, digits: number) =>
    `${mean.toFixed(digits)}   [${low.toFixed(digits)}, ${high.toFixed(digits)}]`;
  const share = (perSecond: number) => `${((cost.mean * perSecond) / 10_000).toFixed(2)} %`;
  table(
    print,
    title,
    ['', 'mean [95 %]'],
    [
      ['pairs', `${pairs.length}, each of ${Math.min(...tokens)} to ${Math.max(...tokens)} tokens`],
      ['answers that differ within a pair', String(differing)],
      ['decoding, tokens a second: bare', rate('bare').toFixed(1)],
      ['decoding, tokens a second: Podium', rate('podium').toFixed(1)],
      ['decode rate, Podium ÷ bare (aim: at least 0.98)', figure(exponential(decode), 3)],
      ['first token, ms: bare', median(pairs.map(({ bare }) => bare.firstToken)).toFixed(0)],
      ['first token, Podium ÷ bare', figure(exponential(first), 3)],
      ['cost of Podium’s code, µs a token', figure(cost, 0)],
      ['calculated: this cost as a share of the time at 30 tokens a second', share(30)],
      ['calculated: this cost as a share of the time at 60 tokens a second', share(60)],
    ],
  );
}

interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Mean of the middle 80 % of the values, with its 95 % interval from 4,000 bootstrap resamples. The lowest and the highest tenth
 * are left out, because other load may have slowed only one measurement of a pair.
 */
function estimate(values: readonly number[]): Estimate {
  const random = seededRandom(1);
  const means = Array.from({ length: 4000 }, () =>
    trimmedMean(values.map(() => values[Math.floor(random() * values.length)] ?? 0)),
  ).toSorted((one, other) => one - other);
  return { mean: trimmedMean(values), low: means[100] ?? Number.NaN, high: means[3899] ?? Number.NaN };
}

function trimmedMean(values: readonly number[]): number {
  const cut = Math.floor(values.length / 10);
  const middle = values.toSorted((one, other) => one - other).slice(cut, values.length - cut);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

function exponential({ mean, low, high }: Estimate): Estimate {
  return { mean: Math.exp(mean), low: Math.exp(low), high: Math.exp(high) };
}
