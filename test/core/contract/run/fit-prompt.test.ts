import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens, fitPrompt, promptRoom, renderPrompt, type PromptMessage } from '../../../../src/core/contract';
import { commonLength, shortened } from '../../../../src/core/contract/run/fit-prompt';

const texts = fc.array(fc.string({ maxLength: 4000, unit: 'binary' }), { maxLength: 8 });
const SHORTEST = 200;

describe('shortening earlier outputs to fit a context', () => {
  it('cuts only the longest texts, all to one common length', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 8000 }), (given, tokens) => {
        const length = commonLength(given, tokens);
        const total = (cut: number) => given.reduce((sum, text) => sum + estimateTokens(shortened(text, cut)), 0);
        if (length === null) {
          const longest = Math.max(0, ...given.map((text) => text.length));
          expect(total(longest) <= tokens || longest <= SHORTEST).toBe(true);
          return;
        }
        // Either the texts fit, or they are as short as the rule allows.
        expect(total(length) <= tokens || length === SHORTEST).toBe(true);
        expect(length).toBeGreaterThanOrEqual(SHORTEST);
        for (const text of given) if (text.length <= length) expect(shortened(text, length)).toBe(text);
      }),
    );
  });

  it('keeps the beginning and the end of a text, and states how many characters are left out', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 3, maxLength: 500, unit: 'binary' }),
        fc.integer({ min: 2, max: 100 }),
        (text, length) => {
          const cut = shortened(text, length);
          if (text.length <= length) {
            expect(cut).toBe(text);
            return;
          }
          const [, head = '', missing, tail = ''] =
            /^([\s\S]*)\n\[… (\d+) characters left out …\]\n([\s\S]*)$/.exec(cut) ?? [];
          expect(text.startsWith(head)).toBe(true);
          expect(text.endsWith(tail)).toBe(true);
          expect(head.length + Number(missing) + tail.length).toBe(text.length);
          expect(head.length + tail.length).toBeGreaterThanOrEqual(length - 2);
          expect(head.length + tail.length).toBeLessThanOrEqual(length);
          // `encodeURIComponent` throws on half a surrogate pair. The uncut texts contain none.
          expect(() => encodeURIComponent(cut)).not.toThrow();
        },
      ),
    );
  });
});

describe('a prompt for a later round', () => {
  const prompt: PromptMessage[] = [
    {
      role: 'user',
      parts: [
        { kind: 'question' },
        { kind: 'output', round: 0, step: 0 },
        { kind: 'output', round: 0, step: 1 },
        { kind: 'output', round: 1, step: 0 },
      ],
    },
  ];
  const outputs = [['a'.repeat(8000), 'short'], ['b'.repeat(8000)]];
  const sources = {
    question: 'Why?',
    subtask: () => '',
    output: (round: number, step: number) => outputs[round]?.[step],
  };
  const tokensOf = (messages: readonly PromptMessage[]) =>
    renderPrompt(messages, sources).reduce((sum, { content }) => sum + estimateTokens(content), 0);

  it('is unchanged if it fits', () => {
    expect(fitPrompt(prompt, sources, { round: 1, room: 5000 })).toBe(prompt);
  });

  it('shortens only the outputs of earlier rounds', () => {
    const fitted = fitPrompt(prompt, sources, { round: 1, room: 3000 });
    expect(tokensOf(fitted)).toBeLessThanOrEqual(3000);
    const parts = fitted[0]?.parts ?? [];
    expect(parts.map(({ kind }) => kind)).toEqual(['question', 'literal', 'output', 'output']);
    expect(renderPrompt(fitted, sources)[0]?.content).toMatch(/a\n\[… \d+ characters left out …\]\na/);
  });

  it('leaves room for the answer, but always gets at least half of the usable context', () => {
    expect(promptRoom(10_000, 1000)).toBe(7000);
    expect(promptRoom(4096, 4096)).toBe(1638);
    expect(promptRoom(undefined, 0)).toBe(26_214);
  });
});
