import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SCRIPT, startPool, until } from './podium.mjs';

let podium;
let client;
before(async () => {
  podium = await startPool();
  client = new Client({ name: 'test', version: '1' });
  const args = [SCRIPT, 'mcp', '--pool', podium.pool, '--max-cost', '5'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
});
after(async () => {
  await client.close();
  await podium.close();
});

test('MCP: fifty calls at once, with their cost', async () => {
  const asked = { name: 'conduct', arguments: { question: 'What is six times seven?', effort: 'quick' } };
  const results = await Promise.all(Array.from({ length: 50 }, () => client.callTool(asked)));
  assert.deepEqual(new Set(results.map(({ content }) => content[0].text)), new Set(['The answer is 42.']));
  assert.ok(results.every(({ structuredContent }) => structuredContent.cost_usd > 0));
});

test('MCP: progress, a comparison, and a cancelled call', async () => {
  const messages = [];
  const compared = await client.callTool(
    { name: 'compare', arguments: { question: 'What is six times seven?' } },
    { onprogress: ({ message }) => messages.push(message) },
  );
  assert.deepEqual(
    compared.structuredContent.answers.map(({ worker }) => worker),
    ['one', 'two'],
  );
  assert.ok(messages.length > 2);
  const controller = new AbortController();
  const asked = { name: 'conduct', arguments: { question: 'Never answer this.' } };
  const pending = client.callTool(asked, { signal: controller.signal });
  await until(() => podium.upstream.calls.some(({ prompt }) => prompt.includes('Never answer')));
  controller.abort();
  await assert.rejects(pending);
  assert.ok((await client.listTools()).tools.length > 4);
});
