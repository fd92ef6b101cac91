import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CSV_START, csvLine } from '../../../src/core/analysis/exports/csv';
import { PartBuilder } from '../../../src/platform/datasets/parts';
import { openTable } from '../../../src/platform/datasets/open-table';
import { createTableOpener } from '../../../src/platform/datasets/table-opener';
import { systemClock } from '../../../src/platform/clock';
import { fileOf, generatedSource, readAll, signal } from './harness';

const opener = createTableOpener(openTable, systemClock);
const open = (name: string, ...parts: BlobPart[]) => opener.openFile(fileOf(name, ...parts), signal());

const JSONL = '{"q":"one","n":1}\n\n{"q":"two","l":[1]}\r\n{"q":"three"}';

test('reads the columns, a preview and the rows of JSONL', async () => {
  const table = await open('set.jsonl', JSONL);
  expect(table).toMatchObject({ format: 'jsonl', bytes: JSONL.length, rowCount: null });
  expect(table.source).toEqual({ kind: 'file', name: 'set.jsonl' });
  expect(table.columns).toEqual([
    { name: 'q', kind: 'text' },
    { name: 'n', kind: 'number' },
    { name: 'l', kind: 'list' },
  ]);
  expect(table.preview).toEqual([{ q: 'one', n: 1 }, { q: 'two', l: [1] }, { q: 'three' }]);
  const { rows, read } = await readAll(table);
  expect(rows.map(({ row }) => row)).toEqual([1, 2, 3]);
  expect(read).toBe(JSONL.length);
});

test('limits the preview to five rows, and reads all rows', async () => {
  const lines = Array.from({ length: 1000 }, (_, index) => JSON.stringify({ index }));
  const table = await open('set.jsonl', lines.join('\n'));
  expect(table.preview).toHaveLength(5);
  expect((await readAll(table)).values).toHaveLength(1000);
});

test.each([
  ['a list', '[{"q":"one","n":1},\n {"q":"two","l":[1,{"q":"no"}]}, {"q":"three"}]', 'set.json'],
  [
    'a list on several lines, with a byte order mark',
    '\ufeff [\n{\n"q":"one","n":1\n},{"q":"two","l":[1,{"q":"no"}]},{"q":"three"}]\n',
    'set.json',
  ],
  ['JSONL that is called .json', '{"q":"one","n":1}\n{"q":"two","l":[1,{"q":"no"}]}\n{"q":"three"}\n', 'set.json'],
])('reads JSON that is %s', async (_, text, name) => {
  const table = await open(name, text);
  expect(table).toMatchObject({ format: 'json', rowCount: null });
  const { values, rows, problems, read } = await readAll(table);
  expect(values).toEqual([{ q: 'one', n: 1 }, { q: 'two', l: [1, { q: 'no' }] }, { q: 'three' }]);
  expect(rows.map(({ row }) => row)).toEqual([1, 2, 3]);
  expect(problems).toEqual([]);
  expect(read).toBe(new Blob([text]).size);
});

test('reads a gzipped JSON list', async () => {
  const bytes = Uint8Array.from(gzipSync('[{"q":1},{"q":2}]'));
  expect((await readAll(await open('set.json.gz', bytes))).values).toEqual([{ q: 1 }, { q: 2 }]);
});

test('reads only the preview when opening a long JSON list, and later reads the list in parts', async () => {
  const entry = JSON.stringify({ q: 'x'.repeat(1000) });
  const chunk = Uint8Array.from(Buffer.from(`${entry},`.repeat(500)));
  const streams: ReturnType<typeof generatedSource>['state'][] = [];
  const list = {
    ...generatedSource('set.json', chunk, 100).source,
    stream: (stop: AbortSignal) => {
      const { source, state } = generatedSource('set.json', chunk, 100);
      streams.push(state);
      return prefixed('[', source.stream(stop));
    },
  };
  const table = await openTable(list, 'json', { kind: 'file', name: list.name }, signal());
  expect(table.preview).toHaveLength(5);
  for (const { made, cancelled } of streams) {
    expect(made).toBeLessThan(10);
    expect(cancelled).toBe(true);
  }
  let most = 0;
  let count = 0;
  for await (const { rows } of table.read(signal())) {
    most = Math.max(most, rows.length);
    count += rows.length;
  }
  expect(count).toBe(50_000);
  expect(most).toBeLessThan(2000);
});

test.each([
  ['is cut off', '[{"q":1},{"q":2},{"q":', 'The list is incomplete. The file may have been cut off.'],
  ['is damaged', '[{"q":1},{"q":2},}', 'The list is damaged here, so the rest of the file was not read.'],
])('keeps the entries before the point where a JSON list %s', async (_, text, message) => {
  const { values, problems } = await readAll(await open('set.json', text));
  expect(values).toEqual([{ q: 1 }, { q: 2 }]);
  expect(problems).toEqual([{ row: 3, message }]);
});

test('reports entries of a JSON list that are not objects', async () => {
  const { values, problems } = await readAll(await open('set.json', '[{"q":1},[2],"three",{"q":4}]'));
  expect(values).toEqual([{ q: 1 }, { q: 4 }]);
  expect(problems.map(({ row }) => row)).toEqual([2, 3]);
});

test.each([
  ['on one line', '{"canary":"a \\"[{","tags":["x"],"examples":[{"q":1},{"q":2}]}'],
  [
    'on several lines',
    '{\n  "year": 2010,\n  "example": [\n    { "q": 1 },\n    { "q": 2 }\n  ],\n  "others": [{ "q": 3 }]\n}\n',
  ],
])('reads the list of objects inside an object %s', async (_, text) => {
  const { values, problems } = await readAll(await open('set.json', text));
  expect(values).toEqual([{ q: 1 }, { q: 2 }]);
  expect(problems).toEqual([]);
});

test('reads the longest list inside an object', async () => {
  const text = '{"features":[{"name":"q"}],"rows":[{"q":1},{"q":2}],"others":[{"q":3}]}';
  for (const spread of [text, text.replace('{', '{\n')]) {
    expect((await readAll(await open('set.json', spread))).values).toEqual([{ q: 1 }, { q: 2 }]);
  }
});

test.each([
  ['on one line', '{"7":{"q":1},"8":{"q":2,"id":"own"}}'],
  ['on several lines', '{\n  "7": {\n    "q": 1 },\n  "8": { "q": 2, "id": "own" }\n}'],
])('reads objects by their ids %s', async (_, text) => {
  const { values } = await readAll(await open('set.json', text));
  expect(values).toEqual([
    { id: '7', q: 1 },
    { id: 'own', q: 2 },
  ]);
});

test('reads lines that have lists of objects themselves', async () => {
  const { values } = await readAll(await open('set.json', '{"q":1,"options":[{"text":"a"}]}\n{"q":2,"options":[]}\n'));
  expect(values.map(({ q }) => q)).toEqual([1, 2]);
  const nested = await readAll(await open('set.json', '{"a":{"q":1},"b":{"q":2}}\n{"a":{"q":3},"b":{"q":4}}\n'));
  expect(nested.values).toHaveLength(2);
});

test('reads a list with any name, and with a name that it can’t find as a single row', async () => {
  expect((await readAll(await open('set.json', '{"\\u0041 b":[{"q":1}]}'))).values).toEqual([{ q: 1 }]);
  expect((await readAll(await open('set.json', '{"a.b":[{"q":1}]}'))).values).toEqual([{ 'a.b': [{ q: 1 }] }]);
});

test('reads gzipped JSONL and counts its compressed bytes', async () => {
  const bytes = Uint8Array.from(gzipSync(JSONL));
  const { values, read } = await readAll(await open('set.jsonl.gz', bytes));
  expect(values).toHaveLength(3);
  expect(read).toBe(bytes.length);
});

test('reports damaged lines and an incomplete last line of JSONL, and reads the other lines', async () => {
  const { values, problems } = await readAll(await open('set.jsonl', '{"q":1}\n{"q":\n[1]\n{"q":4}\n{"q":"to'));
  expect(values).toEqual([{ q: 1 }, { q: 4 }]);
  expect(problems).toEqual([
    { row: 2, message: 'The line is not JSON.' },
    { row: 3, message: 'The line is JSON, but not an object.' },
    { row: 5, message: 'The last line is incomplete. The file may have been cut off.' },
  ]);
});

test.each([
  ['an unknown ending', 'set.xlsx', 'x', 'not a table that Podium reads'],
  ['no bytes', 'set.jsonl', '', 'is empty'],
  ['no rows', 'set.csv', 'q,a\n', 'It has no rows.'],
  ['a format that differs from its name', 'set.jsonl', 'q,a\n1,2\n', 'Its first row is damaged'],
  ['a gzip name without gzip data', 'set.jsonl.gz', '{"q":1}', 'is cut off or damaged'],
  ['gzip that is cut off', 'set.jsonl.gz', Uint8Array.from(gzipSync(JSONL)).slice(0, 20), 'is cut off or damaged'],
])('rejects a file with %s', async (_, name, content, words) => {
  await expect(open(name, content)).rejects.toThrow(words);
});

test('rejects a file with an implausible compression ratio', async () => {
  const bytes = Uint8Array.from(gzipSync(Buffer.alloc(80 * 1024 * 1024, ' ')));
  await expect(open('set.jsonl.gz', bytes)).rejects.toThrow('implausible compression ratio');
});

test.each([
  ['commas', 'q,a\n"one, ""quoted""\nline",1\ntwo,2\n', 'set.csv'],
  ['semicolons and CRLF', 'q;a\r\n"one, ""quoted""\nline";1\r\ntwo;2', 'set.csv'],
  ['tabs and a byte order mark', '\ufeffq\ta\n"one, ""quoted""\nline"\t1\ntwo\t2\n\n', 'set.tsv'],
])('reads CSV with %s', async (_, text, name) => {
  const { values, problems } = await readAll(await open(name, text));
  expect(values).toEqual([
    { q: 'one, "quoted"\nline', a: '1' },
    { q: 'two', a: '2' },
  ]);
  expect(problems).toEqual([]);
});

test.each(['jsonl', 'jsonl.gz', 'json', 'csv', 'yaml', 'parquet', 'eval'])(
  'says that a .%s file is only a pointer of Git LFS',
  async (ending) => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 446564\n`;
    await expect(open(`set.${ending}`, pointer)).rejects.toMatchObject({
      fault: { code: 'bad-request', message: expect.stringContaining('only a pointer of Git LFS to the file') },
    });
  },
);

test('reports CSV records that are incomplete or have a wrong number of fields', async () => {
  const { values, problems } = await readAll(await open('set.csv', 'q,a\n1,2\n3\n4,5,6\n7,8\n"9,'));
  expect(values).toEqual([
    { q: '1', a: '2' },
    { q: '7', a: '8' },
  ]);
  expect(problems).toEqual([
    { row: 2, message: 'The row has 1 fields, but the header has 2.' },
    { row: 3, message: 'The row has 3 fields, but the header has 2.' },
    { row: 5, message: 'A quote is not closed. The file may have been cut off.' },
  ]);
});

test('numbers CSV columns whose name is missing or repeated', async () => {
  expect((await open('set.csv', 'q,,q\n1,2,3\n')).preview).toEqual([{ q: '1', 'column 2': '2', 'column 3': '3' }]);
});

test.each([
  ['set.tsv', 'Mia has 5 pens and buys 2 cans of 3 pens. How many?\t11\nHow many in all?\t29\n'],
  ['set.csv', '"Mia has 5 pens, and buys 2 cans of 3 pens. How many?",11\r\nHow many in all?,29'],
])('keeps the first task of %s, which has no header', async (name, text) => {
  const { values } = await readAll(await open(name, text));
  expect(values).toEqual([
    { 'column 1': expect.stringMatching(/^Mia/), 'column 2': '11' },
    { 'column 1': 'How many in all?', 'column 2': '29' },
  ]);
});

test.each(['question,1,2,3,4,answer', 'What is the right answer to this question of the survey?,Name'])(
  'reads the header %s',
  async (header) => {
    const row = header.split(',').map(() => 'x');
    expect((await open('set.csv', `${header}\n${row.join(',')}\n`)).columns.map(({ name }) => name)).toEqual(
      expect.arrayContaining(header.split(',')),
    );
  },
);

test('keeps every CSV column if the generated name of an unnamed column is taken', async () => {
  expect((await open('set.csv', 'column 2,\n1,2\n')).preview).toEqual([{ 'column 2': '1', 'column 2 (2)': '2' }]);
  expect((await open('set.csv', ',column 1,column 2\n1,2,3\n')).preview).toEqual([
    { 'column 1 (2)': '1', 'column 1': '2', 'column 2': '3' },
  ]);
  expect((await open('set.csv', ',column 1,column 1 (2)\n1,2,3\n')).preview).toEqual([
    { 'column 1 (3)': '1', 'column 1': '2', 'column 1 (2)': '3' },
  ]);
});

test('reads random CSV fields from chunks of any size', async () => {
  const field = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', '\n', '😀', ' ') }).map((text) => `x${text}`);
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(field, field), { minLength: 1 }),
      fc.integer({ min: 1, max: 9 }),
      async (records, size) => {
        const text = [['q', 'a'], ...records].map((record) => `${record.map(quoted).join(',')}\n`).join('');
        const bytes = new TextEncoder().encode(text);
        const stream = () =>
          new ReadableStream({
            start(controller) {
              for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
              controller.close();
            },
          });
        const slice = (start: number, end: number) => Promise.resolve(bytes.buffer.slice(start, end));
        const source = { name: 'set.csv', size: bytes.length, slice, stream };
        const table = await openTable(source, 'csv', { kind: 'file', name: 'set.csv' }, signal());
        expect((await readAll(table)).values).toEqual(records.map(([q, a]) => ({ q, a })));
      },
    ),
    { numRuns: 50 },
  );
});

test.each(['jsonl', 'csv'] as const)('holds at most a few chunks of a 200 MB %s file in memory', async (format) => {
  const record = format === 'jsonl' ? `${JSON.stringify({ q: 'x'.repeat(1000) })}\n` : `${'x'.repeat(1000)},1\n`;
  const chunk = Uint8Array.from(Buffer.from(record.repeat(65)));
  const { source, state } = generatedSource(`set.${format}`, chunk, Math.ceil((200 * 1024 * 1024) / chunk.length));
  const table = await openTable(source, format, { kind: 'file', name: source.name }, signal());
  // Opening reads only until the preview is complete.
  expect(state.made * chunk.length).toBeLessThan(4 * 1024 * 1024);
  state.made = 0;
  let rows = 0;
  let mostHeld = 0;
  for await (const part of table.read(signal())) {
    rows += part.rows.length;
    mostHeld = Math.max(mostHeld, state.made - rows / 65);
  }
  expect(source.size).toBeGreaterThan(200 * 1024 * 1024);
  expect(rows).toBeGreaterThan(200_000);
  expect(mostHeld).toBeLessThan(10);
});

test('stops reading the file after the preview, and when the signal aborts', async () => {
  const chunk = Uint8Array.from(Buffer.from('{"q":"x"}\n'.repeat(1000)));
  const { source, state } = generatedSource('set.jsonl', chunk, 1000);
  const table = await openTable(source, 'jsonl', { kind: 'file', name: source.name }, signal());
  expect(state.cancelled).toBe(true);
  state.cancelled = false;
  const controller = new AbortController();
  const reading = (async () => {
    for await (const _ of table.read(controller.signal)) controller.abort();
  })();
  await expect(reading).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  expect(state.cancelled).toBe(true);
  expect(state.made).toBeLessThan(100);
});

/** Prepends a text to a stream. */
function prefixed(
  text: string,
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const first = Uint8Array.from(Buffer.from(text));
  return stream.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      start: (controller) => controller.enqueue(first),
    }),
  );
}

describe('a CSV file from Excel', () => {
  const TEXT = 'question;answer\r\nGröße in m²?;42\r\n';
  const utf16 = (text: string) => Uint8Array.from(Buffer.from(`\ufeff${text}`, 'utf16le'));

  test.each([
    ['UTF-8 with a byte order mark', Uint8Array.from(Buffer.from(`\ufeff${TEXT}`)), 'utf-8'],
    ['Windows-1252', Uint8Array.from(Buffer.from(TEXT, 'latin1')), 'windows-1252'],
    ['UTF-16 with tabs (“Unicode text”)', utf16(TEXT.replaceAll(';', '\t')), 'utf-16le'],
    ['UTF-16 in big-endian order', Uint8Array.from(Buffer.from(utf16(TEXT)).swap16()), 'utf-16be'],
    ['UTF-8 that begins with sep=', Uint8Array.from(Buffer.from(`sep=;\r\n${TEXT}`)), 'utf-8'],
    ['UTF-16 that begins with sep=', utf16(`sep=|\r\n${TEXT.replaceAll(';', '|')}`), 'utf-16le'],
  ])('in %s is read with its letters', async (_, bytes, encoding) => {
    const table = await open('set.csv', bytes);
    expect(table).toMatchObject({ encoding, preview: [{ question: 'Größe in m²?', answer: '42' }] });
    expect((await readAll(table)).values).toEqual([{ question: 'Größe in m²?', answer: '42' }]);
    expect((await open('set.csv.gz', Uint8Array.from(gzipSync(bytes)))).preview).toEqual(table.preview);
  });

  test('in Windows-1252 is read correctly if its first umlaut comes after the preview', async () => {
    const bytes = Buffer.from(`q,a\n${'plain,1\n'.repeat(50_000)}Größe,2\n`, 'latin1');
    const { values, problems } = await readAll(await open('set.csv', Uint8Array.from(bytes)));
    expect(values.at(-1)).toEqual({ q: 'Größe', a: '2' });
    expect(problems).toEqual([]);
  });

  test('in damaged UTF-8 loses only the damaged rows, which are reported', async () => {
    const bytes = Buffer.concat([Buffer.from('q,a\nGröße,1\nGr'), Buffer.from([0xf6]), Buffer.from('ße,2\nnext,3\n')]);
    const { values, problems } = await readAll(await open('set.csv', Uint8Array.from(bytes)));
    expect(values).toEqual([
      { q: 'Größe', a: '1' },
      { q: 'next', a: '3' },
    ]);
    expect(problems).toEqual([
      { row: 2, message: 'The row has letters that are not UTF-8. Choose another encoding, or fix the file.' },
    ]);
  });

  test('has the delimiter that occurs most often outside of quotes', async () => {
    const table = await open('set.csv', '"question, in words, please";answer\r\nWhy?;1\r\n');
    expect(table.preview).toEqual([{ 'question, in words, please': 'Why?', answer: '1' }]);
  });

  test('that Podium exported is read back', async () => {
    const table = await open('runs.csv', CSV_START, csvLine(['run_id', 'question']), csvLine(['a', 'Größe?']));
    expect(table.preview).toEqual([{ run_id: 'a', question: 'Größe?' }]);
  });
});

test.each(['jsonl', 'json'])('reads %s in UTF-16', async (format) => {
  const text = format === 'json' ? '[{"q":"Größe"},{"q":"🙂"}]' : '{"q":"Größe"}\r\n{"q":"🙂"}\r\n';
  for (const mark of ['\ufeff', '']) {
    const table = await open(`set.${format}`, Uint8Array.from(Buffer.from(mark + text, 'utf16le')));
    expect((await readAll(table)).values).toEqual([{ q: 'Größe' }, { q: '🙂' }]);
    expect(table.encoding).toBe('utf-16le');
  }
});

test('refuses a table with too many rows or too much text', () => {
  const few = new PartBuilder(undefined, { rows: 2, text: 100 * 1024 ** 3 });
  few.add({ q: 'one' }, 3);
  few.skip('The line is not JSON.');
  expect(() => few.add({ q: 'two' }, 3)).toThrow('This table has more than 2 rows.');
  const short = new PartBuilder(undefined, { rows: 10, text: 1024 ** 3 });
  expect(() => short.add({ q: 'one' }, 2 * 1024 ** 3)).toThrow('This table has more than 1 GB of text.');
});
