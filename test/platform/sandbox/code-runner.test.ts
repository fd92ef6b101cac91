import { describe, expect, it } from 'vitest';
import type { CodeRequest } from '../../../src/core/contract';
import { createCodeRunner } from '../../../src/platform/sandbox/code-runner';
import type { RunOrder, RuntimeMessage } from '../../../src/platform/sandbox/protocol';
import type { Room } from '../../../src/platform/sandbox/room';
import { FakeClock, idle } from '../../fixtures/fake-clock';

type Reply = (order: RunOrder, say: (message: unknown) => void) => void;

/** Returns a code runner with simulated rooms (hidden frames of the sandbox). The test replies in place of Python. */
function rooms(reply: Reply, open: (count: number) => Promise<void> = async () => {}) {
  const clock = new FakeClock();
  const opened: { closed: boolean; orders: RunOrder[] }[] = [];
  let requested = 0;
  const openRoom = async (): Promise<Room> => {
    await open((requested += 1));
    const { port1, port2 } = new MessageChannel();
    const record = { closed: false, orders: new Array<RunOrder>() };
    opened.push(record);
    port2.onmessage = ({ data }: MessageEvent<RunOrder>) => {
      record.orders.push(data);
      reply(data, (message) => port2.postMessage(message));
    };
    const close = () => {
      record.closed = true;
      port1.close();
    };
    return { port: port1, snapshot: null, close };
  };
  const runner = createCodeRunner({ openRoom, clock });
  const run = (code: string, request: Partial<CodeRequest> = {}, signal = new AbortController().signal) =>
    runner.run(code, { timeLimit: 1_000, ...request }, signal);
  return { clock, opened, runner, run, requested: () => requested };
}

const finish: Reply = (_order, say) => say({ type: 'finished' } satisfies RuntimeMessage);
const never: Reply = () => {};

async function until(met: () => boolean): Promise<void> {
  while (!met()) await idle();
}

describe('a code runner', () => {
  it('returns the printed text and the value of the last line', async () => {
    const { run, runner, opened } = rooms((order, say) => {
      say({ type: 'output', stream: 'stdout', text: `ran ${order.code}` });
      say({ type: 'output', stream: 'stderr', text: 'a warning' });
      say({ type: 'output', stream: 'result', text: '42' });
      say({ type: 'finished' });
    });
    const outcome = await run('6 * 7', { stdin: 'in', memoryLimit: 5, outputLimit: 100 });
    expect(outcome).toEqual({ ok: true, stdout: 'ran 6 * 7', stderr: 'a warning', result: '42', time: 0 });
    expect(opened[0]?.orders).toEqual([{ code: '6 * 7', isLast: true, stdin: 'in', memoryLimit: 5, outputLimit: 100 }]);
    runner.dispose();
  });

  it('uses each sandbox room only once, and opens the next room in advance', async () => {
    const { run, runner, opened } = rooms(finish);
    await run('1');
    await until(() => opened.length === 2);
    expect(opened.map(({ closed }) => closed)).toEqual([true, false]);
    await run('2');
    await until(() => opened.length === 3);
    expect(opened.map(({ orders }) => orders.map(({ code }) => code))).toEqual([['1'], ['2'], []]);
    runner.dispose();
    await until(() => opened.every(({ closed }) => closed));
  });

  it('stops code at its time limit, and keeps the printed text', async () => {
    const { run, runner, clock, opened } = rooms((_order, say) =>
      say({ type: 'output', stream: 'stdout', text: 'one' }),
    );
    const outcome = run('while True: pass', { timeLimit: 2_500 });
    await until(() => opened[0]?.orders.length === 1);
    await clock.advance(2_500);
    const message = 'It did not end within 2.5 s and was stopped.';
    expect(await outcome).toMatchObject({
      ok: false,
      stdout: 'one',
      fault: { kind: 'time-limit', message },
      time: 2_500,
    });
    expect(opened[0]?.closed).toBe(true);
    runner.dispose();
  });

  it.each([
    [{ type: 'error', message: 'NameError: x' }, 'error', /NameError: x/],
    [
      { type: 'crashed', message: 'Exit: Program terminated with exit(3)\n  at quit' },
      'crashed',
      /ended Python itself, with status 3\.$/,
    ],
    [{ type: 'crashed', message: 'RangeError: Maximum call stack size exceeded' }, 'crashed', /too deep a recursion/],
    [
      { type: 'crashed', message: 'RuntimeError: unreachable' },
      'crashed',
      /^It crashed Python\. \(RuntimeError: unreachable\)$/,
    ],
    [{ type: 'memory-limit' }, 'memory-limit', /512 MB/],
    [{ type: 'output-limit' }, 'output-limit', /32,768 characters/],
    [{ type: 'ready' }, 'tampered', /messages that Python never sends/],
    [{ type: 'nonsense' }, 'tampered', /messages that Python never sends/],
    ['forged', 'tampered', /messages that Python never sends/],
    [{ type: 'output', stream: 'stdout', text: ['x'] }, 'tampered', /messages that Python never sends/],
  ] as const)('reports %j as the fault %s', async (message, kind, sentence) => {
    const { run, runner, opened } = rooms((_order, say) => say(message));
    const { ok, fault } = await run('x');
    expect({ ok, kind: fault?.kind }).toEqual({ ok: false, kind });
    expect(fault?.message).toMatch(sentence);
    expect(opened[0]?.closed).toBe(true);
    runner.dispose();
  });

  it('shows the end of a long traceback', async () => {
    const lines = Array.from({ length: 200 }, (_, line) => `line ${line}`).join('\n');
    const { run, runner } = rooms((_order, say) => say({ type: 'error', message: lines }));
    const { fault } = await run('x');
    expect(fault?.message.split('\n')).toHaveLength(12);
    expect(fault?.message.endsWith('line 199')).toBe(true);
    runner.dispose();
  });

  it.each([
    ['output', { type: 'output', stream: 'stdout', text: 'x'.repeat(8 * 2 ** 20) }],
    ['a result', { type: 'output', stream: 'result', text: 'x'.repeat(8 * 2 ** 20) }],
    ['an error that consists of line breaks', { type: 'error', message: '\n'.repeat(8 * 2 ** 20) }],
  ])('drops a message of 8 MB with %s, and stops the code that sent it', async (_name, message) => {
    const { run, runner, opened } = rooms((_order, say) => say(message));
    const outcome = await run('forge');
    expect(outcome).toMatchObject({ ok: false, stdout: '', stderr: '', fault: { kind: 'output-limit' } });
    expect(JSON.stringify(outcome).length).toBeLessThan(1_000);
    expect(opened[0]?.closed).toBe(true);
    runner.dispose();
  });

  it('applies the output limit to standard output, standard error and the result together', async () => {
    const { run, runner } = rooms((_order, say) => {
      say({ type: 'output', stream: 'stdout', text: 'x'.repeat(4) });
      say({ type: 'output', stream: 'stderr', text: 'y'.repeat(4) });
      say({ type: 'output', stream: 'result', text: 'z'.repeat(4) });
      say({ type: 'finished' });
    });
    const outcome = await run('flood', { outputLimit: 10 });
    expect(outcome).toMatchObject({ ok: false, stdout: 'xxxx', stderr: 'yyyy', fault: { kind: 'output-limit' } });
    expect(outcome.result).toBeUndefined();
    expect((await run('fits', { outputLimit: 12 })).ok).toBe(true);
    runner.dispose();
  });

  it('stops code that sends more messages than Python would', async () => {
    const { run, runner, opened } = rooms((_order, say) => {
      for (let count = 0; count < 10_000; count += 1) say({ type: 'output', stream: 'stdout', text: '' });
      say({ type: 'finished' });
    });
    expect(await run('flood')).toMatchObject({ ok: false, fault: { kind: 'tampered' } });
    expect(opened[0]?.closed).toBe(true);
    runner.dispose();
  });

  it('reports that Python could not start, and retries at the next run', async () => {
    const { run, runner, requested } = rooms(finish, async (count) => {
      if (count === 1) throw new Error('404 for /python.wasm');
    });
    const outcome = await run('1');
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'could-not-start' }, time: 0 });
    expect(outcome.fault?.message).toContain('404 for /python.wasm');
    expect(requested()).toBe(1);
    expect((await run('1')).ok).toBe(true);
    runner.dispose();
  });

  it('stops waiting for a room that does not open, and closes it if it opens later', async () => {
    let open = () => {};
    const { run, clock, opened } = rooms(finish, () => new Promise((resolve) => (open = resolve)));
    const outcome = run('1');
    await clock.advance(150_000);
    expect(await outcome).toMatchObject({ ok: false, fault: { kind: 'could-not-start' } });
    open();
    await until(() => opened[0]?.closed === true);
    expect(opened[0]?.orders).toEqual([]);
  });

  it('stops the code at once on abort, and gives the next run a new room', async () => {
    const { run, runner, opened, clock } = rooms((order, say) => order.code === 'go' && say({ type: 'finished' }));
    const stop = new AbortController();
    const stopped = run('loop', {}, stop.signal);
    await until(() => opened[0]?.orders.length === 1);
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
    expect(opened[0]?.closed).toBe(true);
    expect(clock.sleeping).toBe(0);
    expect((await run('go')).ok).toBe(true);
    runner.dispose();
  });

  it('reuses a room that was still opening when its run was aborted', async () => {
    let open = () => {};
    const { run, runner, opened, requested } = rooms(finish, (count) =>
      count === 1 ? new Promise((resolve) => (open = resolve)) : Promise.resolve(),
    );
    const stop = new AbortController();
    const stopped = run('1', {}, stop.signal);
    await idle();
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
    open();
    expect((await run('2')).ok).toBe(true);
    expect(opened[0]?.orders.map(({ code }) => code)).toEqual(['2']);
    expect(requested()).toBe(2);
    runner.dispose();
  });

  it('runs one piece of code at a time, and removes waiting code from the queue on abort', async () => {
    const { run, runner, clock, opened } = rooms(never);
    const stop = new AbortController();
    const first = run('first');
    const second = run('second', {}, stop.signal);
    await until(() => opened[0]?.orders.length === 1);
    stop.abort();
    await expect(second).rejects.toMatchObject({ name: 'AbortError' });
    await clock.advance(1_000);
    expect(await first).toMatchObject({ fault: { kind: 'time-limit' } });
    expect(opened.flatMap(({ orders }) => orders)).toHaveLength(1);
    runner.dispose();
  });

  it('rejects when the signal is already aborted', async () => {
    const { run, requested } = rooms(finish);
    await expect(run('1', {}, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    expect(requested()).toBe(0);
  });

  describe('a session', () => {
    const { signal } = new AbortController();
    const LIMITS = { timeLimit: 1_000 };
    const echo: Reply = (order, say) => {
      if (order.code === 'loop') return;
      if (order.code === 'forge') say({ type: 'ready' });
      say({ type: 'output', stream: 'stdout', text: order.code + order.stdin });
      say({ type: 'finished' });
    };

    it('runs pieces of code in one room, each with its own input and output', async () => {
      const { runner, opened } = rooms((order, say) => {
        say({ type: 'output', stream: 'stdout', text: order.code + order.stdin });
        say(order.code === 'raise' ? { type: 'error', message: 'NameError: x' } : { type: 'finished' });
      });
      const session = await runner.open(signal);
      expect(await session.run('a', { ...LIMITS, stdin: '1' }, signal)).toMatchObject({ ok: true, stdout: 'a1' });
      expect(await session.run('raise', LIMITS, signal)).toMatchObject({ ok: false, fault: { kind: 'error' } });
      expect(await session.run('b', LIMITS, signal)).toMatchObject({ ok: true, stdout: 'b' });
      expect(opened[0]?.orders.map(({ isLast }) => isLast)).toEqual([false, false, false]);
      session.close();
      await until(() => opened[0]?.closed === true);
      runner.dispose();
    });

    it('ends when a piece of code exceeds its time limit', async () => {
      const { runner, clock, opened } = rooms(echo);
      const session = await runner.open(signal);
      const late = session.run('loop', LIMITS, signal);
      await until(() => opened[0]?.orders.length === 1);
      await clock.advance(1_000);
      expect(await late).toMatchObject({ fault: { kind: 'time-limit' } });
      expect(await session.run('a', LIMITS, signal)).toMatchObject({ ok: false, fault: { kind: 'time-limit' } });
      expect(opened[0]?.orders).toHaveLength(1);
      session.close();
      runner.dispose();
    });

    it('ends after a forged message', async () => {
      const { runner } = rooms(echo);
      const session = await runner.open(signal);
      expect(await session.run('forge', LIMITS, signal)).toMatchObject({ fault: { kind: 'tampered' } });
      expect(await session.run('a', LIMITS, signal)).toMatchObject({ fault: { kind: 'tampered' } });
      session.close();
      runner.dispose();
    });

    it('ends after a message that arrives between two pieces of code', async () => {
      const { runner } = rooms((_order, say) => {
        say({ type: 'finished' });
        say({ type: 'finished' });
      });
      const session = await runner.open(signal);
      expect(await session.run('a', LIMITS, signal)).toMatchObject({ ok: true });
      for (let turn = 0; turn < 5; turn += 1) await idle();
      expect(await session.run('b', LIMITS, signal)).toMatchObject({ fault: { kind: 'tampered' } });
      session.close();
      runner.dispose();
    });

    it('makes other runs wait until it is closed', async () => {
      const { runner, opened } = rooms(finish);
      const session = await runner.open(signal);
      const other = runner.run('1', LIMITS, signal);
      await session.run('a', LIMITS, signal);
      expect(opened.flatMap(({ orders }) => orders)).toHaveLength(1);
      session.close();
      expect(await other).toMatchObject({ ok: true });
      runner.dispose();
    });

    it('opens even if Python could not start, and the first run reports the fault', async () => {
      const { runner } = rooms(finish, () => Promise.reject(new Error('404')));
      const session = await runner.open(signal);
      expect(await session.run('a', LIMITS, signal)).toMatchObject({ fault: { kind: 'could-not-start' } });
      session.close();
    });
  });
});
