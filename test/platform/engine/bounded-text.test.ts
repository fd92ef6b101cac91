/** @file Tests the token limits on the texts of a plan: its thought (the reasoning before the lists) and its subtasks. */
import { describe, expect, it } from 'vitest';
import { textBounds } from '../../../src/core/conductor/bounds';
import { BoundedText, fitBounds } from '../../../src/platform/engine/bounded-text';
import { TokenTexts, tokenTexts } from '../../../src/platform/engine/token-texts';

const TOKENS = [
  'a',
  ' word',
  '"',
  '", "',
  '"]',
  '\\',
  'n',
  '[',
  '\n',
  '\nmodel',
  '_id',
  ' = [',
  '.',
  '...',
  '\u00e6',
  'x"',
  'model_id',
  '\\n',
];
const texts = new TokenTexts(() => TOKENS);

const idOf = (text: string) => TOKENS.indexOf(text);
const bounded = () => new BoundedText(textBounds({ thought: 3, subtask: 2 }), texts);
function after(...written: string[]): BoundedText {
  const text = bounded();
  for (const token of written) {
    expect(idOf(token)).not.toBe(-1);
    text.accept(idOf(token));
  }
  return text;
}
/** Returns the tokens that may follow `text` if the grammar accepts only the tokens in `grammar`. */
function follows(text: BoundedText, grammar: readonly string[] = TOKENS): string[] {
  const limit = text.narrow((token) => grammar.includes(TOKENS[token] ?? ''));
  if (!limit) return TOKENS.filter((token) => grammar.includes(token));
  const listed = (token: string) => limit.tokens.includes(idOf(token));
  return TOKENS.filter((token) => grammar.includes(token) && listed(token) === (limit.kind === 'only'));
}
const all = [...TOKENS];

describe('the bounds of an answer', () => {
  const bounds = textBounds({ thought: 160, subtask: 80 });
  const tokensOf = (needed: number, left: number) => fitBounds(bounds, needed, left).map(({ tokens }) => tokens);

  it('stay the same if the prompt leaves enough of the context', () => {
    expect(fitBounds(bounds, 1000, 1000)).toBe(bounds);
  });

  it('shrink with the context that is left, but not to nothing', () => {
    expect(tokensOf(1000, 500)).toEqual([80, 40]);
    expect(tokensOf(1000, 10)).toEqual([8, 8]);
    expect(tokensOf(1000, -5)).toEqual([8, 8]);
    expect(fitBounds(textBounds({ thought: 0, subtask: 3 }), 1000, 10)).toMatchObject([{ tokens: 3 }]);
  });
});

describe('a string', () => {
  it('can contain any token up to its limit, and must then end', () => {
    const text = after('[', '"');
    expect(follows(text)).toEqual(all);
    text.accept(idOf('a'));
    expect(follows(text)).toEqual(all);
    text.accept(idOf(' word'));
    expect(follows(text)).toEqual(['"', '", "', '"]']);
    text.accept(idOf('"]'));
    expect(follows(text)).toEqual(all);
  });

  it('counts its tokens from zero after another string', () => {
    const text = after('[', '"', 'a', ' word', '", "');
    expect(follows(text)).toEqual(all);
    text.accept(idOf('a'));
    text.accept(idOf('a'));
    expect(follows(text)).toContain('", "');
    expect(follows(text)).not.toContain('a');
  });

  it('is closed by a quote after an escaped backslash, but not by an escaped quote', () => {
    const text = after('[', '"', '\\', '"');
    expect(follows(text)).toEqual(['"', '", "', '"]']);
    expect(follows(after('[', '"', 'a', '\\', '\\', '"', 'a', 'a', 'a'))).toEqual(all);
  });

  it('must continue with a period if it reaches its limit with only white space', () => {
    expect(follows(after('[', '"', '\\', 'n'), ['a', '.', ' word'])).toEqual(['.']);
  });

  it('continues past its limit if the grammar does not allow its end, and prefers one-character tokens', () => {
    expect(follows(after('[', '"', 'a', '\u00e6'), ['\u00e6', ' word', 'n'])).toEqual(['n', '\u00e6']);
    expect(follows(after('[', '"', 'a', '\u00e6'), [' word'])).toEqual([' word']);
  });
});

describe('a thought', () => {
  it('must be followed by a line break and “model_id = [” at its limit', () => {
    const text = after('a', '"', 'a');
    expect(follows(text)).toEqual(['\n', '\nmodel']);
    text.accept(idOf('\nmodel'));
    expect(follows(text)).toEqual(['_id']);
    text.accept(idOf('_id'));
    expect(follows(text)).toEqual([' = [']);
    text.accept(idOf(' = ['));
    expect(follows(text)).toEqual(all);
  });

  it('must be followed by a complete “model_id = [” if another token interrupts the first attempt', () => {
    const text = after('a', 'a', '\nmodel', 'a');
    expect(follows(text)).toEqual(['\n', '\nmodel']);
    text.accept(idOf('\n'));
    expect(follows(text)).toEqual(['model_id']);
  });

  it('has no limit once the lists have begun', () => {
    expect(follows(after('model_id', ' = [', 'a', 'a', 'a'))).toEqual(all);
  });
});

describe('a sequence of blank tokens', () => {
  const long = () => new BoundedText(textBounds({ thought: 50, subtask: 50 }), texts);
  function written(...tokens: string[]): BoundedText {
    const text = long();
    for (const token of tokens) text.accept(idOf(token));
    return text;
  }

  it('must end after three tokens in a thought', () => {
    expect(follows(written('a', '\n', '\n'))).toEqual(all);
    const text = written('a', '\n', '\n', '\n');
    expect(text.isLimited).toBe(true);
    expect(follows(text)).toEqual(all.filter((token) => token !== '\n'));
    text.accept(idOf('model_id'));
    expect(follows(text)).toEqual(all);
  });

  it('must end after three tokens in a string, even if one is half an escape sequence', () => {
    const breaks = ['\\n', '\\n', '\\', 'n'];
    expect(follows(written('[', '"', 'a', ...breaks.slice(0, 2)))).toEqual(all);
    expect(follows(written('[', '"', 'a', ...breaks))).toEqual(
      all.filter((token) => token !== '\\' && token !== '\\n'),
    );
    expect(follows(written('[', '"', 'a', '\\n', '\\n', '\\'))).toEqual(all.filter((token) => token !== 'n'));
  });

  it('is not limited if the grammar accepts only blank tokens', () => {
    expect(follows(written('a', '\n', '\n', '\n'), ['\n'])).toEqual(['\n']);
  });

  it('is not limited outside thoughts and strings', () => {
    expect(written('a', '[', '\n', '\n', '\n', '\n').isLimited).toBe(false);
  });
});

it('no token is excluded if there are no bounds', () => {
  const free = new BoundedText([], texts);
  for (let count = 0; count < 5; count++) free.accept(idOf('\n'));
  expect(free.isLimited).toBe(false);
  expect(free.narrow(() => true)).toBeNull();
});

describe('token texts', () => {
  it('are decoded from byte-level, byte-fallback and raw vocabularies', () => {
    const byteLevel = { tokens: ['\u0120word', '\u010a', '"', '\u00c3', '\u0143'], encoding: 'byte_level' } as const;
    expect(tokenTexts(byteLevel)).toEqual([' word', '\n', '"', '\u00c3', '\u00ad']);
    const fallback = { tokens: ['\u2581word', '<0x0A>', '<0xE6>', '"'], encoding: 'byte_fallback' } as const;
    expect(tokenTexts(fallback)).toEqual([' word', '\n', '\u00e6', '"']);
    expect(tokenTexts({ tokens: [' a'], encoding: 'raw' })).toEqual([' a']);
  });
});
