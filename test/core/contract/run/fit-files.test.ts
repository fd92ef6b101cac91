import { describe, expect, it } from 'vitest';
import { estimateTokens, questionText, renderPrompt, type PromptMessage } from '../../../../src/core/contract';
import { fitFiles } from '../../../../src/core/contract/run/fit-files';
import { questionFile } from '../../../fixtures/memory-images';

describe('shortening files to fit a context', () => {
  const long = questionFile('long '.repeat(4000), { name: 'long.txt' });
  const short = questionFile('short');
  const question = { text: 'Why?', files: [long, short] };
  const prompt: readonly PromptMessage[] = [
    {
      role: 'user',
      parts: [{ kind: 'literal', text: 'Task: ' }, { kind: 'question' }, { kind: 'literal', text: '.' }],
    },
  ];
  const sources = { question: questionText(question), subtask: () => undefined, output: () => undefined };
  const fit = (window: number | undefined, room: number) => fitFiles(prompt, sources, question, { window, room });

  it('cuts only long files, and keeps the question whole', () => {
    const [message] = renderPrompt(fit(2000, 1000), sources);
    expect(estimateTokens(message?.content ?? '')).toBeLessThanOrEqual(1000);
    expect(message?.content).toMatch(/characters left out/);
    expect(message?.content).toContain('>\nshort\n<');
    expect(message?.content).toMatch(/Question:\nWhy\?\.$/);
  });

  it('changes nothing if the files fit, if the context is unknown, or without files', () => {
    expect(fit(100_000, 10_000)).toBe(prompt);
    expect(fit(undefined, 10)).toBe(prompt);
    const bare = { question: 'Why?', subtask: () => undefined, output: () => undefined };
    expect(fitFiles(prompt, bare, { text: 'Why?' }, { window: 10, room: 1 })).toBe(prompt);
  });
});
