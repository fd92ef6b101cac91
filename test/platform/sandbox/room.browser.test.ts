/**
 * @file Tests a room of the sandbox (the frame in which programs run) with its real message checks and limits.
 * A fake runtime sends forged messages in place of Python.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/platform/clock';
import { createCodeRunner } from '../../../src/platform/sandbox/code-runner';
import { openRoom, type Room } from '../../../src/platform/sandbox/room';

/** Creates a fake Python runtime. @param run its code, which receives `order` and replies through `port` */
function runtime(run: string): Blob {
  const script = `onmessage = ({ ports: [port] }) => {
    port.onmessage = ({ data: order }) => { ${run} };
    port.postMessage({ type: 'ready' });
  };`;
  return new Blob([script], { type: 'text/javascript' });
}

const nothing = new Blob([]);
const filesOf = (script: Blob) => ({ script, wasm: nothing, standardLibrary: nothing });
const ORDER = { code: '', isLast: true, stdin: '', memoryLimit: 1, outputLimit: 100 };

const rooms: Room[] = [];
async function open(script: Blob): Promise<Room> {
  const room = await openRoom(filesOf(script));
  rooms.push(room);
  return room;
}

afterEach(() => {
  for (const room of rooms.splice(0)) room.close();
  expect(document.querySelector('iframe')).toBeNull();
});

/** Returns the messages that reach the page, up to the message that ends the run. */
async function messagesOf(script: Blob): Promise<unknown[]> {
  const room = await open(script);
  const messages: unknown[] = [];
  await new Promise<void>((ended) => {
    room.port.onmessage = ({ data }: MessageEvent<unknown>) => {
      messages.push(data);
      if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== 'output') ended();
    };
    room.port.postMessage(ORDER);
  });
  return messages;
}

describe('a room of the sandbox', () => {
  it('passes messages within the limits on to the page', async () => {
    const script = runtime(
      `port.postMessage({ type: 'output', stream: 'stdout', text: 'x'.repeat(order.outputLimit) });
       port.postMessage({ type: 'finished' });`,
    );
    expect(await messagesOf(script)).toEqual([
      { type: 'output', stream: 'stdout', text: 'x'.repeat(100) },
      { type: 'finished' },
    ]);
  });

  it.each([
    ['output of 16 MB', `port.postMessage({ type: 'output', stream: 'result', text: 'x'.repeat(2 ** 24) })`],
    ['an error of 2^28 line breaks', `port.postMessage({ type: 'error', message: '\\n'.repeat(2 ** 28) })`],
  ])('does not pass %s on to the page', async (_name, forge) => {
    expect(await messagesOf(runtime(`${forge}; for (;;);`))).toEqual([{ type: 'output-limit' }]);
  });

  it.each([
    [
      'a large value of another shape',
      `port.postMessage({ type: 'finished', list: new Uint8Array(2 ** 26) })`,
      'finished',
    ],
    ['a text of 16 MB', `port.postMessage('x'.repeat(2 ** 24))`, 'tampered'],
    [
      'a list with a million entries',
      `port.postMessage(Array.from({ length: 10 ** 6 }, (_, at) => ({ at })))`,
      'tampered',
    ],
    ['a message of the frame', `port.postMessage({ type: 'ready' })`, 'ready'],
  ])('replaces %s with a message that has a type but no content', async (_name, forge, type) => {
    expect(await messagesOf(runtime(forge))).toEqual([{ type }]);
  });

  it('terminates a runtime that sends a flood of messages', async () => {
    const script = runtime(`for (;;) port.postMessage({ type: 'output', stream: 'stdout', text: '' })`);
    const messages = await messagesOf(script);
    expect(messages.at(-1)).toEqual({ type: 'tampered' });
    expect(messages.length).toBeLessThan(300);
  });

  it('does not pass a large error event on to the page', async () => {
    const script = runtime(`
      setTimeout(() => { throw new Error('x'.repeat(2 ** 24)); });
      setTimeout(() => port.postMessage({ type: 'finished' }), 100);`);
    expect(await messagesOf(script)).toEqual([{ type: 'finished' }]);
  });

  it('does not open when the runtime fails to load, and gives a short reason', async () => {
    const script = new Blob([`throw new Error('x'.repeat(2 ** 20));`]);
    const reason: unknown = await openRoom(filesOf(script)).catch((thrown: unknown) => thrown);
    expect(reason).toBeInstanceOf(Error);
    expect(String(reason)).toContain('The Web Worker failed.');
    expect(String(reason).length).toBeLessThan(3_000);
  });

  it('lets the next run succeed after a forged message was reported as a fault', async () => {
    const script = runtime(`
      if (order.code === 'forge') port.postMessage({ type: 'output', stream: 'stdout', text: 'x'.repeat(2 ** 24) });
      else port.postMessage({ type: 'finished' });`);
    const runner = createCodeRunner({ openRoom: () => openRoom(filesOf(script)), clock: systemClock });
    const run = (code: string) => runner.run(code, { timeLimit: 60_000 }, new AbortController().signal);
    expect(await run('forge')).toMatchObject({ ok: false, stdout: '', fault: { kind: 'output-limit' } });
    expect(await run('work')).toMatchObject({ ok: true });
    runner.dispose();
    await expect.poll(() => document.querySelector('iframe')).toBeNull();
  });
});
