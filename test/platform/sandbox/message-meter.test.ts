import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageMeter } from '../../../src/platform/sandbox/message-meter';
import { LONGEST_ERROR } from '../../../src/platform/sandbox/protocol';

const output = (length: number, stream = 'stdout') => ({ type: 'output', stream, text: 'x'.repeat(length) });

describe('a message meter', () => {
  it('returns output until the streams together exceed the limit', () => {
    const meter = new MessageMeter(12);
    expect(meter.read(output(4))).toEqual(output(4));
    expect(meter.read(output(4, 'stderr'))).toEqual(output(4, 'stderr'));
    expect(meter.read(output(4, 'result'))).toEqual(output(4, 'result'));
    expect(meter.read({ type: 'finished' })).toEqual({ type: 'finished' });
    expect(meter.read(output(1))).toEqual({ type: 'output-limit' });
  });

  it.each(['error', 'failed'])('returns `output-limit` if a message of type `%s` is too long', (type) => {
    const meter = new MessageMeter(10);
    const message = 'x'.repeat(LONGEST_ERROR);
    expect(meter.read({ type, message })).toEqual({ type, message });
    expect(meter.read({ type, message: `${message}x` })).toEqual({ type: 'output-limit' });
  });

  it('removes unknown fields of a message', () => {
    expect(new MessageMeter(10).read({ type: 'finished', result: 'x'.repeat(10_000) })).toEqual({ type: 'finished' });
  });

  it('returns `tampered` for data that is not a valid message', () => {
    fc.assert(
      fc.property(fc.anything(), (data) => {
        expect(new MessageMeter(10).read(data)).toEqual({ type: 'tampered' });
      }),
    );
  });

  it('returns `tampered` for every message after too many messages', () => {
    const meter = new MessageMeter(32_768);
    const types = Array.from({ length: 1_000 }, () => meter.read(output(0)).type);
    expect(types.indexOf('tampered')).toBeLessThan(300);
    expect(types.slice(types.indexOf('tampered')).every((type) => type === 'tampered')).toBe(true);
  });
});
