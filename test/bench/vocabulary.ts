/**
 * @file Generates a vocabulary like that of a byte-level BPE model, for benchmarks of grammars. The speed of a grammar depends
 * on the number, lengths and common prefixes of the tokens, not on their meaning. The seed is fixed, so the vocabulary is
 * always the same.
 */
import { seededRandom, type Random } from '../../src/core/contract';

const ONSETS = [
  'b',
  'c',
  'd',
  'f',
  'g',
  'h',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  't',
  'v',
  'w',
  'st',
  'tr',
  'pr',
  'ch',
  'sh',
  'th',
  '',
];
const NUCLEI = ['a', 'e', 'i', 'o', 'u', 'ea', 'ou', 'io', 'ee', 'ai'];
const CODAS = ['', '', 'n', 'r', 's', 't', 'l', 'm', 'd', 'ng', 'st', 'ct', 'rs', 'nt', 'x', 'ck'];
const SIGNS = Array.from('!#$%&()*+,-./:;<=>?@^_`{|}~\'"\\[]');

export interface BenchVocabulary {
  /** The tokens in the order of their ids. As in GPT-2's vocabulary, a printable character stands for each byte. */
  readonly tokens: readonly string[];
  /** Splits a text into token ids. Takes the longest matching token at each position. */
  encode(text: string): number[];
}

/**
 * @param size total number of tokens
 * @param known a text whose words all become tokens
 */
export function benchVocabulary(size: number, known: string): BenchVocabulary {
  const random = seededRandom(1);
  const ids = new Map<string, number>();
  const add = (token: string) => ids.has(token) || ids.set(token, ids.size);
  const characters = byteCharacters();
  const written = (text: string) =>
    Array.from(new TextEncoder().encode(text), (byte) => characters[byte] ?? '').join('');
  for (const character of characters) add(character);
  for (const [word] of known.matchAll(/ ?[A-Za-z]+/g)) add(written(word));
  for (const sign of ['", "', '"]', '[]', ' =', ' [', '_id', '_list', '."', '",']) add(written(sign));
  while (ids.size < size) add(written(piece(random)));
  return {
    tokens: [...ids.keys()],
    encode(text) {
      const whole = written(text);
      const found: number[] = [];
      for (let at = 0; at < whole.length;) {
        let length = Math.min(24, whole.length - at);
        while (length > 1 && !ids.has(whole.slice(at, at + length))) length--;
        found.push(ids.get(whole.slice(at, at + length)) ?? 0);
        at += length;
      }
      return found;
    },
  };
}

/** Returns a random token. Each kind (words, code, punctuation, other scripts) is about as frequent as in Qwen2's vocabulary. */
function piece(random: Random): string {
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? '';
  const count = (most: number) => 1 + Math.floor(random() * most);
  const times = (number: number, make: () => string) => Array.from({ length: number }, make).join('');
  const word = () => times(count(4 * random()), () => pick(ONSETS) + pick(NUCLEI) + pick(CODAS));
  const capital = () => word().replace(/^./, (first) => first.toUpperCase());
  const script = (from: number, to: number, most: number) =>
    times(count(most), () => String.fromCodePoint(from + Math.floor(random() * (to - from))));
  const kinds: [share: number, make: () => string][] = [
    [0.36, () => ` ${word()}`],
    [0.08, () => ` ${capital()}`],
    [0.14, word],
    [0.08, capital],
    [0.02, () => word().toUpperCase()],
    [0.02, () => pick(['.', '_', '(', '/', '-']) + word()],
    [0.04, () => pick(['', ' ']) + times(count(4), () => pick(SIGNS))],
    [0.005, () => times(count(3), () => pick(SIGNS)) + '\n'],
    [0.005, () => ' '.repeat(count(80))],
    [0.003, () => '\n'.repeat(count(4)) + '\t'.repeat(count(6))],
    [0.17, () => script(0x4e00, 0x9fa5, 3)],
    [0.03, () => pick(['', ' ']) + script(0x430, 0x450, 7)],
    [0.02, () => script(0xac00, 0xd7a3, 2)],
    [0.015, () => script(0x5d0, 0x5ea, 5)],
    [0.012, () => script(0x3041, 0x30ff, 5)],
  ];
  let rest = random();
  for (const [share, make] of kinds) if ((rest -= share) < 0) return make();
  return word();
}

function byteCharacters(): string[] {
  const prints = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  let spare = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(prints(byte) ? byte : spare++));
}
