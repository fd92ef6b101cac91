import { afterEach, describe, expect, test } from 'vitest';
import { LEARNED_LIMITS, type Waiting } from '../../../../src/core/contract';
import { createGate, type GateCall } from '../../../../src/platform/workers/limits/gate';
import { Lane } from '../../../../src/platform/workers/limits/lane';
import {
  createLimitChannel,
  type LimitChannel,
  type LimitNews,
} from '../../../../src/platform/workers/limits/limit-news';
import { FakeClock, idle } from '../../../fixtures/fake-clock';
import { eventually } from '../../../fixtures/eventually';

const CALL: GateCall = { origin: 'https://one.example', lane: 'key', tokens: 100, limits: LEARNED_LIMITS, places: 16 };

/** Returns a function that opens a tab's channel. Messages arrive in all other tabs synchronously. */
function browser() {
  const tabs: { listener: (news: LimitNews) => void; own: LimitChannel }[] = [];
  return (): LimitChannel => {
    const own: LimitChannel = {
      send: (news) => tabs.filter((tab) => tab.own !== own).forEach(({ listener }) => listener(structuredClone(news))),
      listen: (listener) => void tabs.push({ listener, own }),
    };
    return own;
  };
}

describe('a limit that tabs share', () => {
  test('holds back the calls of another tab until the pause of the limit is over', async () => {
    const clock = new FakeClock();
    const channel = browser();
    const [one, two] = [createGate(clock, channel()), createGate(clock, channel())];
    const refused = one.enter(CALL);
    await refused.entered;
    refused.refuse({ retryAfter: 5000, learned: {} });
    refused.leave();
    const waits: Waiting[] = [];
    let entered = false;
    const held = two.enter(CALL, (waiting) => waits.push(waiting));
    void held.entered.then(() => (entered = true));
    await idle();
    expect(waits).toEqual([{ for: 'limit', delay: 5000 }]);
    await clock.advance(4999);
    expect(entered).toBe(false);
    await clock.advance(1);
    expect(entered).toBe(true);
    await expect(two.enter({ ...CALL, lane: 'another key' }).entered).resolves.toBeUndefined();
  });

  test('applies to calls that already wait in the other tab', async () => {
    const clock = new FakeClock();
    const channel = browser();
    const [one, two] = [createGate(clock, channel()), createGate(clock, channel())];
    const first = one.enter(CALL);
    const calls = Array.from({ length: 6 }, () => two.enter(CALL));
    await idle();
    first.refuse({ retryAfter: 5000, learned: {} });
    calls[0]?.leave();
    calls[1]?.leave();
    await idle();
    expect(two.waiting(CALL.origin)).toBe(1);
  });

  test('counts the calls of both tabs together', async () => {
    const clock = new FakeClock();
    const channel = browser();
    const [one, two] = [createGate(clock, channel()), createGate(clock, channel())];
    const limited = { ...CALL, limits: { ...LEARNED_LIMITS, requestsPerMinute: 2 } };
    await one.enter(limited).entered;
    await two.enter(limited).entered;
    const waits: Waiting[] = [];
    two.enter(limited, (waiting) => waits.push(waiting));
    one.enter(limited, (waiting) => waits.push(waiting));
    await idle();
    expect(waits.map(({ for: cause }) => cause)).toEqual(['limit', 'limit']);
  });

  test('is sent to a tab that is opened later', async () => {
    const clock = new FakeClock();
    const channel = browser();
    const one = createGate(clock, channel());
    const refused = one.enter(CALL);
    await refused.entered;
    refused.refuse({ retryAfter: 5000, learned: { requestsPerMinute: 1 } });
    const waits: Waiting[] = [];
    createGate(clock, channel()).enter(CALL, (waiting) => waits.push(waiting));
    await idle();
    expect(waits).toEqual([{ for: 'limit', delay: 5000 }]);
  });

  test('allows one more concurrent call after each group of accepted calls, even if another tab is opened', async () => {
    const clock = new FakeClock();
    const channel = browser();
    const [one, two] = [createGate(clock, channel()), createGate(clock, channel())];
    const first = one.enter(CALL);
    await first.entered;
    first.refuse({ retryAfter: 1000, learned: {} });
    first.leave();
    await clock.advance(1000);
    const wave = async () => {
      const calls = Array.from({ length: 6 }, () => two.enter(CALL));
      await idle();
      const atOnce = 6 - two.waiting(CALL.origin);
      for (const call of calls.slice(0, atOnce)) call.accept();
      for (const call of calls) {
        call.giveUp();
        call.leave();
      }
      await clock.advance(1);
      return atOnce;
    };
    expect([await wave(), await wave(), await wave()]).toEqual([1, 2, 3]);
    createGate(clock, channel());
    expect(await wave()).toBe(4);
  });

  test('is replaced by a newer limit, even if a tab has sent the old limit again', async () => {
    const clock = new FakeClock();
    const channel = browser();
    const [one, two] = [createGate(clock, channel()), createGate(clock, channel())];
    const first = one.enter(CALL);
    await first.entered;
    first.refuse({ retryAfter: 1000, learned: {} });
    first.leave();
    await clock.advance(1000);
    const later = two.enter(CALL);
    await later.entered;
    await clock.advance(10);
    createGate(clock, channel());
    later.refuse({ retryAfter: null, learned: {} });
    later.leave();
    const waits: Waiting[] = [];
    two.enter(CALL, (waiting) => waits.push(waiting));
    await idle();
    expect(waits).toMatchObject([{ for: 'limit', delay: 1000 }]);
  });
});

describe('the lane of calls that share a limit', () => {
  const learned = { at: 100, pausedUntil: 0, width: 2, ceiling: 3, limits: { requestsPerMinute: 4 } };

  test('ignores older messages, and adopts only the longer pause from a message of the same time', () => {
    const lane = new Lane();
    expect(lane.learned).toBeNull();
    lane.applyLearnedLimits(learned, 500);
    expect(lane.learned).toEqual(learned);
    lane.applyLearnedLimits({ at: 99, pausedUntil: 900, width: 1, ceiling: 1, limits: { requestsPerMinute: 1 } }, 500);
    expect(lane.learned).toEqual(learned);
    lane.applyLearnedLimits({ ...learned, pausedUntil: 900, width: 1 }, 500);
    expect(lane.learned).toEqual({ ...learned, pausedUntil: 900 });
  });

  test('keeps only the last minute of other tabs’ calls, even without calls of its own', () => {
    const lane = new Lane();
    for (let at = 0; at <= 600_000; at += 10_000) lane.note({ at, tokens: 1 }, at);
    expect(lane.departures).toBe(7);
  });
});

describe('the channel between tabs', () => {
  const open: { close(): void }[] = [];
  afterEach(() => open.splice(0).forEach((each) => each.close()));

  test('delivers messages, and ignores invalid ones', async () => {
    const name = `limits ${crypto.randomUUID()}`;
    const [one, two, raw] = [createLimitChannel(name), createLimitChannel(name), new BroadcastChannel(name)];
    open.push(one, two, raw);
    const received: LimitNews[] = [];
    two.listen((each) => received.push(each));
    const place = { origin: 'https://one.example', lane: 'key' };
    for (const bad of [null, 'sent', { type: 'sent' }, { type: 'later', ...place }, { type: 'sent', ...place, at: -1 }])
      raw.postMessage(bad);
    const news: LimitNews[] = [
      { type: 'requested' },
      { type: 'sent', ...place, at: 5, tokens: 9 },
      { type: 'learned', ...place, at: 6, pausedUntil: 7, width: 2, ceiling: null, limits: { requestsPerMinute: 3 } },
    ];
    for (const each of news) one.send(each);
    await eventually(() => expect(received).toEqual(news));
  });
});
