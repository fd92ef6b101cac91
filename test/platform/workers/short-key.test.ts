import { describe, expect, test } from 'vitest';
import { keyKindOf } from '../../../src/core/contract';
import { keyRemover, redact, withoutSecrets } from '../../../src/platform/workers/provider-words';

function clear(text: string, key: string, size = text.length): string {
  const remover = keyRemover(key);
  if (!remover) return text;
  let clean = '';
  for (let from = 0; from < text.length; from += size) clean += remover.push(text.slice(from, from + size));
  return clean + remover.end();
}

test.each([
  ['ollama', 'placeholder'],
  ['EMPTY', 'placeholder'],
  ['none', 'placeholder'],
  ['sk-no-key-required', 'placeholder'],
  ['lm-studio', 'placeholder'],
  ['not-needed', 'placeholder'],
  ['sk-xxxxxxxxxxxxxxxxxxxxxxxx', 'placeholder'],
  ['x', 'placeholder'],
  ['0000', 'placeholder'],
  ['42', 'placeholder'],
  ['1234', 'number'],
  ['hunter2', 'short'],
  ['banana', 'short'],
  ['sk-0123456789abcdefghij', 'long'],
])('the key %s is judged as %s', (key, kind) => {
  expect(keyKindOf(key)).toBe(kind);
});

describe('a short key', () => {
  test.each([
    ['hunter2', 'Your key is hunter2; keep it.', 'Your key is [key]; keep it.'],
    ['hunter2', 'hunter2hunter2 xhunter2', '[key][key] x[key]'],
    ['a+b/c=d9', 'Sent a%2Bb%2Fc%3Dd9 and a+b/c=d9', 'Sent [key] and [key]'],
    ['banana', 'banana, bananas, “banana”', '[key], bananas, “[key]”'],
    ['banana', 'Zbanana banana', 'Zbanana [key]'],
    ['ab$1(x', 'Is it ab$1(x?', 'Is it [key]?'],
  ])('%s is removed from %j, even if the text arrives in pieces', (key, text, clean) => {
    for (const size of [1, 2, 3, 5, text.length]) expect(clear(text, key, size)).toBe(clean);
  });

  test('is removed from error messages', () => {
    expect(redact('Incorrect key: hunter2.', ['hunter2'])).toBe('Incorrect key: [key].');
    expect(redact('Incorrect key: 12345.', ['12345'])).toBe('Incorrect key: [key].');
  });

  test('holds back no more text than its own length', () => {
    const remover = keyRemover('hunter2');
    expect(remover?.push('They hunt')).toBe('They ');
    expect(remover?.push('ed')).toBe('hunted');
  });
});

test.each(['ollama', 'EMPTY', 'x', 'sk-no-key-required', '1234', '42'])('the key %s changes no answer', (key) => {
  const text = `x = 42 or 1234. Run ollama serve. EMPTY is ${key}, sk-no-key-required.`;
  expect(keyRemover(key)).toBeNull();
  expect(withoutSecrets(text, [key])).toBe(text);
});
