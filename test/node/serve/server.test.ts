import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sendJson, startServer, type Route, type RunningServer } from '../../../src/node/serve/http/server';

const servers: RunningServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

const HEADERS = { 'content-type': 'application/json' };

const ROUTES: readonly Route[] = [
  { method: 'POST', path: '/', handle: async ({ response, body }) => sendJson(response, 200, await body()) },
];

async function serve(routes = ROUTES): Promise<RunningServer> {
  const limits = { mostBytes: 100, mostReading: 120 };
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    token: null,
    origins: [],
    ...limits,
    report: () => undefined,
    routes,
  });
  servers.push(server);
  return server;
}

it('rejects a request while other open requests use too much memory, and accepts it later', async () => {
  const server = await serve();
  const post = () => fetch(server.url, { method: 'POST', headers: HEADERS, body: `"${'x'.repeat(60)}"` });
  const open = request(server.url, { method: 'POST', headers: HEADERS });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    open.on('error', reject).on('response', (response) => resolve(response.resume().statusCode));
  });
  open.write(`"${'y'.repeat(80)}`);
  await expect.poll(async () => (await post()).status).toBe(503);
  expect((await post()).headers.get('retry-after')).toBe('2');
  open.end('"');
  expect(await answered).toBe(200);
  expect((await post()).status).toBe(200);
});

describe('shutdown', () => {
  /** Opens a connection that sends only this text. @returns what the server sends until the connection is closed */
  async function connectTo(server: RunningServer, text: string): Promise<{ socket: Socket; closed: Promise<string> }> {
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port) });
    await once(socket, 'connect');
    socket.write(text);
    let received = '';
    socket.setEncoding('utf8').on('data', (data: string) => (received += data));
    const closed = new Promise<string>((resolve) => {
      socket.on('error', () => undefined).on('close', () => resolve(received));
    });
    return { socket, closed };
  }

  const HEAD = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n';

  it('closes connections that have sent nothing or only a part of a request', async () => {
    const server = await serve();
    const nothing = await connectTo(server, '');
    const headers = await connectTo(server, HEAD);
    const body = await connectTo(server, `${HEAD}\r\n"half`);
    // After this response, the server has read the texts above.
    await fetch(server.url, { method: 'POST', headers: HEADERS, body: '1' });
    await server.close();
    expect(await nothing.closed).toBe('');
    expect(await headers.closed).toBe('');
    expect(await body.closed).toMatch(/^HTTP\/1.1 503 [^]*"code":"shutting_down"/);
  });

  it('answers a complete request', async () => {
    let handled: () => void = () => undefined;
    const wait = new Promise<void>((resolve) => (handled = resolve));
    let begun: () => void = () => undefined;
    const started = new Promise<void>((resolve) => (begun = resolve));
    const server = await serve([
      {
        method: 'GET',
        path: '/',
        async handle({ response }) {
          begun();
          await wait;
          sendJson(response, 200, 'whole');
        },
      },
    ]);
    const answered = fetch(server.url);
    await started;
    const closed = server.close();
    handled();
    expect(await (await answered).json()).toBe('whole');
    await closed;
  });

  /** A server that sends a large response, and a client that has not read it yet. */
  async function halfRead() {
    let sent: () => void = () => undefined;
    const isSent = new Promise<void>((resolve) => (sent = resolve));
    const server = await serve([
      {
        method: 'GET',
        path: '/',
        handle({ response }) {
          response.end(Buffer.alloc(50_000_000, 'x'));
          sent();
        },
      },
    ]);
    const { socket, closed } = await connectTo(server, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    socket.pause();
    await isSent;
    return { server, socket, closed };
  }

  it('sends the rest of a response to a client that reads it', async () => {
    const { server, socket, closed } = await halfRead();
    const ended = server.close();
    socket.resume();
    await ended;
    expect((await closed).length).toBeGreaterThan(50_000_000);
  });

  it('ends even if a client does not read its response', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const { server, socket } = await halfRead();
    const ended = server.close();
    await vi.advanceTimersByTimeAsync(3000);
    await ended;
    vi.useRealTimers();
    socket.destroy();
  });
});
