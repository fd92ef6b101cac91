import { describe, expect, test } from 'vitest';
import { LEARNED_LIMITS, type RateLimits, type Waiting } from '../../../../src/core/contract';
import { createGate, type Gate, type GateCall, type Pass } from '../../../../src/platform/workers/limits/gate';
import { FakeClock, idle } from '../../../fixtures/fake-clock';

const ONE = 'https://one.example';

function callTo(origin: string, limits: Partial<RateLimits> = {}, more: Partial<GateCall> = {}): GateCall {
  return { origin, lane: 'key', tokens: 100, limits: { ...LEARNED_LIMITS, ...limits }, places: 16, ...more };
}

/** Makes `count` calls request entry to the gate. `entered` lists the numbers of the admitted calls, in order. */
function crowd(gate: Gate, call: GateCall, count: number) {
  const entered: number[] = [];
  const waits: Waiting[][] = [];
  const passes: Pass[] = [];
  for (let number = 0; number < count; number++) {
    const notified: Waiting[] = [];
    waits.push(notified);
    const pass = gate.enter(call, (waiting) => notified.push(waiting));
    passes.push(pass);
    void pass.entered.then(
      () => entered.push(number),
      () => undefined,
    );
  }
  return { entered, waits, passes };
}

describe('places (one for each parallel call)', () => {
  test('are limited, and each finished call frees one for the next call in order', async () => {
    const gate = createGate(new FakeClock());
    const { entered, passes } = crowd(gate, callTo(ONE, { concurrent: 2 }), 4);
    await idle();
    expect(entered).toEqual([0, 1]);
    passes[1]?.leave();
    passes[1]?.leave();
    await idle();
    expect(entered).toEqual([0, 1, 2]);
    passes[0]?.leave();
    await idle();
    expect(entered).toEqual([0, 1, 2, 3]);
    expect(gate.waiting(ONE)).toBe(0);
  });

  test('are five at first, separately for each host and key', async () => {
    const gate = createGate(new FakeClock());
    const { waits } = crowd(gate, callTo(ONE), 7);
    expect(gate.waiting(ONE)).toBe(2);
    expect(waits[6]).toEqual([{ for: 'place', delay: null }]);
    await expect(gate.enter(callTo('https://two.example')).entered).resolves.toBeUndefined();
    await expect(gate.enter(callTo(ONE, {}, { lane: 'other' })).entered).resolves.toBeUndefined();
  });

  test('never exceed the connections that a browser opens to one host, even with several keys', () => {
    const gate = createGate(new FakeClock());
    for (const lane of ['one', 'two', 'three', 'four']) crowd(gate, callTo(ONE, {}, { lane, places: 5 }), 4);
    // The first key has four running calls and the second has one. The last of the six connections is reserved
    // for a key without a running call, so the third key gets it.
    expect(gate.waiting(ONE)).toBe(10);
  });

  test('are not given to calls that were abandoned while waiting, and running calls keep their places', async () => {
    const gate = createGate(new FakeClock());
    const { entered, passes } = crowd(gate, callTo(ONE, { concurrent: 1 }), 3);
    passes[1]?.giveUp();
    passes[0]?.giveUp();
    await expect(passes[1]?.entered).rejects.toMatchObject({ name: 'AbortError' });
    expect(gate.waiting(ONE)).toBe(1);
    passes[0]?.leave();
    await idle();
    expect(entered).toEqual([0, 2]);
  });
});

describe('limits that the user entered', () => {
  test('on requests per minute hold the next call back until the first call is a minute old', async () => {
    const clock = new FakeClock();
    const gate = createGate(clock);
    const { entered, waits, passes } = crowd(gate, callTo(ONE, { requestsPerMinute: 2 }), 3);
    for (const pass of passes.slice(0, 2)) pass.leave();
    await clock.advance(30_000);
    expect(entered).toEqual([0, 1]);
    expect(waits[2]).toEqual([{ for: 'limit', delay: 60_500 }]);
    await clock.advance(31_000);
    expect(entered).toEqual([0, 1, 2]);
  });

  test('on tokens per minute hold back an oversized call until the tokens of the last minute no longer count', async () => {
    const clock = new FakeClock();
    const gate = createGate(clock);
    const limits = { tokensPerMinute: 250 };
    const { entered, passes } = crowd(gate, callTo(ONE, limits), 3);
    await idle();
    expect(entered).toEqual([0, 1]);
    passes[0]?.leave(20);
    await idle();
    expect(entered).toEqual([0, 1, 2]);
    for (const pass of passes) pass.leave();
    const large = gate.enter(callTo(ONE, limits, { tokens: 9000 }));
    let isIn = false;
    void large.entered.then(() => (isIn = true));
    await clock.advance(60_000);
    expect(isIn).toBe(false);
    await clock.advance(1000);
    expect(isIn).toBe(true);
  });
});

describe('limits in the headers of replies', () => {
  test('hold calls back until the reset when nothing is left', async () => {
    const clock = new FakeClock();
    const gate = createGate(clock);
    const { entered, passes, waits } = crowd(gate, callTo(ONE, { concurrent: 1 }), 2);
    await idle();
    passes[0]?.reportBudgets({ requests: { left: 0, resetAt: clock.now() + 9000 }, tokens: null });
    passes[0]?.leave();
    await clock.advance(8999);
    expect(entered).toEqual([0]);
    expect(waits[1]?.at(-1)).toEqual({ for: 'limit', delay: 9000 });
    await clock.advance(1);
    expect(entered).toEqual([0, 1]);
  });

  test('are reduced by the calls that were sent after the call with that reply', async () => {
    const clock = new FakeClock();
    const gate = createGate(clock);
    const { entered, passes } = crowd(gate, callTo(ONE, { concurrent: 3 }), 4);
    await idle();
    passes[0]?.reportBudgets({ requests: { left: 2, resetAt: clock.now() + 9000 }, tokens: null });
    passes[0]?.leave();
    await idle();
    expect(entered).toEqual([0, 1, 2]);
  });

  test('do not hold calls back when the reset is hours away, so that the provider can explain the rejection', async () => {
    const gate = createGate(new FakeClock());
    const [first] = crowd(gate, callTo(ONE), 1).passes;
    first?.reportBudgets({ requests: { left: 0, resetAt: Date.UTC(2026, 0, 2) }, tokens: null });
    await expect(gate.enter(callTo(ONE)).entered).resolves.toBeUndefined();
  });
});

describe('a call rejected by a rate limit', () => {
  test('pauses all calls for the requested time, and halves the number of parallel calls', async () => {
    const clock = new FakeClock();
    const gate = createGate(clock);
    const { entered, passes, waits } = crowd(gate, callTo(ONE), 9);
    await idle();
    for (const pass of passes.slice(0, 4)) {
      pass.refuse({ retryAfter: 7000, learned: {} });
      pass.leave(0);
    }
    await clock.advance(6999);
    expect(entered).toEqual([0, 1, 2, 3, 4]);
    expect(waits[8]?.at(-1)).toMatchObject({ for: 'limit' });
    await clock.advance(1);
    // The halved limit is two parallel calls. The fifth call still runs, so only one more starts.
    expect(entered).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('without a stated waiting time causes pauses that double up to 60 s and halve after a success', async () => {
    const clock = new FakeClock('auto');
    const gate = createGate(clock);
    const pauses: number[] = [];
    const ask = async (answer: (pass: Pass) => void) => {
      const from = clock.now();
      const pass = gate.enter(callTo(ONE));
      await pass.entered;
      pauses.push(clock.now() - from);
      answer(pass);
      pass.leave(0);
    };
    const refuse = (pass: Pass) => pass.refuse({ retryAfter: null, learned: {} });
    for (let count = 0; count < 9; count++) await ask(refuse);
    expect(pauses).toEqual([0, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    pauses.length = 0;
    for (const answer of [(pass: Pass) => pass.accept(), refuse, refuse]) await ask(answer);
    expect(pauses).toEqual([60_000, 0, 60_000]);
    pauses.length = 0;
    for (let count = 0; count < 5; count++)
      for (const answer of [(pass: Pass) => pass.accept(), refuse]) await ask(answer);
    expect(pauses.slice(4)).toEqual([30_000, 0, 15_000, 0, 7500, 0]);
  });

  test('delays the next call according to the limit that the rejection names', async () => {
    const clock = new FakeClock();
    const gate = createGate(clock);
    const { passes } = crowd(gate, callTo(ONE), 3);
    await idle();
    passes[2]?.refuse({ retryAfter: 1000, learned: { requestsPerMinute: 3 } });
    for (const pass of passes) pass.leave(0);
    const { entered } = crowd(gate, callTo(ONE), 2);
    await clock.advance(60_000);
    expect(entered).toEqual([]);
    await clock.advance(500);
    expect(entered).toEqual([0]);
  });

  test('lowers the number of parallel calls, which then rises back to its old value', async () => {
    const clock = new FakeClock();
    const gate = createGate(clock);
    const { passes } = crowd(gate, callTo(ONE), 5);
    passes[0]?.refuse({ retryAfter: 0, learned: {} });
    for (const pass of passes) pass.leave(0);
    const widths: number[] = [];
    for (let round = 0; round < 12; round++) {
      const wave = crowd(gate, callTo(ONE), 8);
      await clock.advance(1);
      widths.push(8 - gate.waiting(ONE));
      for (const pass of wave.passes.slice(0, widths.at(-1))) pass.accept();
      for (const pass of wave.passes) pass.leave(0);
      await clock.advance(1);
    }
    expect(widths.slice(0, 4)).toEqual([2, 3, 4, 4]);
    expect(widths.at(-1)).toBe(5);
  });
});

describe('models at one address', () => {
  const account = { lane: 'account key', limits: LEARNED_LIMITS };
  const modelCall = (model: string, more: Partial<GateCall> = {}) =>
    callTo(ONE, {}, { lane: `key ${model}`, account, places: 5, ...more });
  const hasEntered = async (pass: Pass) => {
    let entered = false;
    void pass.entered.then(() => (entered = true));
    await idle();
    return entered;
  };

  test('do not wait for a slow model that has reached its limit of parallel calls', async () => {
    const gate = createGate(new FakeClock());
    const { entered } = crowd(gate, modelCall('slow'), 7);
    await idle();
    expect(entered).toHaveLength(5);
    const quick = gate.enter(modelCall('quick'));
    expect(await hasEntered(quick)).toBe(true);
    quick.leave();
    expect(await hasEntered(gate.enter(modelCall('quick')))).toBe(true);
  });

  test('do not wait for a model that the server limits', async () => {
    const clock = new FakeClock();
    const gate = createGate(clock);
    const limited = gate.enter(modelCall('limited'));
    limited.refuse({ retryAfter: 30_000, learned: {} });
    limited.leave();
    const again = gate.enter(modelCall('limited'));
    expect(await hasEntered(again)).toBe(false);
    expect(await hasEntered(gate.enter(modelCall('other')))).toBe(true);
    await clock.advance(31_000);
    expect(await hasEntered(again)).toBe(true);
  });

  test('all wait when a rate limit concerns the account', async () => {
    const clock = new FakeClock();
    const gate = createGate(clock);
    const refused = gate.enter(modelCall('one'));
    refused.refuse({ retryAfter: 30_000, learned: {}, ofAccount: true });
    refused.leave();
    const waits: Waiting[] = [];
    const other = gate.enter(modelCall('other'), (waiting) => waits.push(waiting));
    expect(await hasEntered(other)).toBe(false);
    expect(waits).toEqual([{ for: 'limit', delay: 30_000 }]);
    const elsewhere = gate.enter(
      modelCall('one', { lane: 'key 2 one', account: { ...account, lane: 'account key 2' } }),
    );
    expect(await hasEntered(elsewhere)).toBe(true);
    await clock.advance(31_000);
    expect(await hasEntered(other)).toBe(true);
  });

  test('share the limits that the user entered for the key', async () => {
    const clock = new FakeClock();
    const gate = createGate(clock);
    const limits = { ...LEARNED_LIMITS, concurrent: 1, requestsPerMinute: 2 };
    const limited = { account: { ...account, limits } };
    const first = gate.enter(modelCall('one', limited));
    const second = gate.enter(modelCall('two', limited));
    expect([await hasEntered(first), await hasEntered(second)]).toEqual([true, false]);
    first.leave();
    expect(await hasEntered(second)).toBe(true);
    second.leave();
    const third = gate.enter(modelCall('three', limited));
    expect(await hasEntered(third)).toBe(false);
    await clock.advance(61_000);
    expect(await hasEntered(third)).toBe(true);
  });
});

describe('a busy server', () => {
  test.each([null, 1000])(
    'is asked again for over a minute, also if it requests a pause of %s ms',
    async (retryAfter) => {
      const clock = new FakeClock('auto');
      const gate = createGate(clock);
      for (let call = 0; call < 12; call++) {
        const pass = gate.enter(callTo(ONE));
        await pass.entered;
        pass.overload(retryAfter);
        pass.leave();
      }
      expect(clock.monotonic()).toBeGreaterThan(60_000);
      expect(clock.monotonic()).toBeLessThan(120_000);
    },
  );

  test('is asked again after a second if it has answered meanwhile', async () => {
    const clock = new FakeClock('auto');
    const gate = createGate(clock);
    for (const isBusy of [true, true, true, false, true, false]) {
      const pass = gate.enter(callTo(ONE));
      await pass.entered;
      if (isBusy) pass.overload(null);
      else pass.accept();
      pass.leave();
    }
    expect(clock.monotonic()).toBe(1000 + 2000 + 4000 + 1000);
  });
});
