import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shrinkDeltas, summarize, foldEvents, type RunEvent } from '../../../src/core/contract';
import { openRunFiles } from '../../../src/node/store/run-files';
import { runsOfEvents } from '../simulated-runs';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podium-runs-'));
  path = join(folder, 'runs.jsonl');
});
const reported: string[] = [];
const report = (sentence: string) => void reported.push(sentence);
afterEach(() => reported.splice(0));
afterEach(() => rm(folder, { recursive: true, force: true }));

async function append(events: readonly RunEvent[]): Promise<void> {
  const store = await openRunFiles(path, report);
  await Promise.all(events.map((event) => store.append(event)));
  await store.close();
}

describe('a file of runs', () => {
  test('returns the same runs after it is reopened', async () => {
    const [one = [], other = []] = await runsOfEvents(2);
    await append([...one, ...other]);
    const store = await openRunFiles(path, report);
    for (const events of [one, other]) {
      const id = events[0]?.runId ?? '';
      expect(await store.read(id)).toEqual(shrinkDeltas(events));
      const run = foldEvents(events);
      expect(await store.summary(id)).toEqual(run && summarize(run));
    }
    expect(await store.count()).toBe(2);
    await store.close();
  });

  test('lists the summaries of its runs page by page, newest first', async () => {
    const runs = await runsOfEvents(5);
    await append(runs.flat());
    const store = await openRunFiles(path, report);
    const first = await store.summaries({ limit: 3 });
    const rest = await store.summaries({ limit: 3, after: first.next });
    const all = [...first.summaries, ...rest.summaries];
    expect(rest.next).toBeNull();
    expect(new Set(all.map(({ id }) => id))).toEqual(new Set(runs.map(([event]) => event?.runId)));
    expect(all.map(({ startedAt }) => startedAt)).toEqual(
      all.map(({ startedAt }) => startedAt).toSorted((a, b) => b - a),
    );
    await store.close();
  });

  test('updates its list of runs when a run is added, extended or deleted', async () => {
    const [one = [], other = []] = await runsOfEvents(2);
    const store = await openRunFiles(path, report);
    const listed = async () => (await store.summaries({ limit: 10 })).summaries.map(({ id, status }) => [id, status]);
    const [id, otherId] = [one[0]?.runId ?? '', other[0]?.runId ?? ''];
    await store.addRuns([one.slice(0, -1)]);
    expect(await listed()).toEqual([[id, 'running']]);
    await store.addRuns([one]);
    expect(await listed()).toEqual([[id, 'finished']]);
    await store.addRuns([other]);
    expect(await listed()).toHaveLength(2);
    await store.delete(id);
    expect(await listed()).toEqual([[otherId, 'finished']]);
    await store.close();
  });

  test('counts a run as unfinished until its last event is stored', async () => {
    const [events = []] = await runsOfEvents(1);
    await append(events.slice(0, -1));
    const store = await openRunFiles(path, report);
    expect((await store.unfinished()).map(({ id }) => id)).toEqual([events[0]?.runId]);
    const last = events.at(-1);
    if (last) await store.append(last);
    expect(await store.unfinished()).toEqual([]);
    await store.close();
  });

  test('includes a grade in the summary of a run even if the grade follows the end of the run', async () => {
    const [events = []] = await runsOfEvents(1);
    const store = await openRunFiles(path, report);
    await store.addRuns([events]);
    const last = events.at(-1);
    if (!last) throw new Error('The run has no events.');
    const { runId, at, segment, elapsed, seq } = last;
    const graded = {
      runId,
      at,
      segment,
      elapsed,
      seq: seq + 1,
      type: 'run-graded',
      correct: false,
      by: 'person',
      detail: '',
    };
    await store.append(graded as RunEvent);
    expect((await store.summary(runId))?.correct).toBe(false);
    await store.close();
  });

  test('adds only the new events of a run that is already stored', async () => {
    const [events = []] = await runsOfEvents(1);
    const store = await openRunFiles(path, report);
    await store.addRuns([events.slice(0, 4)]);
    await store.addRuns([events]);
    await store.addRuns([events]);
    expect(await store.read(events[0]?.runId ?? '')).toEqual(shrinkDeltas(events));
    await store.close();
    expect((await readFile(path, 'utf8')).trim().split('\n')).toHaveLength(2);
  });

  test('does not contain a deleted run after it is reopened', async () => {
    const [one = [], other = []] = await runsOfEvents(2);
    await append([...one, ...other]);
    const store = await openRunFiles(path, report);
    await store.delete(one[0]?.runId ?? '');
    await store.close();
    const again = await openRunFiles(path, report);
    expect(await again.count()).toBe(1);
    expect(await again.read(one[0]?.runId ?? '')).toEqual([]);
    await again.close();
  });

  test('loses only the line that a crash left incomplete', async () => {
    const [events = []] = await runsOfEvents(1);
    await append(events.slice(0, 3));
    await appendFile(path, JSON.stringify({ events: events.slice(3) }).slice(0, -10));
    const store = await openRunFiles(path, report);
    expect(await store.read(events[0]?.runId ?? '')).toEqual(shrinkDeltas(events.slice(0, 3)));
    await store.close();
  });

  test.each(['not JSON', '[]', '{}', '{"events":[{}]}', '{"events":[]}', ''])(
    'leaves out a line such as %s, and reports its number',
    async (line) => {
      const [one = [], other = []] = await runsOfEvents(2);
      await writeFile(path, `${JSON.stringify({ events: one })}\n${line}\n${JSON.stringify({ events: other })}\n`);
      const store = await openRunFiles(path, report);
      expect(await store.count()).toBe(2);
      expect(await store.read(other[0]?.runId ?? '')).toEqual(shrinkDeltas(other));
      await store.close();
      expect(reported).toEqual([expect.stringContaining(`${path} is damaged in line 2.`)]);
    },
  );

  test('keeps the events before a damaged line, and continues the run after them', async () => {
    const [events = []] = await runsOfEvents(1);
    const id = events[0]?.runId ?? '';
    const lines = [events.slice(0, 3), events.slice(3, 5), events.slice(5)].map((part) =>
      JSON.stringify({ events: part }),
    );
    await writeFile(path, `${lines[0]}\n${lines[1]?.slice(0, -20)}\n${lines[2]}\n`);
    const store = await openRunFiles(path, report);
    expect(await store.read(id)).toEqual(shrinkDeltas(events.slice(0, 3)));
    await store.addRuns([events]);
    await store.close();
    const again = await openRunFiles(path, report);
    expect(await again.read(id)).toEqual(shrinkDeltas(events));
    await again.close();
  });

  test('leaves out a run that starts in a damaged line', async () => {
    const [events = []] = await runsOfEvents(1);
    await writeFile(path, `damaged\n${JSON.stringify({ events: events.slice(1) })}\n`);
    const store = await openRunFiles(path, report);
    expect(await store.count()).toBe(0);
    await store.close();
  });
});
