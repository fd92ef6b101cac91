import { describe, expect, test } from 'vitest';
import { LONGEST_FILE_TEXT } from '../../../src/core/contract';
import { checkFileSize, readBytes } from '../../../src/platform/files/read-bytes';

const bytes = (text: string) => new TextEncoder().encode(text);
const binary = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

describe('reading the text of a file', () => {
  test.each([
    ['notes.txt', 'Text'],
    ['README.md', 'Markdown'],
    ['PEOPLE.CSV', 'CSV'],
    ['a.b.json', 'JSON'],
    ['main.py', 'Python'],
    ['Makefile', 'Text'],
    ['x.constructor', 'Text'],
  ])('names the kind of %s', (name, kind) => {
    expect(readBytes(name, bytes('name,age'))).toEqual({ kind, text: 'name,age' });
  });

  test('detects UTF-16 and Windows-1252, and removes byte order marks', () => {
    const utf16 = binary(`\xff\xfe${[...'Größe'].map((letter) => `${letter}\0`).join('')}`);
    expect(readBytes('a.csv', utf16).text).toBe('Größe');
    expect(readBytes('a.csv', binary('Gr\xf6\xdfe')).text).toBe('Größe');
    expect(readBytes('a.csv', bytes('\ufeffGröße')).text).toBe('Größe');
  });

  test('keeps deeply nested JSON as it is', () => {
    const nested = '['.repeat(1_000_000);
    expect(readBytes('deep.json', bytes(nested)).text).toBe(nested);
  });

  test.each([
    ['a picture with the name of a text', 'notes.txt', binary('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), /This is an image/],
    ['an archive', 'data.csv', binary('\x1f\x8b\x08\0'), /can’t read this kind of file/],
    ['a program', 'tool.txt', binary(`\x7fELF\x02\x01\x01${'\0'.repeat(20)}`), /can’t read this kind of file/],
    ['random bytes', 'a.md', Uint8Array.from({ length: 999 }, (_, at) => (at * 197) % 256), /can’t read this kind/],
    ['an old Word document', 'old.doc', binary('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), /older Office program/],
    ['an empty file', 'empty.txt', bytes(''), /empty/],
    ['spaces', 'blank.txt', bytes(' \n\t '), /no text/],
    ['a text that is too long', 'log.txt', bytes('x'.repeat(LONGEST_FILE_TEXT + 1)), /more than 4 million characters/],
  ])('rejects %s with a sentence', (_, name, content, message) => {
    expect(() => readBytes(name, content)).toThrow(message);
  });

  test('rejects 200 MB before anything is read', () => {
    expect(() => checkFileSize(200 * 2 ** 20)).toThrow(/larger than 50 MB/);
  });
});
