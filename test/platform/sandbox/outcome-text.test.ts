import { Lexer } from 'marked';
import { describe, expect, it } from 'vitest';
import { CODE_OUTPUT_LIMIT, type CodeOutcome } from '../../../src/core/contract';
import { outcomeText } from '../../../src/platform/sandbox/python-worker';

const outcome = (more: Partial<CodeOutcome> = {}): CodeOutcome => ({
  ok: more.fault === undefined,
  stdout: '',
  stderr: '',
  time: 5,
  ...more,
});

describe('outcomeText', () => {
  it('shows printed text in a fence', () => {
    expect(outcomeText(outcome({ stdout: '42\n' }))).toBe('Python printed:\n\n```text\n42\n```');
  });

  it('shows the value of the last line only when nothing was printed', () => {
    expect(outcomeText(outcome({ result: '120' }))).toBe('The last line has the value:\n\n```text\n120\n```');
    expect(outcomeText(outcome({ stdout: 'seen\n', result: '120' }))).not.toContain('120');
  });

  it('reports that the code ended without printing anything', () => {
    expect(outcomeText(outcome())).toBe('The code ran to its end and printed nothing.');
  });

  it('keeps text printed before a failure, and describes the failure', () => {
    const fault = { kind: 'error', message: 'ZeroDivisionError: division by zero' } as const;
    const text = outcomeText(outcome({ stdout: 'a\n', stderr: 'b\n', fault }));
    expect(text).toContain('Python printed:\n\n```text\na\n```');
    expect(text).toContain('To standard error:\n\n```text\nb\n```');
    expect(text.endsWith('The code failed:\n\n```text\nZeroDivisionError: division by zero\n```')).toBe(true);
  });

  it('reports that the code was stopped at its time limit', () => {
    const fault = { kind: 'time-limit', message: 'It did not end within 10 s and was stopped.' } as const;
    expect(outcomeText(outcome({ fault }))).toBe('The code was stopped. It did not end within 10 s and was stopped.');
  });

  it('uses a fence that printed text cannot close', () => {
    const text = outcomeText(outcome({ stdout: '```\n````\n# A heading\n' }));
    expect(text).toBe('Python printed:\n\n`````text\n```\n````\n# A heading\n`````');
  });

  it('returns fewer than 2 × n + 100 characters for n printed characters, even for fence characters', () => {
    const half = CODE_OUTPUT_LIMIT / 2;
    for (const stdout of [
      '`'.repeat(2 * half),
      '~'.repeat(2 * half),
      '`'.repeat(half) + '~'.repeat(half),
      '~\n```'.repeat(6_000),
    ]) {
      const text = outcomeText(outcome({ stdout }));
      expect(text.length).toBeLessThan(2 * stdout.length + 100);
      expect(fencesIn(text)).toEqual([stdout]);
    }
  });

  // A pattern such as /\n+$/ would take minutes for this text, because its time grows with the square of the number
  // of line breaks.
  it('removes the last line breaks of a text that begins with a million line breaks', () => {
    const stdout = `${'\n'.repeat(1_000_000)}x`;
    expect(outcomeText(outcome({ stdout: `${stdout}\n\n` }))).toBe(`Python printed:\n\n\`\`\`text\n${stdout}\n\`\`\``);
  });
});

/** Returns the parts of a text that Markdown parses as code. */
function fencesIn(text: string): string[] {
  return new Lexer().blockTokens(text, []).flatMap((token) => (token.type === 'code' ? [String(token['text'])] : []));
}
