import { describe, expect, it } from 'vitest';
import { reportsOf, type ReportingWorker, type WorkerTask } from '../../src/platform/worker-reports';

const { signal } = new AbortController();

/** Returns a task whose Web Worker runs `program`. */
function taskOf(program: string, options: Partial<WorkerTask<number>> = {}): WorkerTask<number> {
  return {
    ready: undefined,
    createWorker: () => new Worker(URL.createObjectURL(new Blob([program]))),
    order: 'start',
    read: (data) => {
      if (typeof data !== 'number') throw new TypeError('Expected a number.');
      return data;
    },
    errorOf: ({ kind, detail }) => new Error(`${kind}: ${detail}`),
    ...options,
  };
}

/** Returns all reports, and the error that was thrown after them, if any. */
async function gather(reports: AsyncIterable<number>) {
  const all: number[] = [];
  try {
    for await (const report of reports) all.push(report);
  } catch (thrown) {
    return { all, error: thrown instanceof Error ? thrown : null };
  }
  return { all, error: null };
}

describe('reportsOf', () => {
  it('yields all reports before it throws the error that follows them', async () => {
    const program =
      'onmessage = () => { postMessage(1); postMessage(2); setTimeout(() => { throw new Error("gone"); }); }';
    const { all, error } = await gather(reportsOf(taskOf(program), signal));
    expect(all).toEqual([1, 2]);
    expect(error?.message).toMatch(/^crashed: .*gone/);
  });

  it.each([
    ['a script that fails before its first report', 'throw new Error("gone")', /^not-loaded: .*gone/],
    ['an invalid report', 'onmessage = () => postMessage("what?")', /^crashed: A report could not be read/],
    ['an error with a very long message', 'throw new Error("x".repeat(2 ** 20))', /^not-loaded: .{0,500}$/],
  ])('throws the error from `errorOf` after %s', async (_, program, message) => {
    const { all, error } = await gather(reportsOf(taskOf(program), signal));
    expect(all).toEqual([]);
    expect(error?.message).toMatch(message);
  });

  it('ends immediately on abort if the task has no `stop` function', async () => {
    const controller = new AbortController();
    const reports = reportsOf(
      taskOf('onmessage = () => { for (let at = 0; at < 100; at++) postMessage(1); }'),
      controller.signal,
    );
    const seen: number[] = [];
    const reading = (async () => {
      for await (const report of reports) {
        seen.push(report);
        controller.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    expect(seen).toEqual([1]);
  });

  it('yields reports that arrive while the Web Worker is stopping', async () => {
    const program = 'onmessage = ({ data }) => postMessage(data === "start" ? 1 : 2);';
    const controller = new AbortController();
    const stop = (worker: ReportingWorker, over: AbortSignal) => {
      worker.postMessage('stop');
      return new Promise<void>((resolve) => over.addEventListener('abort', () => resolve()));
    };
    const seen: number[] = [];
    for await (const report of reportsOf(taskOf(program, { stop }), controller.signal)) {
      seen.push(report);
      if (report === 1) controller.abort();
      else break;
    }
    expect(seen).toEqual([1, 2]);
  });

  it('does not start a Web Worker if the signal aborts before `ready` resolves', async () => {
    const controller = new AbortController();
    let started = 0;
    const createWorker = () => {
      started += 1;
      return new Worker(URL.createObjectURL(new Blob([])));
    };
    const ready = () => new Promise<void>(() => undefined);
    const reading = gather(reportsOf(taskOf('', { ready, createWorker }), controller.signal));
    controller.abort();
    expect((await reading).error?.name).toBe('AbortError');
    expect(started).toBe(0);
  });
});
