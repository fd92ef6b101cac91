/** @file Tests the cost of planning: several candidates, calls that wait, plans that end early, and corrections. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  foldEvents,
  worstInput,
  type Caps,
  type Conductor,
  type ConductorInfo,
  type PlanEvent,
  type PlanRequest,
  type RunEvent,
  type Workflow,
} from '../../../src/core/contract';
import { openResumed } from '../../../src/core/executor/resume';
import { startOfRun } from '../../../src/core/runs/new-run';
import { FakeClock } from '../../fixtures/fake-clock';
import { MemorySpending } from '../../fixtures/memory-spending';
import { MemoryStore } from '../../fixtures/memory-store';
import { poolWorker, step } from '../../fixtures/run-events';
import { finished, ofType, play, PRICE, stage, wait, type PlanItem } from './scripted';

const pool = [poolWorker(0), poolWorker(1)];
const free: Caps = { rounds: 1, calls: 100, tokens: null, usd: null };
const sampling = { temperature: 0.8, maxTokens: 1000 };
const PLANNER: ConductorInfo = {
  id: 'endpoint:planner',
  label: 'Planner',
  kind: 'endpoint',
  origin: 'https://api.example.com',
  price: PRICE,
};
const planStarted: PlanEvent = {
  type: 'plan-started',
  conductor: PLANNER,
  messages: [{ role: 'user', parts: [{ kind: 'literal', text: 'Plan!' }] }],
  sampling,
};
/** The maximum cost of one call for a plan. */
const WORST =
  (worstInput([{ role: 'user', content: 'Plan!' }]) * PRICE.input + sampling.maxTokens * PRICE.output) / 1e6;
const ALONE: Workflow = { steps: [step(0, 'Solve')] };
const CHOICES = [{ basis: 'order', expected: 0.5, graded: 0, right: 0, inRole: false, runs: [] }] as const;
const NONE = { usage: null, cost: null };
const REFUSED = { code: 'bad-request', message: 'No.', retryable: false } as const;

function candidate(place: number, workflow: Workflow | null, cost: number): PlanEvent {
  const problem = workflow ? null : { code: 'not-found' as const, message: 'There are no lists.', at: 0 };
  const usage = { input: 100, output: 20 };
  const known = workflow ? { choices: CHOICES } : {};
  return { type: 'plan-candidate', candidate: place, workflow, problem, text: '', usage, cost, ...known };
}

interface Drawn {
  readonly plan: (request: PlanRequest) => readonly PlanItem[];
  readonly choice?: 'person' | 'vote';
  readonly caps?: Partial<Caps>;
  readonly day?: number;
}

async function draw({ plan, choice = 'vote', caps = {}, day = 5 }: Drawn) {
  const clock = new FakeClock('auto');
  const spending = new MemorySpending(clock, day);
  const played = await play({
    clock,
    plan,
    start: { pool, sampling: { temperature: 0, maxTokens: 100 }, candidates: 3, choice, caps: { ...free, ...caps } },
    decisions: [0, 1, 2].map((named) => ({ type: 'choose', round: 0, candidate: named })),
    dependencies: { spending },
  });
  return { ...played, spending, today: (await spending.totals()).today };
}

describe('a requested candidate plan that never arrives', () => {
  const first = candidate(0, ALONE, 0.001);
  const lost = candidate(0, null, 0.001);
  const again: PlanEvent = { type: 'plan-retried', problem: null, fault: REFUSED, text: '', ...NONE, next: 'fallback' };
  const endings: readonly (readonly [string, Drawn])[] = [
    [
      'a vote',
      { plan: () => [planStarted, first, { type: 'plan-chosen', candidate: 0, by: 'vote' }, finished(ALONE.steps)] },
    ],
    ['a plan, but no event for the choice', { plan: () => [planStarted, first, finished(ALONE.steps)] }],
    ['the user’s choice', { choice: 'person', plan: () => [planStarted, first] }],
    ['a fallback', { plan: () => [planStarted, lost, again, finished(ALONE.steps)] }],
    [
      'no plan',
      { plan: () => [planStarted, lost, { type: 'plan-failed', problem: null, fault: REFUSED, text: '', ...NONE }] },
    ],
  ];

  it.each(endings)('costs nothing if planning ends with %s', async (_name, drawn) => {
    const { today, run, spending } = await draw(drawn);
    expect(today).toMatchObject({ calls: 1, usd: 0.001, unpriced: 0 });
    expect(run.spent.usd).toBe(0.001);
    expect(spending.holds.size).toBe(0);
  });

  it('is booked at its maximum cost if it was cut off in the middle', async () => {
    const { today } = await draw({
      plan: () => [planStarted, first, { type: 'plan-delta', channel: 'content', text: 'I' }, finished(ALONE.steps)],
    });
    expect(today.usd).toBeCloseTo(0.001 + WORST, 12);
  });
});

describe('a run whose budget has no room for another candidate plan', () => {
  const plan = () => [planStarted, candidate(0, ALONE, WORST), candidate(1, ALONE, WORST), candidate(2, ALONE, WORST)];
  const tight: readonly (readonly [string, Omit<Drawn, 'plan'>])[] = [
    ['the run’s cap on money', { caps: { usd: 1.5 * WORST } }],
    ['the run’s cap on tokens', { caps: { tokens: 1150 } }],
    ['the daily budget', { day: 1.5 * WORST }],
  ];

  it.each(tight)('chooses its only candidate if the limit is %s', async (_name, limits) => {
    const { events, run } = await draw({ plan, ...limits });
    expect(ofType(events, 'plan-candidate')).toHaveLength(1);
    expect(ofType(events, 'plan-chosen')).toMatchObject([{ candidate: 0, by: 'vote' }]);
    expect(ofType(events, 'plan-failed')).toEqual([]);
    expect(run.status).toBe('finished');
    expect(run.capReached).not.toBeNull();
    expect(run.rounds[0]?.plan?.choices).toEqual(CHOICES);
  });

  it('lets the user choose its only candidate', async () => {
    const { events, run } = await draw({ plan, choice: 'person', caps: { usd: 1.5 * WORST } });
    expect(ofType(events, 'plan-chosen')).toMatchObject([{ candidate: 0, by: 'person' }]);
    expect(run.status).toBe('finished');
  });

  it('fails if its only candidate is not a valid workflow', async () => {
    const { run } = await draw({
      plan: () => [planStarted, candidate(0, null, WORST), candidate(1, ALONE, WORST)],
      caps: { usd: 1.5 * WORST },
    });
    expect(run).toMatchObject({ status: 'failed', fault: { code: 'cap-reached' } });
  });
});

describe('a plan whose call waits', () => {
  const held: PlanEvent = { type: 'plan-waiting', for: 'limit', delay: 100 };
  const leaves: PlanEvent = { type: 'plan-waiting', for: null, delay: null };
  const plan = () => [
    planStarted,
    held,
    wait(100),
    leaves,
    finished(ALONE.steps, { usage: { input: 1, output: 1 }, cost: 0.001 }),
  ];

  it('records the reason and the end of the wait, and clears both when the plan is finished', async () => {
    const { events, run } = await draw({ plan });
    const folds = events.map((_, index) => foldEvents(events.slice(0, index + 1))?.rounds[0]?.plan);
    const waiting = folds.find((each) => each?.wait);
    expect(waiting).toMatchObject({
      status: 'writing',
      wait: { for: 'limit', until: (waiting?.wait?.since ?? 0) + 100 },
    });
    expect(run.rounds[0]?.plan).toMatchObject({ status: 'finished', wait: null });
  });

  it('reports that it waits for the daily budget', async () => {
    const clock = new FakeClock('auto');
    const spending = new MemorySpending(clock, 1.5 * WORST);
    const other = await spending.hold({ runId: 'other', workerId: 'w', name: 'W', usd: WORST });
    const { events } = stage({
      clock,
      plan: () => [planStarted, finished(ALONE.steps)],
      start: { pool },
      dependencies: { spending },
    });
    const seen: (string | null)[] = [];
    for await (const event of events) {
      if (event.type !== 'plan-waiting') continue;
      seen.push(event.for);
      if (event.for && other.type === 'held') await spending.settle(other.id, null);
    }
    expect(seen).toEqual(['money', null]);
  });

  it.each(['stopped', 'not stored', 'lost'] as const)(
    'costs nothing if the run is %s while the call waits',
    async (how) => {
      const clock = new FakeClock('auto');
      const spending = new MemorySpending(clock, 5);
      const store = new MemoryStore();
      store.intercept = (event) => {
        if (how === 'not stored' && event.type === 'plan-waiting') throw new Error('Full.');
      };
      let left = false;
      const conductor: Conductor = {
        info: PLANNER,
        async *propose(_request, signal) {
          yield planStarted;
          yield held;
          await clock.sleep(100, signal);
          yield leaves;
          left = true;
        },
      };
      const { events, controller } = stage({
        clock,
        store,
        plan: [],
        start: { pool },
        dependencies: { spending, conductor },
      });
      const all: RunEvent[] = [];
      for await (const event of events) {
        all.push(event);
        if (event.type !== 'plan-waiting') continue;
        if (how === 'stopped') controller.abort();
        if (how === 'lost') break;
      }
      expect(left).toBe(false);
      expect((await spending.totals()).today).toMatchObject({ calls: 0, usd: 0 });
      expect(spending.holds.size).toBe(0);
      const [last] = all.slice(-1);
      if (!last) throw new Error('There are no events.');
      // A lost page can't write the end of its run. Another page then marks the run as interrupted.
      const ended = how === 'lost' ? [...all, { ...last, seq: last.seq + 1, type: 'run-interrupted' as const }] : all;
      expect(foldEvents(ended)?.spent).toMatchObject({ usd: 0, unpriced: 0 });
    },
  );

  it('sends the call only after the end of the wait is stored', async () => {
    const clock = new FakeClock('auto');
    const store = new MemoryStore();
    const stored: string[] = [];
    store.intercept = async ({ type }) => {
      await clock.sleep(30, new AbortController().signal);
      stored.push(type);
    };
    let before: readonly string[] = [];
    const conductor: Conductor = {
      info: PLANNER,
      async *propose() {
        yield planStarted;
        yield held;
        yield leaves;
        before = [...stored];
        yield finished(ALONE.steps);
      },
    };
    await play({ clock, store, plan: [], start: { pool }, dependencies: { conductor } });
    expect(before.filter((type) => type === 'plan-waiting')).toHaveLength(2);
  });
});

describe('a plan that ends early', () => {
  const bill = { usage: { input: 1, output: 1 }, cost: 0.001 };
  const lost: PlanEvent = {
    type: 'plan-retried',
    problem: null,
    fault: REFUSED,
    text: 'lost',
    ...bill,
    next: 'stricter',
  };
  const held: PlanEvent = { type: 'plan-waiting', for: 'limit', delay: 100 };
  const leaves: PlanEvent = { type: 'plan-waiting', for: null, delay: null };
  /** While one of these events is being stored, no call is in progress. */
  const script: readonly PlanItem[] = [planStarted, held, wait(100), leaves, lost];

  async function end(how: 'stopped' | 'not stored', at: (event: { readonly type: string }) => boolean) {
    const clock = new FakeClock('auto');
    const spending = new MemorySpending(clock, 5);
    const store = new MemoryStore();
    store.intercept = async (event) => {
      await clock.sleep(30, new AbortController().signal);
      if (how === 'not stored' && at(event)) throw new Error('Full.');
    };
    const { events, controller } = stage({
      clock,
      store,
      plan: () => [...script, finished(ALONE.steps, bill)],
      start: { pool, conductor: PLANNER, sampling },
      dependencies: { spending },
    });
    const all: RunEvent[] = [];
    for await (const event of events) {
      all.push(event);
      if (how === 'stopped' && at(event)) controller.abort();
    }
    const run = foldEvents(all);
    if (!run) throw new Error('There is no run.');
    const again = openResumed({ start: startOfRun(run) }, { kind: 'resume', run }).spent;
    return { spent: run.spent, again, today: (await spending.totals()).today, holds: spending.holds.size };
  }

  const moments: readonly (readonly [string, number, (event: { readonly type: string }) => boolean])[] = [
    ['its request is being stored', 0, ({ type }) => type === 'plan-started'],
    ['its call waits', 0, (event) => event.type === 'plan-waiting'],
    ['the end of its wait is being stored', 0, (event) => 'for' in event && event.for === null],
    ['its last answer is being stored', 1, ({ type }) => type === 'plan-retried'],
  ];

  it.each(moments)('adds no call of unknown cost if it ends while %s', async (_name, paid, at) => {
    for (const how of ['stopped', 'not stored'] as const) {
      const { spent, again, today, holds } = await end(how, at);
      expect(spent).toMatchObject({ unpriced: 0, usd: paid * bill.cost });
      expect(again).toMatchObject({ tokens: 2 * paid, usd: paid * bill.cost });
      expect(today).toMatchObject({ calls: paid, unpriced: 0, usd: paid * bill.cost });
      expect(holds).toBe(0);
    }
  });

  it('adds a call of unknown cost if its last call was sent but not answered', async () => {
    const clock = new FakeClock('auto');
    const { events, controller } = stage({
      clock,
      plan: () => [...script, wait(100), finished(ALONE.steps, bill)],
      start: { pool, conductor: PLANNER, sampling },
    });
    const all: RunEvent[] = [];
    for await (const event of events) {
      all.push(event);
      if (event.type !== 'plan-retried') continue;
      void clock.sleep(50, new AbortController().signal).then(() => controller.abort());
    }
    expect(all.at(-1)?.type).toBe('run-cancelled');
    expect(foldEvents(all)?.spent.unpriced).toBe(1);
  });

  it('reserves money for a retry under the key of the second call', async () => {
    const clock = new FakeClock('auto');
    const spending = new MemorySpending(clock, 5);
    const { events } = stage({
      clock,
      plan: () => [planStarted, lost, held, wait(100), leaves, finished(ALONE.steps, bill)],
      start: { pool, conductor: PLANNER, sampling },
      dependencies: { spending },
    });
    const calls: unknown[] = [];
    for await (const event of events) {
      if (event.type === 'plan-waiting') calls.push([...spending.holds.values()].map(({ call }) => call));
    }
    const second = { round: 0, step: null, attempt: 1 };
    expect(calls).toEqual([[second], [second]]);
  });
});

describe('a plan that is requested again with a correction', () => {
  const correction = { shown: true, text: 'Write it again.' };
  const again = (more: object): PlanEvent => {
    const usage = { input: 1, output: 1 };
    return {
      type: 'plan-retried',
      problem: null,
      fault: REFUSED,
      text: LOST,
      usage,
      cost: 0,
      next: 'stricter',
      ...more,
    };
  };
  const LOST = 'x'.repeat(4000);
  const limits: readonly (readonly [string, Omit<Drawn, 'plan'>])[] = [
    ['the run', { caps: { usd: 1.5 * WORST } }],
    ['the day', { day: 1.5 * WORST }],
  ];

  it.each(limits)(
    'reserves money for the rejected text only if the correction repeats that text (limit for %s)',
    async (_name, limit) => {
      const plan = (retry: PlanEvent) => () => [
        planStarted,
        retry,
        finished(ALONE.steps, { usage: { input: 1, output: 1 }, cost: 0 }),
      ];
      expect((await draw({ plan: plan(again({})), ...limit })).run.status).toBe('finished');
      const { run } = await draw({ plan: plan(again({ correction })), ...limit });
      expect(run).toMatchObject({ status: 'failed', fault: { code: 'cap-reached' } });
      const hidden = again({ correction: { ...correction, shown: false } });
      expect((await draw({ plan: plan(hidden), ...limit })).run.status).toBe('finished');
    },
  );
});

it('candidate plans never exceed the budget, and the run finishes if it gets a valid candidate', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ valid: fc.boolean(), share: fc.double({ min: 0, max: 1, noNaN: true }), ms: fc.nat(5) }), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.double({ min: 0, max: 4, noNaN: true }),
      fc.constantFrom('run', 'day'),
      fc.constantFrom('vote', 'person'),
      async (drawn, room, capped, choice) => {
        const limit = room * WORST;
        const votes = (): PlanItem[] => {
          const place = drawn.findIndex(({ valid }) => valid);
          if (place === -1) return [{ type: 'plan-failed', problem: null, fault: REFUSED, text: '', ...NONE }];
          if (choice === 'person') return [];
          return [{ type: 'plan-chosen', candidate: place, by: 'vote' }, finished(ALONE.steps)];
        };
        const plan = () => [
          planStarted,
          ...drawn.flatMap(({ valid, share, ms }, place) => [
            wait(ms),
            candidate(place, valid ? ALONE : null, share * WORST),
          ]),
          ...votes(),
        ];
        const limits = capped === 'run' ? { caps: { usd: limit } } : { day: limit };
        const { events, run, today, spending } = await draw({ plan, choice, ...limits });
        expect(spending.holds.size).toBe(0);
        expect(today.usd).toBeLessThanOrEqual(limit * (1 + 1e-9));
        expect(today.usd).toBeCloseTo(run.spent.usd, 12);
        const paid = ofType(events, 'plan-candidate').some(({ workflow }) => workflow !== null);
        if (paid) expect(run.status).toBe('finished');
      },
    ),
    { numRuns: 100 },
  );
});
