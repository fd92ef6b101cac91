import { describe, expect, it } from 'vitest';
import { mixSeed, parseJson, seededRandom } from '../../../src/core/contract';
import { nextStep, winnerOf } from '../../../src/core/lessons/next-step';
import { search, type SearchCalls } from '../../../src/core/lessons/search';
import { parseSearchEvent } from '../../../src/core/lessons/search-schema';
import type { SearchEvent } from '../../../src/core/lessons/search-events';
import { applySearchEvent, foldSearch, type SearchState } from '../../../src/core/lessons/search-state';
import { HARMFUL, MIXED } from '../../fixtures/lessons/reflector';
import { drawSociety } from '../../fixtures/lessons/society';
import { scoreOnFresh, searched, societySearch, type SocietySearch } from '../../fixtures/lessons/society-search';

const small = (seed: number, runs = 300) => societySearch(drawSociety(seed), { seed, rates: MIXED, tasks: 160, runs });

const started = ({ plan }: SocietySearch) => applySearchEvent(null, { type: 'search-started', plan });

class Killed extends Error {}

/**
 * A process that is killed at a given moment: before a call, after a call was paid, or in the middle of writing an event. The ledger
 * and the file survive, as on a disk. The ledger stores paid results by their arguments, as the files of runs do.
 */
class Machine {
  readonly lines: string[] = [];
  readonly ledger = new Map<string, unknown>();
  paid = 0;
  #moments = 0;
  readonly #given: SocietySearch;

  constructor(given: SocietySearch) {
    this.#given = given;
  }

  /** @returns the final state, or `null` if the process was killed at the moment with this number */
  async run(killedAt: number): Promise<SearchState | null> {
    this.#moments = 0;
    const moment = () => {
      this.#moments += 1;
      if (this.#moments === killedAt) throw new Killed();
    };
    const paidOnce = async <T>(key: string, call: () => Promise<T>): Promise<T> => {
      moment();
      const known = this.ledger.get(key);
      if (known !== undefined) return known as T;
      const result = await call();
      this.paid += 1;
      this.ledger.set(key, result);
      moment();
      return result;
    };
    const { calls, rules } = this.#given;
    const guarded: SearchCalls = {
      grade: (run, signal) => paidOnce(`${run.lessons.join('\n')} ${run.task}`, () => calls.grade(run, signal)),
      reflect: (step, state, signal) =>
        paidOnce(`reflect ${step.iteration.number}`, () => calls.reflect(step, state, signal)),
    };
    const append = (event: SearchEvent) => {
      const line = `${JSON.stringify(event)}\n`;
      try {
        moment();
      } catch (thrown) {
        this.lines.push(line.slice(0, line.length / 2));
        throw thrown;
      }
      this.lines.push(line);
      return Promise.resolve();
    };
    const whole = this.lines.filter((line) => line.endsWith('\n'));
    this.lines.splice(0, this.lines.length, ...whole);
    const known = whole.flatMap((line) => parseSearchEvent(parseJson(line)) ?? []);
    try {
      if (known.length === 0) await append({ type: 'search-started', plan: this.#given.plan });
      const state = foldSearch(known) ?? started(this.#given);
      return await search(state, { calls: guarded, rules, append, concurrency: 3 }, new AbortController().signal);
    } catch (thrown) {
      if (thrown instanceof Killed) return null;
      throw thrown;
    }
  }

  get moments(): number {
    return this.#moments;
  }
}

describe('search', () => {
  it('learns lessons that raise the score by ten points on fresh tasks in four of five societies', async () => {
    const gains: number[] = [];
    for (let seed = 1; seed <= 5; seed++) {
      const society = drawSociety(seed);
      const given = societySearch(society, { seed, rates: MIXED, tasks: 320, runs: 500 });
      const state = await searched(given);
      expect(state.runs).toBeLessThanOrEqual(500);
      const fresh = { seed, count: 500 };
      gains.push(scoreOnFresh(society, winnerOf(state)?.lessons ?? [], fresh) - scoreOnFresh(society, [], fresh));
    }
    expect(gains.filter((gain) => gain >= 0.1).length, gains.join(' ')).toBeGreaterThanOrEqual(4);
  });

  it('finds the same winner after a kill at any of 50 moments, and pays for nothing twice', async () => {
    const given = small(3, 180);
    const whole = new Machine(given);
    const expected = await whole.run(-1);
    const random = seededRandom(mixSeed('kills'));
    expect(winnerOf(expected ?? started(given))).not.toBeNull();
    for (let kill = 0; kill < 50; kill++) {
      const machine = new Machine(given);
      const at = 1 + Math.floor(random() * whole.moments);
      expect(await machine.run(at)).toBeNull();
      const state = await machine.run(-1);
      expect(state && winnerOf(state)?.lessons).toEqual(expected && winnerOf(expected)?.lessons);
      expect(state?.spent).toEqual(expected?.spent);
      expect(machine.paid).toBe(whole.paid);
    }
  });

  it('does not depend on the number of runs at a time', async () => {
    const given = small(4);
    const [one, many] = await Promise.all(
      [1, 7].map((concurrency) =>
        search(
          started(given),
          { ...given, append: () => Promise.resolve(), concurrency },
          new AbortController().signal,
        ),
      ),
    );
    expect(many?.candidates.map(({ lessons, status }) => [lessons, status])).toEqual(
      one?.candidates.map(({ lessons, status }) => [lessons, status]),
    );
  });

  it('gives parent and child the same tasks, and keeps only a child that is strictly better on them', async () => {
    const { candidates, plan, outcomes } = await searched(small(5));
    for (const { index, parent, status, results } of candidates.slice(1)) {
      const tasks = [...results.keys()].filter((task) => plan.split.train.includes(task));
      const sum = (of: number) =>
        tasks.reduce((total, task) => total + (candidates[of]?.results.get(task)?.score ?? 0), 0);
      if (status === 'pool') expect(sum(index)).toBeGreaterThan(sum(parent ?? 0));
      if (status === 'no-gain') expect(sum(index)).toBeLessThanOrEqual(sum(parent ?? 0));
    }
    expect(outcomes.accepted).toBeGreaterThan(0);
  });

  it('never runs a test task', async () => {
    const { candidates, plan } = await searched(small(6));
    const run = new Set(candidates.flatMap(({ results }) => [...results.keys()]));
    expect(plan.split.test.filter((task) => run.has(task))).toEqual([]);
  });

  it('refuses a leaking answer before any run of it', async () => {
    const given = societySearch(drawSociety(7), {
      seed: 7,
      rates: { useful: 0, harmful: 0, leaking: 1 },
      tasks: 160,
      runs: 200,
    });
    const state = await searched(given);
    expect(state.candidates).toHaveLength(1);
    expect(state.outcomes.refused).toBe(state.reflections);
    expect(winnerOf(state)).toBeNull();
  });

  it('stops within the cap on cost and keeps the best so far', async () => {
    const given = small(8, 10_000);
    const usd = 1;
    const capped = { ...given, plan: { ...given.plan, caps: { runs: 10_000, usd } } };
    const state = await searched(capped);
    expect(state.isEnded).toBe(true);
    expect(state.spent.usd).toBeLessThanOrEqual(usd * 1.1);
  });

  it('stops on abort, and continues later', async () => {
    const given = small(9);
    const events: SearchEvent[] = [{ type: 'search-started', plan: given.plan }];
    const stop = new AbortController();
    const append = (event: SearchEvent) => {
      events.push(event);
      if (events.length === 150) stop.abort();
      return Promise.resolve();
    };
    await expect(search(started(given), { ...given, append, concurrency: 2 }, stop.signal)).rejects.toThrow();
    const stopped = foldSearch(events) ?? started(given);
    expect(nextStep(stopped, given.rules).kind).not.toBe('done');
    const [continued, expected] = [await searched(given, stopped), await searched(given)];
    expect(winnerOf(continued)?.lessons).toEqual(winnerOf(expected)?.lessons);
  });

  it('records the runs in progress before it rejects with the fault of a run', async () => {
    const given = small(10);
    const recorded: SearchEvent[] = [];
    let made = 0;
    const calls: SearchCalls = {
      ...given.calls,
      grade: async (run, signal) => {
        made += 1;
        if (made === 5) throw new Error('offline');
        return given.calls.grade(run, signal);
      },
    };
    const append = (event: SearchEvent) => Promise.resolve(void recorded.push(event));
    const running = search(started(given), { ...given, calls, append, concurrency: 3 }, new AbortController().signal);
    await expect(running).rejects.toThrow('offline');
    expect(recorded).toHaveLength(made - 1);
  });

  it('accepts fewer candidates from a reflector that is never useful', async () => {
    const rates = async (of: typeof MIXED) =>
      (await searched(societySearch(drawSociety(11), { seed: 11, rates: of, tasks: 160, runs: 400 }))).outcomes
        .accepted;
    expect(await rates(HARMFUL)).toBeLessThan(await rates(MIXED));
  });
});
