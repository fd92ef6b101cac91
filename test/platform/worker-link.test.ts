import { beforeEach, describe, expect, it, vi } from 'vitest';
import { abortError, fault, FaultError } from '../../src/core/contract';
import { serveCalls, type ServedCall } from '../../src/platform/serve-calls';
import { WorkerLink, type LinkedWorker, type WorkerLinkOptions } from '../../src/platform/worker-link';

const unstopped = new AbortController().signal;
type Served = ServedCall<number>;

/** The ports of the Web Workers that were started, which are the other ends of their channels. */
let started: MessagePort[] = [];
let terminated = 0;

beforeEach(() => {
  started = [];
  terminated = 0;
});

/** Returns a link to a Web Worker that runs in this thread, behind a message channel. */
function linkTo(
  carryOut: (order: string, call: Served) => number | void | Promise<number | void>,
  options: Partial<WorkerLinkOptions<number>> = {},
): WorkerLink<string, number> {
  return new WorkerLink({
    start: () => {
      const { port1, port2 } = new MessageChannel();
      started.push(port2);
      serveCalls(port2, carryOut);
      const terminate = () => {
        terminated += 1;
        port1.close();
      };
      return Object.assign(port1, { terminate, onerror: null }) satisfies LinkedWorker;
    },
    read: (data) => {
      if (typeof data !== 'number') throw new TypeError('Expected a number.');
      return data;
    },
    errorOf: ({ kind, detail }) => new Error(`${kind}: ${detail}`),
    ...options,
  });
}

async function gather(reports: AsyncIterable<number>): Promise<number[]> {
  const all: number[] = [];
  for await (const report of reports) all.push(report);
  return all;
}

const never = () => new Promise<never>(() => undefined);

describe('a call', () => {
  it('yields the reports in order, then the returned value, and terminates a Web Worker that is not kept', async () => {
    const link = linkTo((order, { report }) => {
      report(1);
      report(2);
      return order.length;
    });
    expect(await gather(link.call('three', unstopped))).toEqual([1, 2, 5]);
    expect(await link.ask('six', unstopped)).toBe(3);
    expect([started.length, terminated]).toEqual([2, 2]);
  });

  it('throws the fault of a failed call after its reports', async () => {
    const link = linkTo((_, { report }) => {
      report(1);
      throw new FaultError(fault('storage-full', 'No space.', { retryable: true }));
    });
    const seen: number[] = [];
    const reading = (async () => {
      for await (const report of link.call('', unstopped)) seen.push(report);
    })();
    await expect(reading).rejects.toMatchObject({ fault: { code: 'storage-full', retryable: true } });
    expect(seen).toEqual([1]);
  });

  it('holds the Web Worker up while the caller uses a report', async () => {
    let sent = 0;
    const link = linkTo(async (order, { report, caughtUp }) => {
      if (order === 'barrier') return 0;
      for (sent = 0; sent < 20; sent++) {
        report(sent);
        await caughtUp();
      }
      return undefined;
    });
    const reports = link.call('', unstopped);
    await reports.next();
    // Messages arrive in order, so what the Web Worker could send has arrived before this answer.
    await link.ask('barrier', unstopped);
    expect(sent).toBeLessThan(5);
    expect(await gather(reports)).toHaveLength(19);
    expect(sent).toBe(20);
  });

  it('rejects if it reports nothing although an answer is expected', async () => {
    await expect(linkTo(() => undefined).ask('', unstopped)).rejects.toThrow('It reported nothing.');
  });

  it('transfers what its order names', async () => {
    const { port1, port2 } = new MessageChannel();
    const link = new WorkerLink<{ port: MessagePort }, number>({
      start: () => {
        const channel = new MessageChannel();
        serveCalls(channel.port2, ({ port }: { port: MessagePort }) => port.postMessage('received'));
        return Object.assign(channel.port1, { terminate: () => channel.port1.close(), onerror: null });
      },
      read: Number,
      errorOf: () => new Error('No.'),
    });
    const received = new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)));
    await gather(link.call({ port: port2 }, unstopped, [port2]));
    expect(await received).toBe('received');
    port1.close();
  });
});

describe('a stopped call', () => {
  it('ends at once and drops unread reports, and its Web Worker is terminated', async () => {
    const stop = new AbortController();
    const link = linkTo(
      (_, { report }) => {
        for (let at = 0; at < 100; at++) report(at);
        return never();
      },
      { keep: Infinity },
    );
    const seen: number[] = [];
    const reading = (async () => {
      for await (const report of link.call('', stop.signal)) {
        seen.push(report);
        stop.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    expect(seen).toEqual([0]);
    expect(terminated).toBe(1);
  });

  it('ends even if its Web Worker goes on reporting faster than the caller reads', async () => {
    const stop = new AbortController();
    const pause = () => new Promise((resolve) => setTimeout(resolve));
    const link = linkTo(async (_, { report }) => {
      for (let at = 0; at < 100; at++) {
        report(at);
        await pause();
      }
    });
    const seen: number[] = [];
    const reading = (async () => {
      for await (const report of link.call('', stop.signal)) {
        seen.push(report);
        stop.abort();
        for (let turn = 0; turn < 5; turn++) await pause();
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    expect(seen).toEqual([0]);
  });

  it('does not seem complete if its Web Worker has finished, but not all reports were read', async () => {
    const stop = new AbortController();
    const link = linkTo((order, { report }) => {
      if (order === 'barrier') return 0;
      report(1);
      report(2);
      return 3;
    });
    const seen: number[] = [];
    const reading = (async () => {
      for await (const report of link.call('', stop.signal)) {
        seen.push(report);
        await link.ask('barrier', unstopped);
        stop.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    expect(seen).toEqual([1]);
  });

  it('leaves other calls of the Web Worker alone', async () => {
    const stopped: string[] = [];
    const stop = new AbortController();
    let finish = (_: number) => {};
    const arrived: string[] = [];
    const link = linkTo((order, { signal }) => {
      arrived.push(order);
      signal.addEventListener('abort', () => stopped.push(order));
      return order === 'first' ? never() : new Promise<number>((resolve) => (finish = resolve));
    });
    const [first, second] = [link.ask('first', stop.signal), link.ask('second', unstopped)];
    await vi.waitFor(() => expect(arrived).toEqual(['first', 'second']));
    stop.abort();
    await expect(first).rejects.toMatchObject({ name: 'AbortError' });
    await vi.waitFor(() => expect(stopped).toEqual(['first']));
    finish(7);
    expect(await second).toBe(7);
    expect(started).toHaveLength(1);
  });

  it('yields the reports that it sends while it stops, if the link is patient', async () => {
    const stop = new AbortController();
    const patience = () => never();
    const link = linkTo(
      async (_, { signal, report }) => {
        report(1);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        report(2);
        throw abortError();
      },
      { patience },
    );
    const seen: number[] = [];
    const reading = (async () => {
      for await (const report of link.call('', stop.signal)) {
        seen.push(report);
        stop.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    expect(seen).toEqual([1, 2]);
  });

  it('starts no Web Worker if it is stopped before the link is ready', async () => {
    const stop = new AbortController();
    const calling = linkTo(() => 1, { ready: never }).ask('', stop.signal);
    stop.abort();
    await expect(calling).rejects.toMatchObject({ name: 'AbortError' });
    expect(started).toEqual([]);
  });

  it('is stopped in the Web Worker if the caller leaves the loop', async () => {
    let isStopped = false;
    const link = linkTo((_, { signal, report }) => {
      signal.addEventListener('abort', () => (isStopped = true));
      report(1);
      return never();
    });
    const other = link.ask('', unstopped);
    other.catch(() => undefined);
    for await (const _ of link.call('', unstopped)) break;
    await vi.waitFor(() => expect(isStopped).toBe(true));
    link.close();
    await expect(other).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a link', () => {
  it('fails all open calls if a message is unreadable, and starts another Web Worker at the next call', async () => {
    const link = linkTo((order) => (order === 'hang' ? never() : 3), { keep: Infinity });
    const calls = [link.ask('hang', unstopped), link.ask('hang', unstopped)];
    await vi.waitFor(() => expect(started).toHaveLength(1));
    started[0]?.postMessage('not one of ours');
    for (const call of calls) await expect(call).rejects.toThrow('crashed: A message could not be read.');
    expect(await link.ask('', unstopped)).toBe(3);
    expect(started).toHaveLength(2);
    link.close();
  });

  it('keeps an idle Web Worker for the next call, and terminates it when the time has passed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const link = linkTo(() => 1, { keep: 1000 });
    await link.ask('', unstopped);
    vi.advanceTimersByTime(999);
    await link.ask('', unstopped);
    vi.advanceTimersByTime(999);
    expect([started.length, terminated]).toEqual([1, 0]);
    vi.advanceTimersByTime(1);
    expect(terminated).toBe(1);
    vi.useRealTimers();
  });
});
