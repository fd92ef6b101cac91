import { describe, expect, it } from 'vitest';
import { TextReader, textOf } from '../../../src/core/contract/text-encoding';

const TEXT = 'question;answer\r\nGröße in m² – 5 €?;“zwölf”\r\n';

/** The bytes that TextDecoder decodes to U+0080 to U+009F in Windows-1252, for the characters of `TEXT`. */
const SPECIAL: Readonly<Record<string, number>> = { '–': 0x96, '€': 0x80, '“': 0x93, '”': 0x94 };

const ENCODERS = {
  'utf-8': (text: string) => Buffer.from(text),
  'utf-16le': (text: string) => Buffer.from(text, 'utf16le'),
  'utf-16be': (text: string) => Buffer.from(text, 'utf16le').swap16(),
  'windows-1252': (text: string) => Buffer.from([...text].map((each) => SPECIAL[each] ?? each.charCodeAt(0))),
};

/** Decodes the bytes in pieces. */
function read(bytes: Uint8Array, size: number, reader = new TextReader()) {
  let text = '';
  for (let at = 0; at < bytes.length; at += size) text += reader.decode(bytes.subarray(at, at + size));
  return { text: text + reader.finish(), encoding: reader.encoding, isDamaged: reader.isDamaged };
}

describe.each(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const)('a text in %s', (encoding) => {
  const marks = encoding === 'windows-1252' ? [''] : ['', '\ufeff'];
  it.each(marks)('is recognized and decoded in pieces of any size (mark: "%s")', (mark) => {
    for (const text of [TEXT, TEXT.repeat(200), `${'plain\n'.repeat(3000)}${TEXT}`]) {
      const bytes = ENCODERS[encoding](mark + text);
      for (const size of [1, 2, 3, 7, 1023, 4096, bytes.length]) {
        expect(read(bytes, size)).toEqual({ text, encoding, isDamaged: false });
      }
    }
  });
});

it('recognizes UTF-16 without a mark if the text is mostly Chinese', () => {
  const text = '问题,答案\n四是四，十是十吗？,是\n'.repeat(20);
  expect(read(ENCODERS['utf-16le'](text), 64)).toMatchObject({ text, encoding: 'utf-16le' });
  expect(read(ENCODERS['utf-16be'](text), 64)).toMatchObject({ text, encoding: 'utf-16be' });
});

it('keeps UTF-8 text with a zero byte', () => {
  const text = `a\0b ${'é'.repeat(600)}`;
  expect(read(Buffer.from(text), 100)).toEqual({ text, encoding: 'utf-8', isDamaged: false });
});

it('keeps reading UTF-8 after a damaged character, and says that it is damaged', () => {
  const bytes = Buffer.concat([Buffer.from('Größe '), Buffer.from([0xff]), Buffer.from(' Größe')]);
  expect(read(bytes, 5)).toEqual({ text: 'Größe \ufffd Größe', encoding: 'utf-8', isDamaged: true });
});

it('reads a text that ends inside a character', () => {
  expect(read(Buffer.from('Größe ü').subarray(0, -1), 4)).toEqual({
    text: 'Größe \ufffd',
    encoding: 'utf-8',
    isDamaged: true,
  });
});

it('uses the encoding that the user gives', () => {
  const bytes = Buffer.from([0xcf, 0xf0, 0xe8]);
  expect(read(bytes, 1, new TextReader('windows-1251')).text).toBe('При');
  expect(read(bytes, 1).text).toBe('Ïðè');
});

it('decodes zeros as UTF-8, because they are no text in UTF-32', () => {
  expect(textOf(new Uint8Array(2))).toBe('\0\0');
  expect(textOf(new Uint8Array(4096))).toBe('\0'.repeat(4096));
});

it('names UTF-32, which it does not decode', () => {
  const bytes = Buffer.concat([...'{"a":1}'].map((each) => Buffer.from([each.charCodeAt(0), 0, 0, 0])));
  for (const text of [bytes, Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), bytes])]) {
    expect(() => textOf(text)).toThrow('This file is in the encoding UTF-32, which Podium doesn’t read.');
  }
});
