import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fault,
  FaultError,
  foldEvents,
  sha256Hex,
  type ImportProgress,
  type LineProblem,
  type PromptMessage,
  type RunEvent,
  type StoredEvent,
} from '../../../src/core/contract';
import { withoutMarks as trimMarks } from '../../../src/platform/store/compare-runs';
import { fileLines, gzip, streamLines } from '../../../src/platform/store/files';
import { readLines } from '../../../src/platform/read-lines';
import { createRunStore, type IndexedRunStore } from '../../../src/platform/store/run-store';
import { exportRuns, importRuns } from '../../../src/platform/store/transfer';
import { MemoryLocks } from '../../fixtures/memory-locks';
import { endedRun } from '../../fixtures/run-arbitrary';
import { finishedRunBodies, runStarted, stampEvents } from '../../fixtures/run-events';
import { testDatabase } from './harness';
import { isMarked } from '../../fixtures/only-marked';

const signal = new AbortController().signal;
const freshStore = () => createRunStore(testDatabase());
const finishedRun = (runId: string, at?: number) => stampEvents(finishedRunBodies(), at ? { runId, at } : { runId });
const lineOf = (events: readonly unknown[]) => JSON.stringify({ format: 'podium-run', version: 1, events });

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const NOW = 1_770_000_000_000;
const clock = { now: () => NOW };
const locks = new MemoryLocks().tab();

async function* listed<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}

async function importAll(lines: Iterable<string | null>, store: Pick<IndexedRunStore, 'addRuns'>, own = locks) {
  const file = { lines: listed(lines), read: 0, of: 0 };
  const reports: ImportProgress[] = await collect(importRuns(file, { store, locks: own, clock }, signal));
  const problems: LineProblem[] = reports.flatMap((report) => report.problems);
  const last = reports.at(-1);
  return { ...last?.runs, lines: last?.lines, problems, reports };
}

function markAfter(events: readonly StoredEvent[], type: 'run-imported' | 'run-interrupted', at: number): RunEvent {
  const { runId = '', seq = 0, segment = 0, elapsed = 0 } = events.at(-1) ?? {};
  return { type, runId, seq: seq + 1, at, segment, elapsed };
}

/** Removes the mark that an import appends to a run. */
const withoutMark = (events: readonly { type: string }[]) => events.filter(({ type }) => type !== 'run-imported');

describe('a transfer of runs', () => {
  it('copies runs unchanged, except for marking the runs and their grades as imported', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(endedRun(), { minLength: 1, maxLength: 4 }), async (runs) => {
        const named = runs.map((run, index): RunEvent[] => run.map((event) => ({ ...event, runId: `run-${index}` })));
        const from = freshStore();
        await from.addRuns(named);
        const lines = await collect(exportRuns(from, null, { signal, isConfidential: isMarked }));
        expect(lines).toHaveLength(named.length);
        const into = freshStore();
        const { added, problems } = await importAll(lines, into);
        expect({ added, problems }).toEqual({ added: named.length, problems: [] });
        for (const run of named) {
          const id = run[0]?.runId ?? '';
          const imported = await into.read(id);
          expect(withoutMark(imported)).toEqual(await from.read(id));
          const before = foldEvents(run);
          const grade = before?.grade ? { ...before.grade, imported: true } : null;
          const lastSeq = (before?.lastSeq ?? 0) + 1;
          expect(foldEvents(imported)).toEqual({ ...before, grade, importedAt: NOW, lastSeq });
          const marks = { imported: true, ...(grade ? { gradeImported: true } : {}), lastSeq };
          expect(await into.summary(id)).toEqual({ ...(await from.summary(id)), ...marks });
        }
      }),
      { numRuns: 10 },
    );
  });

  it('exports all runs newest first, or the requested runs in the requested order without unknown ids', async () => {
    const store = freshStore();
    await store.addRuns(Array.from({ length: 120 }, (_, index) => finishedRun(`run-${index}`, index * 1000 + 1)));
    const idOf = (line: string) => /"runId":"([^"]*)"/.exec(line)?.[1];
    const all = (await collect(exportRuns(store, null, { signal, isConfidential: isMarked }))).map(idOf);
    expect(all).toEqual(Array.from({ length: 120 }, (_, index) => `run-${119 - index}`));
    const some = await collect(exportRuns(store, ['run-7', 'nobody', 'run-3'], { signal, isConfidential: isMarked }));
    expect(some.map(idOf)).toEqual(['run-7', 'run-3']);
    expect(some.every((line) => line.endsWith('}\n') && line.indexOf('\n') === line.length - 1)).toBe(true);
  });

  it('leaves out unreadable runs and reports them', async () => {
    const store = freshStore();
    await store.addRuns([finishedRun('run-1'), stampEvents([runStarted({ schema: 99 })], { runId: 'run-2' })]);
    const leftOut: string[] = [];
    const lines = await collect(
      exportRuns(store, ['run-2', 'run-1'], {
        signal,
        isConfidential: isMarked,
        leftOut: (message) => leftOut.push(message),
      }),
    );
    expect(lines).toHaveLength(1);
    expect(leftOut).toEqual([expect.stringMatching(/^The run run-2 is left out\. .*newer version/)]);
  });

  it('rejects with an AbortError when aborted', async () => {
    const store = freshStore();
    await store.addRuns([finishedRun('run-1')]);
    const stopped = AbortSignal.abort();
    await expect(collect(exportRuns(store, null, { signal: stopped, isConfidential: isMarked }))).rejects.toMatchObject(
      { name: 'AbortError' },
    );
    const file = { lines: listed([lineOf(finishedRun('run-2'))]), read: 0, of: 0 };
    const imported = collect(importRuns(file, { store, locks, clock }, stopped));
    await expect(imported).rejects.toMatchObject({ name: 'AbortError' });
    expect(await store.count()).toBe(1);
  });
});

describe('import', () => {
  const good = (id: string) => lineOf(finishedRun(id));
  const changed = (change: (events: RunEvent[]) => unknown[]) => lineOf(change(finishedRun('bad')));
  const prompt: PromptMessage[] = [
    { role: 'system', parts: [{ kind: 'blob', hash: sha256Hex('true'), text: 'false' }] },
  ];

  it.each([
    ['half a line', good('bad').slice(0, -20), 'not valid JSON'],
    ['another file', '{"name":"podium"}', 'not a run that Podium exported'],
    ['a list', '[1,2]', 'not a run that Podium exported'],
    ['a null value', 'null', 'not a run that Podium exported'],
    ['a later format', JSON.stringify({ format: 'podium-run', version: 2, events: [] }), 'newer version'],
    ['a later schema', lineOf(stampEvents([runStarted({ schema: 99 })])), 'newer version'],
    ['no events', lineOf([]), 'first event is missing'],
    ['no beginning', changed((events) => events.slice(1)), 'first event is missing'],
    ['a broken event', changed((events) => events.with(3, { ...events[3], seq: 'three' } as never)), 'Event 4'],
    ['two runs in one', changed((events) => [...events, { ...finishedRun('x')[0], seq: 99 }]), 'events of other runs'],
    ['a repeated sequence number', changed((events) => [...events, events.at(-1)]), 'same number'],
    [
      'a text under another text’s hash',
      changed((events) =>
        events.map((event) => (event.type === 'plan-started' ? { ...event, messages: prompt } : event)),
      ),
      'does not match its SHA-256',
    ],
    ['a line that is too long', null, 'too long'],
  ])('skips %s, reports why, and imports the other lines', async (_what, bad, why) => {
    const store = freshStore();
    const { added, lines, problems } = await importAll([good('run-1'), bad, '', good('run-2')], store);
    expect({ added, lines }).toEqual({ added: 2, lines: 4 });
    expect(problems).toEqual([{ line: 2, message: expect.stringContaining(why) }]);
    expect(await store.count()).toBe(2);
    expect(await store.read('bad')).toEqual([]);
  });

  it('skips runs that are already stored', async () => {
    const store = freshStore();
    await store.addRuns([finishedRun('run-1')]);
    const { added, present } = await importAll([good('run-1'), good('run-2'), good('run-2')], store);
    expect({ added, present }).toEqual({ added: 1, present: 2 });
    expect(
      (await store.summary('run-1'))?.imported,
      'the run that was already stored is not marked as imported',
    ).toBeUndefined();
    expect(
      (await importAll([good('run-2')], store)).present,
      'a run that has been marked as imported still equals the file’s copy',
    ).toBe(1);
  });

  it('extends a run when the file’s copy is longer, and does not shorten it when the file’s copy is shorter', async () => {
    const store = freshStore();
    const whole = finishedRun('run-1');
    const short = whole.slice(0, 13);
    await store.addRuns([short]);
    expect((await importAll([lineOf(whole)], store)).updated).toBe(1);
    expect(withoutMark(await store.read('run-1')).map(({ type }) => type)).toEqual(whole.map(({ type }) => type));
    expect(await store.summary('run-1')).toMatchObject({ status: 'finished', imported: true });
    expect((await importAll([lineOf(short)], store)).present).toBe(1);
    expect((await store.summary('run-1'))?.status).toBe('finished');
    expect([await store.count(), (await store.summaries({ limit: 9 })).summaries.length]).toEqual([1, 1]);
  });

  it('merges partial copies and a complete copy of a run, in any order, into the complete run', async () => {
    const copies = fc.array(fc.record({ cut: fc.nat(), marked: fc.boolean() }), { maxLength: 4 });
    const body = async (run: RunEvent[], before: { cut: number; marked: boolean }[], after: typeof before) => {
      const store = freshStore();
      const importFrom = async ({ cut, marked }: { cut: number; marked: boolean }) => {
        const events: StoredEvent[] = run.slice(0, 1 + (cut % run.length));
        // A browser that had imported the run would export this mark.
        if (marked) events.push(markAfter(events, 'run-imported', NOW - 5));
        const { problems } = await importAll([lineOf(events)], store);
        expect(problems).toEqual([]);
        // Between imports, a tab may mark an unfinished run as interrupted.
        if ((await store.summary('run-1'))?.status === 'running') {
          await store.append(markAfter(await store.read('run-1'), 'run-interrupted', NOW + 5));
        }
      };
      for (const copy of before) await importFrom(copy);
      await importFrom({ cut: run.length - 1, marked: false });
      for (const copy of after) await importFrom(copy);
      expect([await store.count(), (await store.summaries({ limit: 9 })).summaries.length]).toEqual([1, 1]);
      const once = freshStore();
      await once.addRuns([run]);
      expect(trimMarks(await store.read('run-1'))).toEqual(trimMarks(await once.read('run-1')));
    };
    await fc.assert(fc.asyncProperty(endedRun(), copies, copies, body), { numRuns: 15 });
  });

  it('stores a copy with other events separately from the stored run, and only once', async () => {
    const store = freshStore();
    const here = finishedRun('run-1');
    const there = here.map((event) => (event.type === 'run-started' ? { ...event, seed: 99 } : event));
    await store.addRuns([here]);
    expect((await importAll([lineOf(there)], store)).copied).toBe(1);
    expect((await importAll([lineOf(there)], store)).present).toBe(1);
    const { summaries } = await store.summaries({ limit: 9 });
    expect([summaries.length, await store.count()]).toEqual([2, 2]);
    const copy = summaries.find(({ id }) => id !== 'run-1')?.id ?? '';
    expect(copy).toMatch(/^run-1~[0-9a-f]{8}$/);
    expect(foldEvents(await store.read(copy))).toMatchObject({ seed: 99, answer: 'the answer', importedAt: NOW });
    expect(foldEvents(await store.read('run-1'))).toMatchObject({ seed: 1, importedAt: null });
  });

  it('skips a run while it is in progress in a tab, and can import it afterwards', async () => {
    const space = new MemoryLocks();
    const store = freshStore();
    const whole = finishedRun('run-1');
    await store.addRuns([whole.slice(0, 13)]);
    const release = await space.tab().acquire('run:run-1');
    const { busy, added } = await importAll([lineOf(whole), good('run-2')], store, space.tab());
    expect({ busy, added }).toEqual({ busy: 1, added: 1 });
    expect((await store.summary('run-1'))?.status).toBe('running');
    release?.();
    expect((await importAll([lineOf(whole)], store, space.tab())).updated).toBe(1);
    expect(space.isHeld('run:run-1')).toBe(false);
  });

  it('also imports the runs of a backup', async () => {
    const store = freshStore();
    const backup = [
      JSON.stringify({ format: 'podium-backup', version: 1 }),
      JSON.stringify({ section: 'workers', value: { id: 'w' } }),
      `{"section":"runs","value":${good('run-1')}}`,
      JSON.stringify({ section: 'runs', end: { lines: 1, sha256: '' } }),
    ];
    const { added, problems } = await importAll(backup, store);
    expect({ added, problems }).toEqual({ added: 1, problems: [] });
  });

  it('sorts events by sequence number, and accepts gaps between the numbers and unknown event types', async () => {
    const store = freshStore();
    const events = finishedRun('run-1').filter(({ seq }) => seq !== 4);
    const strange = { ...finishedRun('run-1')[0], type: 'worker-praised', seq: 99, stars: 5 };
    expect((await importAll([lineOf([...events, strange].toReversed())], store)).added).toBe(1);
    const stored = await store.read('run-1');
    expect(stored.map(({ seq }) => seq)).toEqual([...events.map(({ seq }) => seq), 99, 100]);
    expect(stored.at(-2)).toEqual(strange);
  });

  it('writes at most 50 runs at a time, and reports at most 500 problems at a time', async () => {
    const store = freshStore();
    const pages: number[] = [];
    const watched: Pick<IndexedRunStore, 'addRuns'> = {
      addRuns: (runs) => {
        pages.push(runs.length);
        return store.addRuns(runs);
      },
    };
    const lines = Array.from({ length: 130 }, (_, index) => good(`run-${index}`));
    const { reports } = await importAll(lines, watched);
    expect(pages).toEqual([50, 50, 30]);
    expect(reports.map(({ runs }) => runs.added)).toEqual([50, 100, 130]);
    const junk = await importAll(Array<string>(1200).fill('junk'), watched);
    expect(junk.reports.map(({ problems }) => problems.length)).toEqual([500, 500, 200]);
  });

  it('stores the other runs when one run cannot be stored, and reports the line of that run', async () => {
    const store = freshStore();
    const watched: Pick<IndexedRunStore, 'addRuns'> = {
      addRuns: (runs, options) =>
        runs.some(([first]) => first?.runId === 'run-2')
          ? Promise.reject(new FaultError(fault('storage-failed', 'A value could not be cloned.')))
          : store.addRuns(runs, options),
    };
    const { added, problems } = await importAll(['run-1', 'run-2', 'run-3'].map(good), watched);
    expect({ added, problems }).toEqual({
      added: 2,
      problems: [{ line: 2, message: expect.stringContaining('Couldn’t store') }],
    });
    expect(await store.count()).toBe(2);
  });

  it('fails with the storage error when no run can be stored', async () => {
    const full = new FaultError(fault('storage-full', 'Full.'));
    const failed = new FaultError(fault('storage-failed', 'Gone.'));
    for (const why of [full, failed]) {
      const watched = { addRuns: () => Promise.reject(why) };
      await expect(importAll(['run-1', 'run-2'].map(good), watched)).rejects.toBe(why);
    }
  });

  it('imports the other runs when one is nested too deeply', async () => {
    const store = freshStore();
    const deep = good('bad').replace('"schema":1', `"schema":1,"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    const { added, problems } = await importAll([good('run-1'), deep, good('run-2')], store);
    expect({ added, problems }).toEqual({
      added: 2,
      problems: [{ line: 2, message: expect.stringContaining('nested') }],
    });
  });

  it.each([
    ['steps', { type: 'plan-step-known', round: 0, index: 0, step: { worker: 0, subtask: 's', access: [] } }, 10_001],
    ['pieces of text', { type: 'plan-delta', round: 0, channel: 'content', text: '' }, 100_001],
  ])('skips a run with more %s than Podium writes', async (_what, body, count) => {
    const events = finishedRun('many');
    const more = Array.from({ length: count }, (_, index) => ({ ...events[1], ...body, seq: events.length + index }));
    const { added, problems } = await importAll([lineOf([...events, ...more]), good('run-1')], freshStore());
    expect({ added, problems }).toEqual({
      added: 1,
      problems: [{ line: 1, message: expect.stringContaining('more than') }],
    });
  });

  it('finishes the current write and counts its runs when cancelled during the write', async () => {
    const store = freshStore();
    const controller = new AbortController();
    const watched: Pick<IndexedRunStore, 'addRuns'> = {
      addRuns: (runs) => {
        controller.abort();
        return store.addRuns(runs);
      },
    };
    const lines = Array.from({ length: 120 }, (_, index) => good(`run-${index}`));
    const reports: ImportProgress[] = [];
    const importing = (async () => {
      const file = { lines: listed(lines), read: 0, of: 0 };
      for await (const report of importRuns(file, { store: watched, locks, clock }, controller.signal)) {
        reports.push(report);
      }
    })();
    await expect(importing).rejects.toMatchObject({ name: 'AbortError' });
    expect(reports.map(({ runs }) => runs.added)).toEqual([50]);
    expect(await store.count()).toBe(50);
  });

  it('reports its progress once for an empty file', async () => {
    const [report, ...more] = (await importAll([], freshStore())).reports;
    expect(more).toEqual([]);
    expect(report).toMatchObject({ lines: 0, runs: { added: 0, present: 0 }, problems: [] });
  });

  it('rejects with an unexpected error of the store', async () => {
    const failing = { addRuns: () => Promise.reject(new Error('full')) };
    await expect(importAll([good('run-1')], failing)).rejects.toThrow('full');
  });
});

describe('files', () => {
  const blobOf = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => new Response(stream).blob();
  const lines = Array.from({ length: 300 }, (_, index) => lineAt(index));
  function lineAt(index: number) {
    return `${JSON.stringify({ line: index, text: 'é漢😀'.repeat(index) })}\n`;
  }

  it('are read line by line, gzipped or not, with progress', async () => {
    for (const compress of [true, false]) {
      const stream = streamLines(listed(lines));
      const file = await blobOf(compress ? gzip(stream) : stream);
      const read = fileLines(file, signal);
      expect(read.read).toBe(0);
      expect(await collect(read.lines)).toEqual(lines.map((line) => line.slice(0, -1)));
      expect([read.read, read.of]).toEqual([file.size, file.size]);
    }
  });

  it('yield only complete lines and then reject, if they are gzipped and truncated', async () => {
    const file = await blobOf(gzip(streamLines(listed(lines))));
    const received: (string | null)[] = [];
    const reading = (async () => {
      for await (const line of fileLines(file.slice(0, file.size / 2), signal).lines) received.push(line);
    })();
    await expect(reading).rejects.toMatchObject({ name: 'BrokenFile' });
    expect(received).toEqual(lines.slice(0, received.length).map((line) => line.slice(0, -1)));
  });

  it('stop generating their lines when their stream is cancelled', async () => {
    let ended = false;
    const stream = streamLines(
      (async function* () {
        try {
          for (;;) yield 'x'.repeat(40_000);
        } finally {
          ended = true;
        }
      })(),
    );
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel();
    expect(ended).toBe(true);
  });

  it('reject with an AbortError when the signal aborts during reading', async () => {
    const controller = new AbortController();
    const reading = fileLines(new Blob(lines), controller.signal).lines;
    const first = reading[Symbol.asyncIterator]();
    await first.next();
    controller.abort();
    await expect(first.next()).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('readLines', () => {
  const streamOf = (bytes: Uint8Array, size: number) => {
    const state = { cancelled: false };
    let at = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        controller.enqueue(bytes.slice(at, at + size));
        at += size;
      },
      cancel() {
        state.cancelled = true;
      },
    });
    return { stream, state };
  };
  const encode = (text: string) => new TextEncoder().encode(text);

  it('splits any text into lines, wherever the chunks end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', ' ') })),
        fc.integer({ min: 1, max: 9 }),
        async (lines, size) => {
          const { stream } = streamOf(encode(lines.map((line) => `${line}\n`).join('')), size);
          expect(await collect(readLines(stream, 1000))).toEqual(lines);
        },
      ),
    );
  });

  it('accepts a last line without a line break, and adds no empty line after a final line break', async () => {
    expect(await collect(readLines(streamOf(encode('a\nb'), 1).stream, 1000))).toEqual(['a', 'b']);
    expect(await collect(readLines(streamOf(encode('a\n'), 1).stream, 1000))).toEqual(['a']);
  });

  it('yields null for each line that is too long', async () => {
    const text = `ok\n${'x'.repeat(50)}\nok\n${'y'.repeat(11)}`;
    for (const size of [3, 100]) {
      expect(await collect(readLines(streamOf(encode(text), size).stream, 10))).toEqual(['ok', null, 'ok', null]);
    }
  });

  it('cancels the stream if the reader stops early', async () => {
    // The first bytes are collected to detect the encoding.
    const { stream, state } = streamOf(encode(`a\n${'b\n'.repeat(4096)}`), 1024);
    for await (const line of readLines(stream, 1000)) if (line === 'a') break;
    expect(state.cancelled).toBe(true);
  });
});
