/**
 * @file Tests that the coalescer combines many tokens into few events without losing text.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Channel, ChannelText, Clock } from '../../../src/core/contract';
import { DELTA_INTERVAL, DeltaCoalescer } from '../../../src/core/executor/delta-coalescer';
import { FakeClock } from '../../fixtures/fake-clock';
import { step } from '../../fixtures/run-events';
import { done, ofType, play, delta, wait } from './scripted';

function open(clock: FakeClock, coalescer = new DeltaCoalescer(clock)) {
  const emitted: (ChannelText & { at: number })[] = [];
  const stream = coalescer.open((delta) => {
    emitted.push({ at: clock.monotonic(), ...delta });
  });
  return { coalescer, stream, emitted };
}

describe('a stream of deltas', () => {
  it('emits the first delta at once and then buffers text for 50 ms', async () => {
    const clock = new FakeClock();
    const { stream, emitted } = open(clock);
    stream.add({ channel: 'content', text: 'a' });
    await clock.advance(20);
    stream.add({ channel: 'content', text: 'b' });
    stream.add({ channel: 'content', text: 'c' });
    expect(emitted.map(({ text }) => text)).toEqual(['a']);
    await clock.advance(40);
    expect(emitted.at(-1)).toEqual({ at: 50, channel: 'content', text: 'bc' });
    await clock.advance(100);
    stream.add({ channel: 'content', text: 'd' });
    expect(emitted.at(-1)).toEqual({ at: 160, channel: 'content', text: 'd' });
  });

  it('emits the first delta of a channel at once, after the buffered text of the other channel', async () => {
    const { stream, emitted } = open(new FakeClock());
    stream.add({ channel: 'reasoning', text: 'r' });
    stream.add({ channel: 'reasoning', text: 's' });
    stream.add({ channel: 'content', text: 'c' });
    expect(emitted.map(({ channel, text }) => `${channel} ${text}`)).toEqual([
      'reasoning r',
      'reasoning s',
      'content c',
    ]);
  });

  it('shares one timer with the other streams of the run, and `close` stops the timer', async () => {
    const clock = new FakeClock();
    const { coalescer, stream } = open(clock);
    const other = open(clock, coalescer);
    for (const each of [stream, other.stream]) {
      each.add({ channel: 'content', text: 'a' });
      each.add({ channel: 'content', text: 'b' });
    }
    expect(clock.sleeping).toBe(1);
    coalescer.close();
    await clock.advance(0);
    expect(clock.sleeping).toBe(0);
  });

  it('emits buffered text before a delta that relabels it, and then the mark', async () => {
    const clock = new FakeClock();
    const { stream, emitted } = open(clock);
    stream.add({ channel: 'content', text: 'a' });
    stream.add({ channel: 'content', text: 'b' });
    stream.add({ channel: 'content', text: 'c', relabels: true });
    stream.add({ channel: 'content', text: 'd' });
    await clock.advance(60);
    expect(emitted.map(({ text, relabels = false }) => [text, relabels])).toEqual([
      ['a', false],
      ['b', false],
      ['cd', true],
    ]);
  });

  it('emits less often in a long text: ten hours of text become fewer than 20,000 events', () => {
    let time = 0;
    const clock: Clock = { now: () => time, monotonic: () => time, sleep: () => new Promise(() => undefined) };
    const emitted: string[] = [];
    const stream = new DeltaCoalescer(clock).open(({ text }) => {
      emitted.push(text);
    });
    const pieces = (10 * 3_600_000) / DELTA_INTERVAL;
    for (let piece = 0; piece < pieces; piece++) {
      stream.add({ channel: 'content', text: 'a' });
      time += DELTA_INTERVAL;
    }
    stream.flush();
    expect(emitted.join('')).toHaveLength(pieces);
    expect(emitted.length).toBeLessThan(20_000);
  });

  it('keeps the text of each channel, and emits at most about one delta per channel every 50 ms', async () => {
    const pieces = fc.array(
      fc.record({
        gap: fc.constantFrom(0, 1, 10, 49, 50, 200),
        channel: fc.constantFrom<Channel>('content', 'reasoning'),
        text: fc.string({ minLength: 1, maxLength: 3 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(pieces, async (deltas) => {
        const clock = new FakeClock();
        const { stream, emitted } = open(clock);
        for (const { gap, channel, text } of deltas) {
          if (gap > 0) await clock.advance(gap);
          stream.add({ channel, text });
        }
        stream.flush();
        for (const channel of ['content', 'reasoning'] as const) {
          const joined = (all: readonly { channel: Channel; text: string }[]) =>
            all.flatMap((each) => (each.channel === channel ? each.text : [])).join('');
          expect(joined(emitted)).toBe(joined(deltas));
        }
        // Besides one delta for each interval, a channel has at most one when the other channel begins and one at the flush.
        const span = clock.monotonic();
        expect(emitted.length).toBeLessThanOrEqual(2 * (Math.floor(span / DELTA_INTERVAL) + 1) + 4);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a step’s deltas', () => {
  it('contain its exact output, in at most about one delta every 50 ms', async () => {
    const tokens = [...Array(500).keys()].map((index) => `${index} `);
    const { events } = await play({
      plan: [step(0, 'a')],
      work: () => [...tokens.flatMap((token) => [delta(token), wait(3)]), done()],
    });
    const deltas = ofType(events, 'step-delta');
    expect(deltas.map(({ text }) => text).join('')).toBe(tokens.join(''));
    expect(ofType(events, 'step-finished')[0]?.output).toBe(tokens.join(''));
    expect(deltas.length).toBeLessThanOrEqual(1500 / 50 + 2);
    const gaps = deltas.slice(1, -1).map(({ elapsed }, index) => elapsed - (deltas[index]?.elapsed ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(50);
  });
});
