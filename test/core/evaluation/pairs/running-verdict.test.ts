import { describe, expect, it } from 'vitest';
import { seededRandom, type Preference } from '../../../../src/core/contract';
import { evidenceOf, runningVerdicts, type ComparedPair } from '../../../../src/core/evaluation/pairs/running-verdict';

function pair(preferred: Preference, more: Partial<ComparedPair> = {}): ComparedPair {
  const side = { length: 100, usd: 0.01 };
  return { series: 'now', at: 1, preferred, conductor: side, alone: side, ...more };
}
const pairs = (...counts: readonly [Preference, number][]) =>
  counts.flatMap(([preferred, count]) => Array.from({ length: count }, () => pair(preferred)));

/** The Bayes factor in exact fractions: the beta function of whole numbers is a ratio of factorials. */
function exactEvidence(wins: number, losses: number): number {
  const factorial = (n: number): bigint => (n < 2 ? 1n : BigInt(n) * factorial(n - 1));
  const over = factorial(4 + wins) * factorial(4 + losses) * factorial(9) * 2n ** BigInt(wins + losses);
  const under = factorial(9 + wins + losses) * factorial(4) * factorial(4);
  return Number((over * 10n ** 12n) / under) / 1e12;
}

/** The Bayes factor by integration over the probability of a win, with Simpson's rule. */
function integratedEvidence(wins: number, losses: number): number {
  const parts = 20_000;
  const integral = (w: number, l: number, scale: number) => {
    let sum = 0;
    for (let index = 0; index <= parts; index++) {
      const p = index / parts;
      const weight = index === 0 || index === parts ? 1 : index % 2 === 1 ? 4 : 2;
      sum += weight * p ** 4 * (1 - p) ** 4 * (scale * p) ** w * (scale * (1 - p)) ** l;
    }
    return sum;
  };
  return integral(wins, losses, 2) / integral(0, 0, 1);
}

describe('the running verdict', () => {
  it('has the evidence that two other methods compute', () => {
    for (const [wins, losses] of [
      [0, 0],
      [1, 0],
      [7, 2],
      [14, 2],
      [30, 31],
      [120, 80],
    ] as const) {
      const evidence = evidenceOf(wins, losses);
      expect(evidence / exactEvidence(wins, losses), `${wins} : ${losses}`).toBeCloseTo(1, 6);
      expect(evidence / integratedEvidence(wins, losses), `${wins} : ${losses}`).toBeCloseTo(1, 6);
      expect(evidenceOf(losses, wins)).toBeCloseTo(evidence, 6);
    }
    expect(evidenceOf(0, 0)).toBe(1);
  });

  it('is given at the evidence of 20, for either side', () => {
    const first = Array.from({ length: 40 }, (_, wins) => wins).find((wins) => exactEvidence(wins, 0) >= 20) ?? 0;
    expect(runningVerdicts(pairs(['conductor', first - 1]))[0]?.all.better).toBeNull();
    expect(runningVerdicts(pairs(['conductor', first]))[0]?.all.better).toBe('conductor');
    expect(runningVerdicts(pairs(['alone', first]))[0]?.all.better).toBe('alone');
  });

  it('is seen by at most 5 % of 1,000 users without a difference within 500 pairs, and by most with one', () => {
    const evidence = Array.from({ length: 501 }, () => new Map<number, number>());
    const look = (wins: number, losses: number) => {
      const known = evidence[wins]?.get(losses) ?? evidenceOf(wins, losses);
      evidence[wins]?.set(losses, known);
      return known;
    };
    const seenBy = (probability: number, seed: number) => {
      const random = seededRandom(seed);
      let seen = 0;
      for (let user = 0; user < 1000; user++) {
        let [wins, losses] = [0, 0];
        while (wins + losses < 500) {
          if (random() < probability) wins += 1;
          else losses += 1;
          if (look(wins, losses) < 20) continue;
          seen += 1;
          break;
        }
      }
      return seen;
    };
    const mistaken = seenBy(0.5, 1);
    expect(mistaken).toBeLessThanOrEqual(50);
    expect(mistaken).toBeGreaterThan(0);
    expect(seenBy(0.65, 3)).toBeGreaterThan(900);
  });

  it('shows ties apart, and does not count them', () => {
    const [verdict] = runningVerdicts(pairs(['conductor', 9], ['alone', 2], ['equal', 40], ['neither', 3]));
    expect(verdict?.all).toMatchObject({ wins: 9, losses: 2, equal: 40, neither: 3, evidence: evidenceOf(9, 2) });
  });

  it('never counts pairs of two series together, and shows the newest series first', () => {
    const old = pairs(['conductor', 20]).map((each) => ({ ...each, series: 'before' }));
    const verdicts = runningVerdicts([pair('alone', { at: 9 }), ...old]);
    expect(verdicts.map(({ series, all }) => [series, all.wins, all.losses, all.better])).toEqual([
      ['now', 0, 1, null],
      ['before', 20, 0, 'conductor'],
    ]);
  });

  it('counts pairs of similar length again on their own, up to a ratio of 1.5', () => {
    const lengths = (conductor: number, alone: number) => ({
      conductor: { length: conductor, usd: null },
      alone: { length: alone, usd: null },
    });
    const [verdict] = runningVerdicts([
      pair('conductor', lengths(150, 100)),
      pair('conductor', lengths(151, 100)),
      pair('alone', lengths(100, 150)),
      pair('alone', lengths(0, 10)),
    ]);
    expect(verdict?.all).toMatchObject({ wins: 2, losses: 2 });
    expect(verdict?.similar).toMatchObject({ wins: 1, losses: 1 });
  });

  it('counts skipped pairs by length and cost', () => {
    const [verdict] = runningVerdicts([
      pair('skipped', { conductor: { length: 300, usd: 0.05 } }),
      pair('skipped', { conductor: { length: 50, usd: 0.05 } }),
      pair('skipped', { conductor: { length: 50, usd: null } }),
      pair('conductor'),
    ]);
    expect(verdict?.skipped).toEqual({ count: 3, longer: 1, dearer: 2 });
    expect(verdict?.all).toMatchObject({ wins: 1, losses: 0 });
  });
});
