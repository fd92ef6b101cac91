import { request } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { sendJson, startServer, type RunningServer } from '../../../src/node/serve/http/server';

const servers: RunningServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

const HEADERS = { 'content-type': 'application/json' };

it('rejects a request while other open requests use too much memory, and accepts it later', async () => {
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    token: null,
    mostBytes: 100,
    mostReading: 120,
    report: () => undefined,
    routes: [
      {
        method: 'POST',
        path: '/',
        handle: async ({ response, body }) => sendJson(response, 200, await body()),
      },
    ],
  });
  servers.push(server);
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
