import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { CODE_OUTPUT_LIMIT } from '../../../src/core/contract';
import { MessageMeter } from '../../../src/platform/sandbox/message-meter';
import type { RuntimeMessage } from '../../../src/platform/sandbox/protocol';
import { OutputGate } from '../../../src/platform/sandbox/runtime/output-gate';

function gate(limit: number) {
  const sent: RuntimeMessage[] = [];
  const made = new OutputGate(limit, (message) => sent.push(message));
  const text = (stream: string) =>
    sent.map((message) => (message.type === 'output' && message.stream === stream ? message.text : '')).join('');
  return { made, sent, text };
}

const bytes = (text: string) => new TextEncoder().encode(text);

describe('OutputGate', () => {
  it('sends each of the first lines immediately, so that none is lost when the code is killed', () => {
    const { made, sent } = gate(100);
    const write = made.writer('stdout');
    expect(write(bytes('one\n'))).toBe(4);
    write(bytes('two\n'));
    expect(sent).toEqual([
      { type: 'output', stream: 'stdout', text: 'one\n' },
      { type: 'output', stream: 'stdout', text: 'two\n' },
    ]);
  });

  it('batches many small writes into few messages', () => {
    const { made, sent, text } = gate(1_000_000);
    const write = made.writer('stdout');
    for (let line = 0; line < 20_000; line += 1) write(bytes('a line\n'));
    made.flush();
    expect(text('stdout')).toBe('a line\n'.repeat(20_000));
    expect(sent.length).toBeLessThan(300);
  });

  it('sends few enough messages for the message meter even if the code alternates between both streams', () => {
    const { made, sent, text } = gate(CODE_OUTPUT_LIMIT);
    const [toOut, toError] = [made.writer('stdout'), made.writer('stderr')];
    for (let count = 0; count < CODE_OUTPUT_LIMIT / 2; count += 1) {
      toOut(bytes('o'));
      toError(bytes('e'));
    }
    made.flush();
    expect([text('stdout').length, text('stderr').length]).toEqual([CODE_OUTPUT_LIMIT / 2, CODE_OUTPUT_LIMIT / 2]);
    const meter = new MessageMeter(CODE_OUTPUT_LIMIT);
    expect(sent.every((message) => meter.read(message).type === 'output')).toBe(true);
  });

  it('enforces its limit even when the code replaces built-in methods', () => {
    const { made, sent } = gate(10);
    const write = made.writer('stdout');
    const [slice, decode] = [
      vi.spyOn(String.prototype, 'slice').mockReturnValue('x'.repeat(1_000)),
      vi.spyOn(TextDecoder.prototype, 'decode').mockReturnValue('x'.repeat(1_000)),
    ];
    write(Uint8Array.of(97, 98));
    made.flush();
    slice.mockRestore();
    decode.mockRestore();
    expect(sent).toEqual([{ type: 'output', stream: 'stdout', text: 'ab' }]);
  });

  it('cuts the output at its limit, reports the limit once, and then sends nothing', () => {
    const { made, sent, text } = gate(10);
    const write = made.writer('stdout');
    write(bytes('12345678'));
    expect(made.isOpen).toBe(true);
    write(bytes('90abc'));
    made.writer('stderr')(bytes('late'));
    write(bytes('later'));
    made.flush();
    expect(text('stdout') + text('stderr')).toBe('1234567890');
    expect(sent.filter(({ type }) => type === 'output-limit')).toHaveLength(1);
    expect(sent.at(-1)).toEqual({ type: 'output-limit' });
    expect(made.isOpen).toBe(false);
  });

  it('allows output that is exactly as long as the limit', () => {
    const { made, sent } = gate(4);
    made.writer('stdout')(bytes('1234'));
    expect(sent).toEqual([{ type: 'output', stream: 'stdout', text: '1234' }]);
    expect(made.isOpen).toBe(true);
  });

  it('decodes each stream separately, even if it arrives byte by byte', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (out, err) => {
        const { made, text } = gate(10_000);
        const [writeOut, writeErr] = [made.writer('stdout'), made.writer('stderr')];
        const [outBytes, errBytes] = [bytes(out), bytes(err)];
        for (let at = 0; at < Math.max(outBytes.length, errBytes.length); at += 1) {
          writeOut(outBytes.subarray(at, at + 1));
          writeErr(errBytes.subarray(at, at + 1));
        }
        made.flush();
        expect([text('stdout'), text('stderr')]).toEqual([out, err]);
      }),
    );
  });
});
