import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fault,
  NOTHING_SPENT,
  PaidCall,
  type Account,
  type CallCaps,
  type CallDay,
  type HoldOutcome,
  type RecordWait,
  type ReserveResult,
  type Waiting,
} from '../../../../src/core/contract';

const CHARGED = {
  id: 'ash',
  name: 'Ash',
  kind: 'endpoint',
  origin: 'https://api.example.com',
  price: { input: 1, output: 2 },
} as const;
const COST: Account = { usage: { input: 1, output: 1 }, cost: 0.25 };
const UNKNOWN: Account = { usage: null, cost: null };
const LEAVES: Waiting = { for: null, delay: null };
const FULL = fault('cap-reached', 'There is no room.');

interface Ledgers {
  readonly reserve?: () => ReserveResult;
  readonly hold?: CallDay['hold'];
  readonly record?: RecordWait;
}

/**
 * Creates a call with fake caps and a fake daily ledger. `settled` lists the charges under the caps, and
 * `bills` lists the charges in the ledger.
 */
function callWith({ reserve, hold, record }: Ledgers = {}) {
  const settled: { readonly account: Account; readonly isCall: boolean }[] = [];
  const bills: (Account | null)[] = [];
  const caps: CallCaps = {
    reserve: reserve ?? (() => ({ type: 'reserved', reservation: { tokens: 10, usd: 1 } })),
    settle: (_reservation, account, isCall) => settled.push({ account, isCall }),
  };
  const ledger: CallDay = {
    hold: hold ?? (() => Promise.resolve({ type: 'held', hold: { id: 'one' } })),
    settle: (_hold, account) => {
      bills.push(account);
      return Promise.resolve();
    },
  };
  const day = { ledger, charged: CHARGED, messages: [], maxTokens: 10, key: null };
  const call = new PaidCall({ caps, day, record: record ?? (() => undefined) });
  return { call, settled, bills };
}

const signal = new AbortController().signal;

async function handedOver(ledgers: Ledgers = {}) {
  const made = callWith(ledgers);
  made.call.reserve();
  await made.call.hold(signal);
  made.call.handOver();
  return made;
}

describe('a paid call', () => {
  it('charges nothing if it is abandoned before its cost is reserved', () => {
    const { call, settled, bills } = callWith();
    void call.abandon();
    expect({ settled, bills, status: call.status }).toEqual({ settled: [], bills: [], status: 'settled' });
  });

  it('stays planned while the caps have no room for its cost, and can be reserved later', () => {
    const results: ReserveResult[] = [{ type: 'wait' }, { type: 'reserved', reservation: null }];
    const { call } = callWith({ reserve: () => results.shift() ?? { type: 'wait' } });
    expect([call.reserve().type, call.status]).toEqual(['wait', 'planned']);
    expect([call.reserve().type, call.status]).toEqual(['reserved', 'reserved']);
  });

  it('releases its reservations if it is settled before it is handed to the client', async () => {
    const { call, settled, bills } = callWith();
    call.reserve();
    await call.hold(signal);
    void call.settle(COST);
    expect(settled).toEqual([{ account: NOTHING_SPENT, isCall: false }]);
    expect(bills).toEqual([null]);
  });

  it('is charged its reported cost if it is settled after it was handed to the client', async () => {
    const { call, settled, bills } = await handedOver();
    void call.settle(COST);
    expect(settled).toEqual([{ account: COST, isCall: true }]);
    expect(bills).toEqual([COST]);
  });

  it('is charged an unknown cost if it is abandoned after it was handed to the client', async () => {
    const { call, bills } = await handedOver();
    void call.abandon();
    expect(bills).toEqual([UNKNOWN]);
  });

  it('releases its reservations if it is abandoned while it waits for a rate limit', async () => {
    const { call, settled, bills } = await handedOver();
    expect(call.wait({ for: 'limit', delay: 100 })).toBe(true);
    expect(call.status).toBe('waiting');
    void call.abandon();
    expect(settled).toEqual([{ account: NOTHING_SPENT, isCall: false }]);
    expect(bills).toEqual([null]);
  });

  it('is sent only after the event that records its sending is stored', async () => {
    let write = () => {};
    const record: RecordWait = (waiting) =>
      waiting.for === null ? new Promise<void>((resolve) => (write = resolve)) : undefined;
    const { call } = await handedOver({ record });
    void call.wait({ for: 'limit', delay: null });
    const leaves = call.wait(LEAVES);
    expect([call.status, call.mayHaveLeft]).toEqual(['leaving', false]);
    write();
    expect(await leaves).toBe(true);
    expect([call.status, call.mayHaveLeft]).toEqual(['sent', true]);
  });

  it('is never sent if it is abandoned while the event that records its sending is being stored', async () => {
    let write = () => {};
    const { call, bills } = await handedOver({ record: () => new Promise<void>((resolve) => (write = resolve)) });
    const leaves = call.wait(LEAVES);
    void call.abandon();
    write();
    expect(await leaves).toBe(false);
    expect(bills).toEqual([null]);
  });

  it('releases a daily-budget reservation that is made after the call was settled', async () => {
    let held: (outcome: HoldOutcome) => void = () => {};
    const { call, settled, bills } = callWith({ hold: () => new Promise((resolve) => (held = resolve)) });
    call.reserve();
    const room = call.hold(signal);
    void call.refund();
    held({ type: 'held', hold: { id: 'late' } });
    expect(await room).toEqual({ type: 'gone' });
    expect(settled).toHaveLength(1);
    expect(bills).toEqual([null]);
  });

  it('records the start and the end of its wait for the daily budget, and is not sent meanwhile', async () => {
    const recorded: Waiting[] = [];
    const { call } = callWith({
      hold: async (_call, _signal, wait) => {
        void wait({ for: 'money', delay: null });
        await wait(LEAVES);
        return { type: 'held', hold: { id: 'one' } };
      },
      record: (waiting) => {
        recorded.push(waiting);
        return undefined;
      },
    });
    call.reserve();
    expect(await call.hold(signal)).toEqual({ type: 'ready' });
    expect(recorded.map((each) => each.for)).toEqual(['money', null]);
    expect(call.mayHaveLeft).toBe(false);
  });

  it('needs no reservation when there are no caps and no daily ledger', () => {
    const call = new PaidCall({ caps: null, day: null, record: () => undefined });
    expect(call.reserve()).toEqual({ type: 'reserved', reservation: null });
    expect(call.hold(signal)).toEqual({ type: 'ready' });
  });

  it('is refused, but not yet settled, if the daily budget has no room for it', async () => {
    const { call } = callWith({ hold: () => Promise.resolve({ type: 'refused', fault: FULL }) });
    call.reserve();
    expect(await call.hold(signal)).toEqual({ type: 'refused', fault: FULL });
    expect(call.isOpen).toBe(true);
  });
});

/** Events that can happen to a call after its cost is reserved. */
const HAPPENS = {
  'hand over': (call: PaidCall) => call.handOver(),
  'report a wait': (call: PaidCall) => void call.wait({ for: 'limit', delay: null }),
  'report that it leaves': (call: PaidCall) => void call.wait(LEAVES),
  'answer something': (call: PaidCall) => call.confirmSent(),
  settle: (call: PaidCall) => void call.settle(COST),
  'give back': (call: PaidCall) => void call.refund(),
  abandon: (call: PaidCall) => void call.abandon(),
} as const;
const names = Object.keys(HAPPENS) as (keyof typeof HAPPENS)[];

it('a paid call is settled once, whatever the order of events, and charged only if it may have been sent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...names), { maxLength: 12 }), async (happens) => {
      const { call, settled, bills } = callWith();
      call.reserve();
      await call.hold(signal);
      let expected: Account | null | undefined;
      for (const name of [...happens, 'abandon'] as const) {
        if (call.isOpen && name === 'settle') expected = call.mayHaveLeft ? COST : null;
        if (call.isOpen && name === 'give back') expected = null;
        if (call.isOpen && name === 'abandon') expected = call.mayHaveLeft ? UNKNOWN : null;
        HAPPENS[name](call);
      }
      expect(bills).toEqual([expected]);
      expect(settled).toEqual([{ account: expected ?? NOTHING_SPENT, isCall: expected !== null }]);
      expect(call.status).toBe('settled');
    }),
    { numRuns: 300 },
  );
});
