import { describe, expect, it } from 'vitest';
import type { CheckCounts } from '../../../../src/core/contract';
import type { Scope } from '../../../../src/core/measurement/ability/fit-abilities';
import { adviceOf } from '../../../../src/core/measurement/report/advice';
import type { Ranking, Report, WorkerCard } from '../../../../src/core/measurement/report/report';
import { measuredWorker } from '../session/measured';

const workers = { ash: measuredWorker('ash'), bay: measuredWorker('bay'), cedar: measuredWorker('cedar') };
type Id = keyof typeof workers;
const IDS = ['ash', 'bay', 'cedar'] as const;

const verdicts = (right: number, wrong: number) => ({ right, wrong, unsure: 0 });
const NO_CHECKS: CheckCounts = { right: verdicts(0, 0), wrong: verdicts(0, 0) };
/** Calls all right answers right, and this many of 20 wrong ones. */
const fooledBy = (count: number): CheckCounts => ({ right: verdicts(20, 0), wrong: verdicts(count, 20 - count) });

function card(id: Id, usdPerRight: number | null, checks = NO_CHECKS): WorkerCard {
  const none = { cutOff: 0, refused: 0, failed: 0, unreadable: 0, fault: null, told: {} };
  return { worker: workers[id], ability: null, tasks: 60, right: 30, usd: 1, usdPerRight, ms: 1, checks, ...none };
}

/** A ranking with the workers and their abilities, best first. The others of `tied` can't be told apart from the first. */
function ranking(scope: Scope, places: Partial<Record<Id, number>>, tied: readonly Id[] = [], near = 0): Ranking {
  const ids = IDS.filter((id) => places[id] !== undefined).toSorted(
    (one, other) => (places[other] ?? 0) - (places[one] ?? 0),
  );
  return {
    scope,
    tied: tied.map((id) => workers[id]),
    places: ids.map((id, place) => {
      const mean = places[id] ?? 0;
      const ability = { mean, low: mean - 0.05, high: mean + 0.05, tasks: 60 };
      return { worker: workers[id], ability, best: 0.5, near: place === 0 ? 0.95 : near };
    }),
  };
}

const kinds = (report: Report) => adviceOf(report).map(({ kind }) => kind);

describe('adviceOf', () => {
  it('advises to use the cheapest worker alone if no other is better', () => {
    const report = {
      cards: [card('ash', 0.01), card('bay', 0.002)],
      rankings: [
        ranking('overall', { ash: 0.82, bay: 0.81 }, ['bay'], 0.9),
        ranking('maths', { ash: 0.8, bay: 0.7 }, ['bay']),
        ranking('code', { bay: 0.8, ash: 0.7 }, ['ash']),
      ],
    };
    expect(adviceOf(report)).toMatchObject([
      { kind: 'alone', worker: { id: 'bay' }, near: 0.9, byDomain: true, others: [{ worker: { id: 'ash' } }] },
    ]);
  });

  it('advises on effort and on skipping if only one worker was measured', () => {
    const able = (id: Id, tasks = 60): WorkerCard => {
      const overall = { mean: 0.92, low: 0.88, high: 0.95, tasks };
      return { ...card(id, 0.01, fooledBy(1)), ability: { worker: id, overall, domains: {} } };
    };
    const report = { cards: [able('ash'), card('bay', null)], rankings: [] };
    expect(adviceOf(report)).toMatchObject([
      { kind: 'effort', effort: 'quick', worker: { id: 'ash' } },
      { kind: 'skipping', skip: true, checkers: [{ id: 'ash' }] },
    ]);
    expect(adviceOf({ ...report, cards: [able('ash', 5)] })).toEqual([]);
  });

  it('is empty if no worker solved a task', () => {
    const report = { cards: [card('ash', 0.01), card('bay', 0.002)], rankings: [ranking('overall', { ash: 0.06 })] };
    expect(kinds(report)).toEqual(['alone']);
    expect(kinds({ ...report, cards: report.cards.map((each) => ({ ...each, right: 0 })) })).toEqual([]);
  });

  it('does not take workers for equal because little is known of them', () => {
    const uncertain = ranking('overall', { ash: 0.82, bay: 0.81 }, ['bay'], 0.6);
    const report = { cards: [card('ash', 0.01), card('bay', 0.002)], rankings: [uncertain] };
    expect(adviceOf(report)).toMatchObject([{ kind: 'alone', worker: { id: 'ash' }, others: [] }]);
    const unsure = { ...uncertain, places: uncertain.places.map((place) => ({ ...place, near: 0.7 })) };
    expect(kinds({ ...report, rankings: [unsure] })).toEqual([]);
  });

  it('advises few workers that cover all domains, with the best for each', () => {
    const report = {
      cards: [card('ash', 0.01), card('bay', 0.002), card('cedar', 0.001)],
      rankings: [
        ranking('overall', { ash: 0.7, bay: 0.6, cedar: 0.3 }),
        ranking('maths', { ash: 0.9, bay: 0.4, cedar: 0.3 }),
        ranking('code', { bay: 0.9, ash: 0.4, cedar: 0.3 }),
        ranking('data', { ash: 0.6, bay: 0.55, cedar: 0.1 }, ['bay']),
      ],
    };
    const [advice] = adviceOf(report);
    expect(advice).toMatchObject({
      kind: 'pool',
      workers: [{ id: 'bay' }, { id: 'ash' }],
      left: [{ id: 'cedar' }],
      leaders: [
        { scope: 'maths', worker: { id: 'ash' } },
        { scope: 'code', worker: { id: 'bay' } },
        { scope: 'data', worker: { id: 'ash' } },
      ],
    });
  });

  it('advises less effort for able workers, and more if checks find the errors of weak ones', () => {
    const split = (mean: number, checks: CheckCounts) => ({
      cards: [card('ash', 0.01, checks), card('bay', 0.01, checks)],
      rankings: [
        ranking('overall', { ash: mean, bay: mean - 0.1 }),
        ranking('maths', { ash: 0.9, bay: 0.4 }),
        ranking('code', { bay: 0.9, ash: 0.4 }),
      ],
    });
    expect(adviceOf(split(0.95, NO_CHECKS))).toContainEqual(
      expect.objectContaining({ kind: 'effort', effort: 'quick' }),
    );
    const checked = adviceOf(split(0.4, fooledBy(1)));
    expect(checked).toContainEqual(expect.objectContaining({ kind: 'effort', effort: 'thorough' }));
    expect(checked).toContainEqual(expect.objectContaining({ kind: 'skipping', skip: true, passed: 2, wrong: 40 }));
    const doubted = adviceOf(split(0.4, fooledBy(15)));
    expect(doubted.map(({ kind }) => kind)).toEqual(['pool', 'skipping']);
    expect(doubted[1]).toMatchObject({ skip: false, passed: 30, wrong: 40 });
    expect(kinds(split(0.7, fooledBy(8)))).toEqual(['pool']);
  });

  it('says nothing if there is nothing to compare', () => {
    expect(adviceOf({ cards: [card('ash', 0.01)], rankings: [] })).toEqual([]);
  });
});
