import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { LONGEST_FILE_TEXT } from '../../../src/core/contract';
import { japanesePdf, pdfFile, wordFile, zipFile } from '../../fixtures/documents';
import { checkFileSize, readBytes } from '../../../src/platform/documents/read-bytes';

const bytes = (text: string) => new TextEncoder().encode(text);
const textOf = async (name: string, content: Uint8Array<ArrayBuffer>) => (await readBytes(name, content)).text;
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
  ])('names the kind of %s', async (name, kind) => {
    expect(await readBytes(name, bytes('name,age'))).toEqual({ kind, text: 'name,age' });
  });

  test('detects UTF-16 and Windows-1252, and removes byte order marks', async () => {
    const utf16 = binary(`\xff\xfe${[...'Größe'].map((letter) => `${letter}\0`).join('')}`);
    expect(await textOf('a.csv', utf16)).toBe('Größe');
    expect(await textOf('a.csv', binary('Gr\xf6\xdfe'))).toBe('Größe');
    expect(await textOf('a.csv', bytes('\ufeffGröße'))).toBe('Größe');
  });

  test('keeps deeply nested JSON as it is', async () => {
    const nested = '['.repeat(1_000_000);
    expect(await textOf('deep.json', bytes(nested))).toBe(nested);
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
  ])('rejects %s with a sentence', async (_, name, content, message) => {
    await expect(readBytes(name, content)).rejects.toThrow(message);
  });

  test('rejects 200 MB before anything is read', () => {
    expect(() => checkFileSize(200 * 2 ** 20)).toThrow(/larger than 50 MB/);
  });
});

describe('reading a PDF', () => {
  test('returns its text page by page, whatever its name', async () => {
    const pdf = pdfFile([['Hello', 'world'], [], ['The end']]);
    expect(await readBytes('report.txt', pdf)).toEqual({
      kind: 'PDF',
      text: '[Page 1]\nHello\nworld\n\f[Page 2]\n(no text)\n\f[Page 3]\nThe end\n',
    });
  });

  test('reads Japanese in a font that is not embedded', async () => {
    expect(await textOf('japan.pdf', japanesePdf())).toBe('[Page 1]\n日本\n');
  });

  test('runs no script', async () => {
    const pdf = pdfFile(
      [['Hello']],
      '/OpenAction << /S /JavaScript /JS (globalThis.hacked = true; app.alert\\(1\\)) >>',
    );
    expect(await textOf('script.pdf', pdf)).toBe('[Page 1]\nHello\n');
    expect(globalThis).not.toHaveProperty('hacked');
  });

  test.each([
    ['a scan', pdfFile([[], []]), /no text. It is probably a scan/],
    ['a damaged file', binary(`%PDF-1.7\n${'x'.repeat(500)}`), /damaged/],
    ['a password', pdfFile([['Hello']]), /password/],
  ])('explains %s', async (what, pdf, message) => {
    const text = new TextDecoder('latin1').decode(pdf);
    const locked =
      '/Root 1 0 R /ID [(1234567890123456) (1234567890123456)] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O (12345678901234567890123456789012) /U (12345678901234567890123456789012) >>';
    const content = what === 'a password' ? binary(text.replace('/Root 1 0 R', locked)) : pdf;
    await expect(readBytes('x.pdf', content)).rejects.toThrow(message);
  });
});

describe('reading a Word document', () => {
  test('returns its paragraphs', async () => {
    expect(await readBytes('letter.docx', wordFile(['Dear Ada,', 'Fish &amp; chips.']))).toEqual({
      kind: 'Word',
      text: 'Dear Ada,\n\nFish & chips.',
    });
  });

  test('counts what a bomb decompresses to, although its list states a small size', async () => {
    const deflated = deflateRawSync(Buffer.alloc(200 * 2 ** 20, ' '));
    expect(deflated.length).toBeLessThan(2 ** 20);
    const bomb = wordFile([], { text: '<w:document/>', deflated });
    await expect(readBytes('bomb.docx', bomb)).rejects.toThrow('too large after decompression');
  });

  test.each([
    ['spreadsheets', zipFile([{ name: 'xl/workbook.xml', text: '' }]), /Save it as CSV/],
    ['slides', zipFile([{ name: 'ppt/presentation.xml', text: '' }]), /Save them as PDF/],
    ['other archives', zipFile([{ name: 'a.txt', text: 'a' }]), /can’t read this kind of file/],
    ['cut archives', wordFile(['Hello']).slice(0, 300), /damaged/],
    ['documents without a body', wordFile([], { text: 'no XML' }), /damaged|no text/],
  ])('explains %s', async (_, content, message) => {
    await expect(readBytes('x.docx', content)).rejects.toThrow(message);
  });
});
