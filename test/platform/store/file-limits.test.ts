import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { FILE_LIMITS, type FileLimits } from '../../../src/platform/store/file-limits';
import { fileLines } from '../../../src/platform/store/files';
import { lineProblem } from '../../../src/platform/store/json-bounds';

const { signal } = new AbortController();

/** @returns the lines until the file ends or is rejected, and the reason for the rejection */
async function linesOf(file: Blob, limits: Partial<FileLimits> = {}) {
  const lines: (string | null)[] = [];
  const opened = fileLines(file, signal, { ...FILE_LIMITS, ...limits });
  try {
    for await (const line of opened.lines) lines.push(line);
    return { lines, why: '', read: opened.read };
  } catch (thrown) {
    return { lines, why: thrown instanceof Error ? thrown.message : '', read: opened.read };
  }
}

const text = (length: number) => new Blob(['a\n', 'x'.repeat(length), '\nb\n']);
const zipped = (...parts: readonly string[]) => new Blob([gzipSync(Buffer.from(parts.join('')))]);

describe('a file', () => {
  it('in UTF-16, as PowerShell writes it, is read like UTF-8', async () => {
    const lines = ['{"question":"Größe 🙂"}', '{}'];
    for (const mark of ['\ufeff', '']) {
      const bytes = Buffer.from(`${mark}${lines.join('\n')}\n`, 'utf16le');
      expect(await linesOf(new Blob([bytes]))).toEqual({ lines, why: '', read: bytes.length });
      expect((await linesOf(new Blob([gzipSync(bytes)]))).lines).toEqual(lines);
    }
  });

  it('is not read at all if it is too large', async () => {
    const { lines, why, read } = await linesOf(text(100), { file: 50 });
    expect([lines, read]).toEqual([[], 0]);
    expect(why).toMatch(/^This file is larger than 0 MB\. It was not read\./);
  });

  it('is rejected once its compression ratio is too high, before a second line is read', async () => {
    const { lines, why } = await linesOf(zipped('a\n', 'x'.repeat(2_000_000)), { ratioFrom: 1000, ratio: 10 });
    expect(lines.length).toBeLessThan(2);
    expect(why).toContain('more than 10 times its size');
  });

  it('is rejected once its decompressed size is too large', async () => {
    expect((await linesOf(zipped('x'.repeat(100_000)), { plain: 50_000 })).why).toContain('unpacks to more than');
  });

  it('is rejected if it has too many lines, even if most of them are empty', async () => {
    const { lines, why } = await linesOf(new Blob(['a\n', '\n'.repeat(20)]), { lines: 10 });
    expect(lines).toHaveLength(10);
    expect(why).toContain('more than 10 lines');
  });

  it('is read completely if it is within the limits, gzipped or not', async () => {
    for (const file of [new Blob(['a\nb\n']), zipped('a\nb\n')]) {
      expect(await linesOf(file)).toMatchObject({ lines: ['a', 'b'], why: '' });
    }
    const repeated = 'a run that repeats its prompt\n'.repeat(40_000);
    expect((await linesOf(zipped(repeated))).lines, 'a small file may compress well').toHaveLength(40_000);
  });
});

describe('lineProblem', () => {
  it.each([
    ['{"a":[1,2,{"b":"[[[[\\"{{{{"}]}'],
    [`{"a":"${'['.repeat(1000)}"}`],
    [`{"a":"${'\\\\'.repeat(1000)}"}`],
    ['"never closed [[['],
    [''],
  ])('finds no problem in %.40s', (line) => expect(lineProblem(line)).toBeNull());

  it.each([
    ['['.repeat(65), 'nested more than 64 levels'],
    [`{"a":"\\\\",${'"b":{'.repeat(70)}`, 'nested more than 64 levels'],
    [`[${'{},'.repeat(2_000_001)}`, '4,000,000 values'],
    [','.repeat(4_000_001), '4,000,000 values'],
  ])('reports the problem of %.20s', (line, why) => expect(lineProblem(line)).toContain(why));
});
