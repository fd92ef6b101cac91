import { createServer } from 'node:http';
import { afterEach, expect, test, vi } from 'vitest';
import { createPatientFetch } from '../../src/node/workers';

afterEach(() => vi.restoreAllMocks());

test('requests have no time limits of Node', async () => {
  const server = createServer((_request, response) => response.end('well'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const calls = vi.spyOn(globalThis, 'fetch');
  const response = await createPatientFetch()(`http://127.0.0.1:${port}`, { method: 'GET' });
  expect(await response.text()).toBe('well');
  const { dispatcher } = Object(calls.mock.calls.at(-1)?.[1]);
  const options = Object.getOwnPropertySymbols(dispatcher).map((symbol) => Reflect.get(dispatcher, symbol));
  expect(options).toContainEqual(expect.objectContaining({ headersTimeout: 0, bodyTimeout: 0 }));
  await dispatcher.close();
  server.close();
});
