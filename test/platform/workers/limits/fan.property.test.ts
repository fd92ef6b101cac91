/**
 * @file Tests many parallel calls with one key to a provider with limits. Every call succeeds if waiting is enough to stay within
 * the limits, even if the provider reports little about its limits.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fault, LEARNED_LIMITS, type Clock } from '../../../../src/core/contract';
import { retryDelay } from '../../../../src/core/contract/worker/retry';
import { createGate, type GateCall } from '../../../../src/platform/workers/limits/gate';
import { FakeClock } from '../../../fixtures/fake-clock';

/** How a provider limits calls, and what it reports about its limits. */
interface Manner {
  /** Maximum number of simultaneous calls. */
  readonly concurrent: number;
  /** Maximum number of calls in a window of `window` ms. A window is sliding, or begins at a multiple of `window`. */
  readonly requests: number;
  readonly window: number;
  readonly sliding: boolean;
  /**
   * After a refusal, `when` reports the time to wait, and `limit` reports the limit. `headers` reports the
   * remaining calls with each answer, and the time to wait with each refusal.
   */
  readonly reports: 'nothing' | 'when' | 'limit' | 'headers';
}

class Provider {
  readonly #clock: Clock;
  readonly #manner: Manner;
  #arrivals: number[] = [];
  #underWay = 0;
  refused = 0;
  busiest = 0;

  constructor(clock: Clock, manner: Manner) {
    this.#clock = clock;
    this.#manner = manner;
  }

  /** @returns whether the call is accepted, and if not, how long to wait */
  arrive(): { readonly ok: true } | { readonly ok: false; readonly wait: number } {
    const now = this.#clock.now();
    const { concurrent, requests, window, sliding } = this.#manner;
    const counts = (at: number) => (sliding ? at + window > now : Math.floor(at / window) === Math.floor(now / window));
    this.#arrivals = this.#arrivals.filter(counts);
    const oldest = this.#arrivals[0] ?? now;
    const wait = sliding ? oldest + window - now : window - (now % window);
    if (this.#arrivals.length >= requests) return this.#refuse(wait);
    if (this.#underWay >= concurrent) return this.#refuse(500);
    this.#arrivals.push(now);
    this.#underWay += 1;
    this.busiest = Math.max(this.busiest, this.#underWay);
    return { ok: true };
  }

  leave(): void {
    this.#underWay -= 1;
  }

  get left(): number {
    return this.#manner.requests - this.#arrivals.length;
  }

  /** ms since the epoch. */
  get resetAt(): number {
    const { window, sliding } = this.#manner;
    const now = this.#clock.now();
    return sliding ? (this.#arrivals[0] ?? now) + window : now + window - (now % window);
  }

  #refuse(wait: number) {
    this.refused += 1;
    return { ok: false as const, wait };
  }
}

const LIMITED = fault('rate-limited', 'Slow down.', { retryable: true });

/** Sends one call through the gate, with the same retries as in a run. @returns whether the call was answered */
async function playStep(
  clock: FakeClock,
  enter: () => ReturnType<ReturnType<typeof createGate>['enter']>,
  provider: Provider,
  { reports, requests }: Manner,
  { seed, admitted }: { readonly seed: number; readonly admitted: number },
): Promise<boolean> {
  const never = new AbortController().signal;
  for (let refusals = 1; ; refusals++) {
    const pass = enter();
    await pass.entered;
    // The request takes 20 ms to arrive.
    await clock.sleep(20, never);
    const answer = provider.arrive();
    if (answer.ok) {
      if (reports === 'headers')
        pass.reportBudgets({ requests: { left: provider.left, resetAt: provider.resetAt }, tokens: null });
      pass.accept();
      await clock.sleep(admitted, never);
      provider.leave();
      pass.leave(100);
      return true;
    }
    const retryAfter = reports === 'when' || reports === 'headers' ? answer.wait : null;
    pass.refuse({ retryAfter, learned: reports === 'limit' ? { requestsPerMinute: requests } : {} });
    pass.leave(0);
    const found = retryAfter === null ? LIMITED : { ...LIMITED, retryAfter };
    const delay = retryDelay(found, refusals, seed + refusals);
    if (delay === null) return false;
    await clock.sleep(delay, never);
  }
}

const manner: fc.Arbitrary<Manner> = fc.record({
  concurrent: fc.integer({ min: 1, max: 6 }),
  requests: fc.integer({ min: 1, max: 20 }),
  window: fc.constantFrom(1000, 10_000, 60_000),
  sliding: fc.boolean(),
  reports: fc.constantFrom('nothing', 'when', 'limit', 'headers'),
});

async function playFan(how: Manner, steps: readonly number[]) {
  const clock = new FakeClock('auto');
  const gate = createGate(clock);
  const provider = new Provider(clock, how);
  const call: GateCall = {
    origin: 'https://one.example',
    lane: 'key',
    tokens: 100,
    limits: LEARNED_LIMITS,
    places: 16,
  };
  const played = steps.map((admitted, seed) =>
    playStep(clock, () => gate.enter(call), provider, how, { seed, admitted }),
  );
  return { answered: await Promise.all(played), provider, elapsed: clock.monotonic() };
}

test('twelve or more parallel steps all succeed, whatever limits the provider has and reports', async () => {
  await fc.assert(
    fc.asyncProperty(
      manner,
      fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 12, maxLength: 30 }),
      async (how, steps) => {
        const { answered, provider } = await playFan(how, steps);
        expect(answered.every(Boolean)).toBe(true);
        expect(provider.busiest).toBeLessThanOrEqual(how.concurrent);
      },
    ),
    { numRuns: 300 },
  );
}, 60_000);

test('a provider with limit headers rejects at most five calls at first, then at most one per window', async () => {
  await fc.assert(
    fc.asyncProperty(manner, async (how) => {
      // No provider reports its limit on concurrent calls. The limit here is 16, which the gate never exceeds.
      const plain = { ...how, concurrent: 16, reports: 'headers', window: 10_000 } as const;
      const steps = Array.from({ length: 30 }, () => 500);
      const { answered, provider } = await playFan(plain, steps);
      expect(answered.every(Boolean)).toBe(true);
      // Until the first reply, the gate sends five calls, and the provider may reject them all. After that, at most one call per
      // window is sent slightly too early.
      expect(provider.refused).toBeLessThanOrEqual(5 + Math.ceil(30 / plain.requests));
    }),
    { numRuns: 100 },
  );
}, 60_000);
