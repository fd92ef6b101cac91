import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { servePodium, until } from './podium.mjs';

let podium;
let client;
before(async () => {
  podium = await servePodium(['--tools', 'forward']);
  client = new OpenAI({ baseURL: podium.url, apiKey: 'any' });
});
after(() => podium.stop());

const messages = [{ role: 'user', content: 'What is six times seven?' }];
const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };

test('openai: chat, with usage and cost', async () => {
  const { choices, usage } = await client.chat.completions.create({ model: 'podium', messages });
  assert.equal(choices[0].message.content, 'The answer is 42.');
  assert.ok(usage.total_tokens > 0 && usage.cost > 0);
});

test('openai: chat streams, and one hundred at once', async () => {
  const texts = await Promise.all(
    Array.from({ length: 100 }, async () => {
      let text = '';
      const stream = await client.chat.completions.create({ model: 'podium-quick', messages, stream: true });
      for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
      return text;
    }),
  );
  assert.deepEqual(new Set(texts), new Set(['The answer is 42.']));
});

test('openai: chat runs a tool', async () => {
  const read = { name: 'read', parameters, parse: JSON.parse, function: ({ path }) => `contents of ${path}` };
  const runner = client.chat.completions.runTools({
    model: 'podium',
    messages: [{ role: 'user', content: 'What does a.txt say?' }],
    tools: [{ type: 'function', function: read }],
  });
  assert.equal(await runner.finalContent(), 'The tool says: contents of a.txt');
});

test('openai: responses, with streaming and a tool', async () => {
  const response = await client.responses
    .stream({ model: 'podium', input: 'What is six times seven?' })
    .finalResponse();
  assert.equal(response.output_text, 'The answer is 42.');
  assert.ok(response.usage.total_tokens > 0);
  const input = [{ role: 'user', content: 'What does a.txt say?' }];
  const tools = [{ type: 'function', name: 'read', parameters, strict: false }];
  const first = await client.responses.create({ model: 'podium', input, tools });
  const call = first.output.find(({ type }) => type === 'function_call');
  const result = { type: 'function_call_output', call_id: call.call_id, output: 'Hello.' };
  const second = await client.responses.create({ model: 'podium', input: [...input, ...first.output, result], tools });
  assert.equal(second.output_text, 'The tool says: Hello.');
});

test('openai: an abort reaches the worker', async () => {
  const controller = new AbortController();
  const never = [{ role: 'user', content: 'Never answer this.' }];
  const asked = { model: 'podium/template:best-single', messages: never, stream: true };
  const stream = await client.chat.completions.create(asked, { signal: controller.signal });
  await until(() => podium.upstream.calls.some(({ prompt }) => prompt.includes('Never answer')));
  controller.abort();
  for await (const _chunk of stream);
  const { choices } = await client.chat.completions.create({ model: 'podium', messages });
  assert.equal(choices[0].message.content, 'The answer is 42.');
});

test('openai: errors have a status and a code', async () => {
  await assert.rejects(client.chat.completions.create({ model: 'gpt', messages }), {
    status: 404,
    code: 'model_not_found',
  });
});
