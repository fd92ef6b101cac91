import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startOpenAiServer, type OpenAiServer } from '../../fixtures/openai-server';
import { servePodium, temporaryFolder, writePool, type PodiumServer } from '../../fixtures/podium-server';
import { command } from '../terminal';

let upstream: OpenAiServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const servers: PodiumServer[] = [];

beforeAll(async () => {
  upstream = await startOpenAiServer();
  folder = await temporaryFolder();
});
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));
afterAll(async () => {
  await upstream.close();
  await folder.remove();
});

async function poolOf(model: string, price = 0): Promise<string> {
  const worker = { id: model, baseUrl: upstream.url, model, price };
  return writePool(folder.path, [worker], { conductor: 'template:best-single' });
}

async function serveHttp(model: string, args: readonly string[] = [], token = '') {
  const environment = { PODIUM_TOKEN: token };
  const pool = await poolOf(model);
  const server = await servePodium(['--http', '--pool', pool, ...args], { command: 'mcp', environment });
  servers.push(server);
  return server;
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const accept = 'application/json, text/event-stream';

const post = (server: PodiumServer, body: unknown, headers = {}) =>
  fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...headers },
    body: JSON.stringify(body),
  });

const ask = { name: 'conduct', arguments: { question: 'Is it so?' } };

describe('podium mcp --http', () => {
  /** The second generation of the protocol has no sessions. Older clients begin with a handshake. */
  it.each<[string, ClientOptions]>([
    ['current', {}],
    ['older', { versionNegotiation: { mode: 'legacy' } }],
  ])('answers a %s client, and reports progress', async (_era, options) => {
    const server = await serveHttp('ok', [], 'secret-secret-secret');
    const client = new Client({ name: 'test', version: '1' }, options);
    const headers = { authorization: 'Bearer secret-secret-secret' };
    const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers } });
    await client.connect(transport);
    const messages: (string | undefined)[] = [];
    const result = await client.callTool(ask, { onprogress: ({ message }) => messages.push(message) });
    expect(JSON.stringify(result.content)).toContain('I was sent');
    expect(messages).toContain('Plan: 1 step');
    await client.close();
  });

  it('cancels the call to the worker if the client disconnects', async () => {
    const server = await serveHttp('stall@gone');
    const controller = new AbortController();
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: ask };
    const pending = fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify(body),
      signal: controller.signal,
    });
    pending.then((response) => response.text()).catch(() => undefined);
    await expect.poll(() => upstream.calls('stall@gone').length).toBe(1);
    controller.abort();
    expect(await upstream.calls('stall@gone')[0]?.ended).toBe('early');
  });

  it('has the rules of podium serve for tokens, hosts and bodies, and refuses web pages', async () => {
    const server = await serveHttp('ok', ['--allow-origin', 'https://chat.example'], 'secret-secret-secret');
    const authorization = 'Bearer secret-secret-secret';
    expect((await post(server, INITIALIZE)).status).toBe(401);
    expect((await post(server, INITIALIZE, { authorization })).status).toBe(200);
    expect((await post(server, INITIALIZE, { authorization, origin: 'https://evil.example' })).status).toBe(403);
    expect((await post(server, INITIALIZE, { authorization, origin: 'https://chat.example' })).status).toBe(200);
    expect((await post(server, INITIALIZE, { authorization, 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(server, { hello: 1 }, { authorization })).status).toBe(400);
    expect((await fetch(`${server.url}/mcp`, { headers: { authorization } })).status).toBe(405);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
  });
});

describe('podium mcp', () => {
  it('does not start with paid workers and no --max-cost, or with a file of runs that can’t be read', async () => {
    const paid = await command(['mcp', '--pool', await poolOf('ok', 1)]);
    expect([paid.code, paid.error]).toEqual([2, expect.stringContaining('--max-cost')]);
    const missing = await command(['mcp', '--runs', join(folder.path, 'missing.jsonl')]);
    expect([missing.code, missing.error]).toEqual([2, expect.stringContaining('can’t be read')]);
  });
});
