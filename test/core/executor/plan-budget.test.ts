/**
 * @file What several candidates of a plan may cost: nothing is booked for one that never came, and those that were paid for
 * are chosen among where there is no room for another.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  worstInput,
  type Caps,
  type ConductorInfo,
  type PlanEvent,
  type PlanRequest,
  type Workflow,
} from '../../../src/core/contract';
import { FakeClock } from '../../fixtures/fake-clock';
import { MemorySpending } from '../../fixtures/memory-spending';
import { poolWorker, step } from '../../fixtures/run-events';
import { finished, ofType, play, PRICE, wait, type PlanItem } from './scripted';

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
const asked: PlanEvent = {
  type: 'plan-started',
  conductor: PLANNER,
  messages: [{ role: 'user', parts: [{ kind: 'literal', text: 'Plan!' }] }],
  sampling,
};
/** The most that one answer may cost. */
const WORST =
  (worstInput([{ role: 'user', content: 'Plan!' }]) * PRICE.input + sampling.maxTokens * PRICE.output) / 1e6;
const ALONE: Workflow = { steps: [step(0, 'Solve')] };
const NONE = { usage: null, cost: null };
const REFUSED = { code: 'bad-request', message: 'No.', retryable: false } as const;

function candidate(place: number, workflow: Workflow | null, cost: number): PlanEvent {
  const problem = workflow ? null : { code: 'not-found' as const, message: 'There are no lists.', at: 0 };
  const usage = { input: 100, output: 20 };
  return { type: 'plan-candidate', candidate: place, workflow, problem, text: '', usage, cost };
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
    person: [0, 1, 2].map((named) => ({ type: 'choose', round: 0, candidate: named })),
    dependencies: { spending },
  });
  return { ...played, spending, today: (await spending.totals()).today };
}

describe('a candidate that was asked for and never came', () => {
  const first = candidate(0, ALONE, 0.001);
  const lost = candidate(0, null, 0.001);
  const again: PlanEvent = { type: 'plan-retried', problem: null, fault: REFUSED, text: '', ...NONE, next: 'fallback' };
  const endings: readonly (readonly [string, Drawn])[] = [
    [
      'a vote',
      { plan: () => [asked, first, { type: 'plan-chosen', candidate: 0, by: 'vote' }, finished(ALONE.steps)] },
    ],
    ['a plan without a word', { plan: () => [asked, first, finished(ALONE.steps)] }],
    ['the person', { choice: 'person', plan: () => [asked, first] }],
    ['a fallback', { plan: () => [asked, lost, again, finished(ALONE.steps)] }],
    [
      'no plan',
      { plan: () => [asked, lost, { type: 'plan-failed', problem: null, fault: REFUSED, text: '', ...NONE }] },
    ],
  ];

  it.each(endings)('costs nothing where the drawing ends with %s', async (_name, drawn) => {
    const { today, run, spending } = await draw(drawn);
    expect(today).toMatchObject({ calls: 1, usd: 0.001, unpriced: 0 });
    expect(run.spent.usd).toBe(0.001);
    expect(spending.holds.size).toBe(0);
  });

  it('counts as far as was set aside where it broke off in the middle', async () => {
    const { today } = await draw({
      plan: () => [asked, first, { type: 'plan-delta', channel: 'content', text: 'I' }, finished(ALONE.steps)],
    });
    expect(today.usd).toBeCloseTo(0.001 + WORST, 12);
  });
});

describe('with no room for one more candidate', () => {
  const plan = () => [asked, candidate(0, ALONE, WORST), candidate(1, ALONE, WORST), candidate(2, ALONE, WORST)];
  const tight: readonly (readonly [string, Omit<Drawn, 'plan'>])[] = [
    ['the run’s money', { caps: { usd: 1.5 * WORST } }],
    ['the run’s tokens', { caps: { tokens: 1150 } }],
    ['the day’s money', { day: 1.5 * WORST }],
  ];

  it.each(tight)('under %s those that were drawn are chosen among', async (_name, limits) => {
    const { events, run } = await draw({ plan, ...limits });
    expect(ofType(events, 'plan-candidate')).toHaveLength(1);
    expect(ofType(events, 'plan-chosen')).toMatchObject([{ candidate: 0, by: 'vote' }]);
    expect(ofType(events, 'plan-failed')).toEqual([]);
    expect(run.status).toBe('finished');
    expect(run.capReached).not.toBeNull();
  });

  it('the person is asked', async () => {
    const { events, run } = await draw({ plan, choice: 'person', caps: { usd: 1.5 * WORST } });
    expect(ofType(events, 'plan-chosen')).toMatchObject([{ candidate: 0, by: 'person' }]);
    expect(run.status).toBe('finished');
  });

  it('there is no plan where none of them is a workflow', async () => {
    const { run } = await draw({
      plan: () => [asked, candidate(0, null, WORST), candidate(1, ALONE, WORST)],
      caps: { usd: 1.5 * WORST },
    });
    expect(run).toMatchObject({ status: 'failed', fault: { code: 'cap-reached' } });
  });
});

it('whatever candidates cost and wherever the drawing ends: no cap is passed, nothing is booked twice, no plan is thrown away', async () => {
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
          asked,
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
}, 60_000);
