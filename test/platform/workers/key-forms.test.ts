import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KeyForms, KeyRemover } from '../../../src/platform/workers/key-forms';

const KEY = 'sk-proj-aB3dE5fG7hI9_jK1mN-oP4qR6sT8uV0wX2yZ';
const OTHER = 'AIzaSyD4+x/9k=Qw7Er2Ty5Ui8Op1As3';

function remover(key = KEY): KeyRemover {
  const forms = KeyForms.of(key);
  if (!forms) throw new RangeError('The key is too short.');
  return new KeyRemover(forms, '[key]');
}

function clear(text: string, key = KEY, size = text.length): string {
  const removes = remover(key);
  let clean = '';
  for (let from = 0; from < text.length; from += size) clean += removes.push(text.slice(from, from + size));
  return clean + removes.end();
}

const turned = (text: string) => Array.from(text).reverse().join('');
const split = (text: string, by: string) => Array.from(text).join(by);
const hex = (text: string, before = '') =>
  Array.from(text, (each) => before + each.charCodeAt(0).toString(16)).join('');

const FORMS: Readonly<Record<string, (key: string) => string>> = {
  'as it is': (key) => key,
  reversed: turned,
  'in upper case': (key) => key.toUpperCase(),
  'reversed, in lower case': (key) => turned(key).toLowerCase(),
  'split by spaces': (key) => split(key, ' '),
  'split by line breaks': (key) => split(key, '\n'),
  'split by dashes and spaces': (key) => split(key, ' - '),
  'split by zero-width spaces': (key) => split(key, '\u200b'),
  'split by emoji': (key) => split(key, '🔑'),
  'reversed and split': (key) => split(turned(key), ', '),
  'in groups of four': (key) => key.match(/.{1,4}/g)?.join(' ') ?? '',
  'without its signs': (key) => key.replace(/[^A-Za-z0-9]/g, ''),
  'percent-encoded': encodeURIComponent,
  'percent-encoded as a whole': (key) => hex(key, '%'),
  'in hexadecimal': (key) => hex(key).toUpperCase(),
  'in base64': btoa,
  'in base64 for addresses': (key) => btoa(key).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
  'in base64, reversed': (key) => turned(btoa(key)),
  'reversed, in base64': (key) => btoa(turned(key)),
  'in full-width letters': (key) => key.replace(/[!-~]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0)),
};

describe.each([
  ['with dashes', KEY],
  ['with characters that percent-encoding changes', OTHER],
])('a key %s', (_, key) => {
  test.each(Object.entries(FORMS))(
    'is removed from text that contains it %s, even if the text arrives in pieces',
    (_name, form) => {
      const shown = form(key);
      const whole = clear(`Your key is ${shown}; keep it.`, key);
      expect(whole).toMatch(/^Your key is .{0,3}\[key\].{0,4}; keep it\.$/su);
      for (const size of [1, 2, 3, 5, 17]) {
        const pieces = clear(`Your key is ${shown}; keep it.`, key, size);
        const [before = '', after = ''] = pieces.split('[key]');
        expect(before.startsWith('Your key is ') && after.endsWith('; keep it.')).toBe(true);
        // Up to three letters are passed on before the key is recognized. The last letter of base64 may also stay, because it can
        // depend on the text after the key.
        const left = (before.slice('Your key is '.length) + after.slice(0, -'; keep it.'.length)).match(
          /[\p{L}\p{N}]/gu,
        );
        expect(left?.length ?? 0, `pieces of ${size}`).toBeLessThanOrEqual(5);
      }
    },
  );

  test.each([6, 7, 8])('is removed from base64 that encodes a longer text, with the key after %i bytes', (count) => {
    const inside = btoa(`${'Bearer: '.slice(0, count)}${key}, and more`);
    const clean = clear(inside, key);
    expect(clean).toContain('[key]');
    expect(clean.length).toBeLessThan(inside.length - key.length);
  });
});

test('at most three letters of a key remain in the text, wherever the text is split', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: KEY.length - 1 }), { maxLength: 8 }), (cuts) => {
      const removes = remover();
      const places = [0, ...cuts.toSorted((one, other) => one - other), KEY.length];
      const removed = places.slice(1).map((to, index) => removes.push(KEY.slice(places[index], to)));
      const clean = removed.join('') + removes.end();
      expect(clean.replace('[key]', '').replace(/[^A-Za-z0-9]/g, '').length).toBeLessThanOrEqual(3);
      expect(clean).toContain('[key]');
    }),
  );
});

test('a text without the key is unchanged, whatever the size of its pieces', () => {
  const letters = fc.constantFrom(...'sk-proj aB3dE5\n👍ßé世', 'sk-proj-aB3', 'The task', KEY.slice(0, 20));
  const words = fc.array(letters, { maxLength: 60 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 9 }), (text, size) => {
      fc.pre(!text.replace(/[^A-Za-z0-9]/g, '').includes(KEY.slice(0, 43).replace(/[^A-Za-z0-9]/g, '')));
      expect(clear(text, KEY, size)).toBe(text);
    }),
  );
});

test('a key and its reversed form are both removed, and the text between them stays', () => {
  expect(clear(`${KEY} and ${turned(KEY)} and the end`)).toBe('[key] and [key] and the end');
});

test('a key with few letters and digits is not removed, because it could be part of ordinary text', () => {
  for (const key of ['ollama', 'sk-1234', 'not-needed', '', '----------------------'])
    expect(KeyForms.of(key)).toBeNull();
});

test('a text of 1 MB is scanned within the test’s time limit, even if most of it resembles a key', () => {
  const half = KEY.slice(0, 30);
  const texts = [half, `${half} `, 's ', 'sk', '-', KEY].map((part) => part.repeat(Math.ceil(1_000_000 / part.length)));
  const times = texts.map((text) => {
    const start = performance.now();
    const clean = clear(text, KEY, 10);
    expect(clean.length).toBeLessThanOrEqual(text.length);
    return Math.round(performance.now() - start);
  });
  const start = performance.now();
  KeyForms.of(KEY);
  console.log(`1 MB each: ${times.join(', ')} ms; the forms of a key: ${(performance.now() - start).toFixed(1)} ms`);
});
