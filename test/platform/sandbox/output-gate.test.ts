import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
  it('sends each of the first lines at once, so that none is lost when the code is killed', () => {
    const { made, sent } = gate(100);
    const write = made.writer('stdout');
    expect(write(bytes('one\n'))).toBe(4);
    write(bytes('two\n'));
    expect(sent).toEqual([
      { type: 'output', stream: 'stdout', text: 'one\n' },
      { type: 'output', stream: 'stdout', text: 'two\n' },
    ]);
  });

  it('gathers many small writes into few messages', () => {
    const { made, sent, text } = gate(1_000_000);
    const write = made.writer('stdout');
    for (let line = 0; line < 20_000; line += 1) write(bytes('a line\n'));
    made.flush();
    expect(text('stdout')).toBe('a line\n'.repeat(20_000));
    expect(sent.length).toBeLessThan(300);
  });

  it('cuts at the limit, says so once, and lets nothing through after it', () => {
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

  it('allows exactly the limit', () => {
    const { made, sent } = gate(4);
    made.writer('stdout')(bytes('1234'));
    expect(sent).toEqual([{ type: 'output', stream: 'stdout', text: '1234' }]);
    expect(made.isOpen).toBe(true);
  });

  it('decodes characters that are cut anywhere, each stream on its own', () => {
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
