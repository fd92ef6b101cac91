/** @file Tests `podium mcp` as a process, which talks to its client on the standard input and output. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOpenAiServer, type OpenAiServer } from '../../fixtures/openai-server';
import { temporaryFolder, writePool } from '../../fixtures/podium-server';
import { builtCommand } from '../built-command';

let upstream: OpenAiServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  upstream = await startOpenAiServer();
  folder = await temporaryFolder();
});
afterAll(async () => {
  await upstream.close();
  await folder.remove();
});

const poolOf = (model: string) =>
  writePool(folder.path, [{ id: model, baseUrl: upstream.url, model }], { conductor: 'template:best-single' });

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const ask = { name: 'conduct', arguments: { question: 'Is it so?' } };

describe('podium mcp', () => {
  it('answers on the standard output, and ends when the client closes its end', async () => {
    const { script } = await builtCommand();
    const pool = await poolOf('ok@stdio');
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [script, 'mcp', '--pool', pool],
      stderr: 'ignore',
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    const result = await client.callTool(ask);
    expect(JSON.stringify(result.content)).toContain('I was sent');
    await client.close();
  });

  it('writes only messages to the standard output, also for malformed input, and cancels calls when the client vanishes', async () => {
    const { script } = await builtCommand();
    const pool = await poolOf('stall@stdio');
    const child = spawn(process.execPath, [script, 'mcp', '--pool', pool], { stdio: ['pipe', 'pipe', 'ignore'] });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    const exit = once(child, 'exit');
    child.stdin.write('this is not JSON\n{"jsonrpc":"2.0","id":7,"method":"nothing"}\n');
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const asked = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: ask };
    for (const message of [INITIALIZE, initialized, asked]) child.stdin.write(`${JSON.stringify(message)}\n`);
    await expect.poll(() => upstream.calls('stall@stdio').length).toBe(1);
    child.stdin.end();
    expect(await exit).toEqual([0, null]);
    expect(await upstream.calls('stall@stdio')[0]?.ended).toBe('early');
    const messages = out
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(messages).toContainEqual(expect.objectContaining({ id: 1, result: expect.anything() as unknown }));
    expect(messages.every((message) => typeof message === 'object')).toBe(true);
  });
});
