import { afterEach, describe, expect, test } from 'vitest';
import { LEARNT_LIMITS, type Waiting } from '../../../../src/core/contract';
import { createGate, type GateCall } from '../../../../src/platform/workers/limits/gate';
import {
  createLimitChannel,
  type LimitChannel,
  type LimitNews,
} from '../../../../src/platform/workers/limits/limit-news';
import { FakeClock, idle } from '../../../fixtures/fake-clock';
import { eventually } from '../../../fixtures/eventually';

const CALL: GateCall = { origin: 'https://one.example', lane: 'key', tokens: 100, limits: LEARNT_LIMITS, places: 16 };

/** Tabs that hear each other at once. */
function browser() {
  const tabs: { heard: (told: LimitNews) => void; own: LimitChannel }[] = [];
  return (): LimitChannel => {
    const own: LimitChannel = {
      tell: (told) => tabs.filter((tab) => tab.own !== own).forEach(({ heard }) => heard(structuredClone(told))),
      listen: (heard) => void tabs.push({ heard, own }),
    };
    return own;
  };
}

describe('what one tab learns of a limit', () => {
  test('keeps the calls of another from running into it, and lets them go when it is over', async () => {
    const clock = new FakeClock();
    const channel = browser();
    const [one, two] = [createGate(clock, channel()), createGate(clock, channel())];
    const refused = one.enter(CALL);
    await refused.entered;
    refused.refuse({ retryAfter: 5000, learnt: {} });
    refused.leave();
    const told: Waiting[] = [];
    let entered = false;
    const held = two.enter(CALL, (waiting) => told.push(waiting));
    void held.entered.then(() => (entered = true));
    await idle();
    expect(told).toEqual([{ for: 'limit', delay: 5000 }]);
    await clock.advance(4999);
    expect(entered).toBe(false);
    await clock.advance(1);
    expect(entered).toBe(true);
    await expect(two.enter({ ...CALL, lane: 'another key' }).entered).resolves.toBeUndefined();
  });

  test('counts for calls that wait there already', async () => {
    const clock = new FakeClock();
    const channel = browser();
    const [one, two] = [createGate(clock, channel()), createGate(clock, channel())];
    const first = one.enter(CALL);
    const calls = Array.from({ length: 6 }, () => two.enter(CALL));
    await idle();
    first.refuse({ retryAfter: 5000, learnt: {} });
    calls[0]?.leave();
    calls[1]?.leave();
    await idle();
    expect(two.waiting(CALL.origin)).toBe(1);
  });

  test('holds for both together: a call that left here counts there', async () => {
    const clock = new FakeClock();
    const channel = browser();
    const [one, two] = [createGate(clock, channel()), createGate(clock, channel())];
    const limited = { ...CALL, limits: { ...LEARNT_LIMITS, requestsPerMinute: 2 } };
    await one.enter(limited).entered;
    await two.enter(limited).entered;
    const told: Waiting[] = [];
    two.enter(limited, (waiting) => told.push(waiting));
    one.enter(limited, (waiting) => told.push(waiting));
    await idle();
    expect(told.map(({ for: cause }) => cause)).toEqual(['limit', 'limit']);
  });

  test('is told to a tab that is opened later', async () => {
    const clock = new FakeClock();
    const channel = browser();
    const one = createGate(clock, channel());
    const refused = one.enter(CALL);
    await refused.entered;
    refused.refuse({ retryAfter: 5000, learnt: { requestsPerMinute: 1 } });
    const told: Waiting[] = [];
    createGate(clock, channel()).enter(CALL, (waiting) => told.push(waiting));
    await idle();
    expect(told).toEqual([{ for: 'limit', delay: 5000 }]);
  });
});

describe('the channel between tabs', () => {
  const open: { close(): void }[] = [];
  afterEach(() => open.splice(0).forEach((each) => each.close()));

  test('carries news, and passes over what is none', async () => {
    const name = `limits ${crypto.randomUUID()}`;
    const [one, two, raw] = [createLimitChannel(name), createLimitChannel(name), new BroadcastChannel(name)];
    open.push(one, two, raw);
    const heard: LimitNews[] = [];
    two.listen((told) => heard.push(told));
    const place = { origin: 'https://one.example', lane: 'key' };
    for (const bad of [null, 'left', { type: 'left' }, { type: 'later', ...place }, { type: 'left', ...place, at: -1 }])
      raw.postMessage(bad);
    const news: LimitNews[] = [
      { type: 'asked' },
      { type: 'left', ...place, at: 5, tokens: 9 },
      { type: 'learnt', ...place, pausedUntil: 7, width: 2, ceiling: null, limits: { requestsPerMinute: 3 } },
    ];
    for (const each of news) one.tell(each);
    await eventually(() => expect(heard).toEqual(news));
  });
});
