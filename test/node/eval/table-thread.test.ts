import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { fault, FaultError, type Clock } from '../../../src/core/contract';
import { createTableFiles } from '../../../src/node/eval/table-files';
import { TableThread } from '../../../src/node/eval/table-thread';
import { systemClock } from '../../../src/platform/clock';
import type { ByteSource } from '../../../src/platform/datasets/byte-source';
import { createTableDesk } from '../../../src/platform/datasets/table-worker/table-desk';
import { tableWorker } from '../../fixtures/table-worker';
import { testFolder } from './plans';

const NEVER: Pick<Clock, 'sleep'> = { sleep: () => new Promise(() => {}) };
/** A clock on which minutes pass quickly. */
const QUICK: Pick<Clock, 'sleep'> = { sleep: (ms, signal) => systemClock.sleep(ms / 100, signal) };

/** A clock whose waits end only when the test calls `pass`, as if minutes passed. */
function manualClock() {
  const waiting = new Set<() => void>();
  return {
    sleep: () => new Promise<void>((resolve) => void waiting.add(resolve)),
    async pass() {
      for (let turn = 0; turn < 20; turn++) {
        for (const resolve of waiting) resolve();
        waiting.clear();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

async function desk(clock: Pick<Clock, 'sleep'>) {
  const script = await tableWorker();
  return createTableDesk({ clock, createWorker: () => new TableThread(script) });
}
const signal = () => new AbortController().signal;
const fixture = (name: string) => fileURLToPath(new URL(`../../fixtures/datasets/${name}`, import.meta.url));

it.each(['endless.parquet', 'endless-rows.parquet'])('ends a decoder that never finishes: %s', async (name) => {
  const reading = (async () => {
    const table = await createTableFiles(await desk(QUICK)).openFile(fixture(name), signal());
    for await (const _ of table.read(signal()));
  })();
  await expect(reading).rejects.toMatchObject({
    fault: {
      code: 'stalled',
      message: `Reading ${name} was stopped, because it made no progress for 15 seconds. The file is probably damaged. Download it again, or save it in another format.`,
    },
  });
});

it('ends a decoder at once when the signal aborts', async () => {
  const controller = new AbortController();
  const openTable = await desk(NEVER);
  let reached = () => {};
  const isReached = new Promise<void>((resolve) => (reached = resolve));
  const source: ByteSource = {
    name: 'set.csv',
    size: 10_000,
    slice: () => new Promise(() => {}),
    stream: () => {
      reached();
      return new ReadableStream();
    },
  };
  const opening = openTable(source, 'csv', { kind: 'file', name: 'set.csv' }, controller.signal);
  await isReached;
  controller.abort();
  await expect(opening).rejects.toMatchObject({ name: 'AbortError' });
});

it('waits for a slow server as long as necessary, and passes its error on', async () => {
  const clock = manualClock();
  const openTable = await desk(clock);
  const source: ByteSource = {
    name: 'set.parquet',
    size: 1000,
    slice: async () => {
      await clock.pass();
      throw new FaultError(fault('rate-limited', 'The hub’s rate limit is reached.', { retryAfter: 1000 }));
    },
    stream: () => new ReadableStream(),
  };
  await expect(openTable(source, 'parquet', { kind: 'file', name: 'set' }, signal())).rejects.toMatchObject({
    fault: { code: 'rate-limited', message: 'The hub’s rate limit is reached.', retryAfter: 1000 },
  });
});

it('does not count the time in which the caller uses the rows', async () => {
  const path = join(await testFolder(), 'set.jsonl');
  await writeFile(path, '{"question":"Why?"}\n'.repeat(20_000));
  const clock = manualClock();
  const table = await createTableFiles(await desk(clock)).openFile(path, signal());
  let rows = 0;
  for await (const part of table.read(signal())) {
    if (rows === 0) await clock.pass();
    rows += part.rows.length;
  }
  expect(rows).toBe(20_000);
});

it('skips a row that is nested too deeply', async () => {
  const path = join(await testFolder(), 'set.jsonl');
  await writeFile(
    path,
    `{"question":"Why?"}\n{"question":${'['.repeat(50_000)}${']'.repeat(50_000)}}\n{"question":"How?"}\n`,
  );
  const table = await createTableFiles(await desk(systemClock)).openFile(path, signal());
  for await (const { rows, problems } of table.read(signal())) {
    expect(rows.map(({ row }) => row)).toEqual([1, 3]);
    expect(problems).toEqual([{ row: 2, message: expect.stringContaining('levels deep') }]);
  }
});

it('reads the encoding that the user gives, and names the detected one', async () => {
  const path = join(await testFolder(), 'set.csv');
  await writeFile(path, Buffer.from('question;answer\r\nGröße?;42\r\n', 'latin1'));
  const files = createTableFiles(await desk(systemClock));
  expect(await files.openFile(path, signal())).toMatchObject({
    encoding: 'windows-1252',
    preview: [{ question: 'Größe?', answer: '42' }],
  });
  const cyrillic = await files.openFile(path, signal(), 'windows-1251');
  expect(cyrillic).toMatchObject({ encoding: 'windows-1251', preview: [{ question: 'GrцЯe?' }] });
  for await (const { rows } of cyrillic.read(signal())) expect(rows[0]?.value).toMatchObject({ question: 'GrцЯe?' });
});
