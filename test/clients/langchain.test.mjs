import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { servePodium } from './podium.mjs';

let podium;
let model;
before(async () => {
  podium = await servePodium(['--tools', 'forward']);
  model = new ChatOpenAI({ model: 'podium', apiKey: 'any', configuration: { baseURL: podium.url } });
});
after(() => podium.stop());

test('@langchain/openai: invoke, stream and batch', async () => {
  const question = 'What is six times seven?';
  assert.equal((await model.invoke(question)).text, 'The answer is 42.');
  let text = '';
  for await (const chunk of await model.stream(question)) text += chunk.text;
  assert.equal(text, 'The answer is 42.');
  assert.equal((await model.batch([question, question])).length, 2);
});

test('@langchain/openai: structured output', async () => {
  const structured = model.withStructuredOutput(z.object({ answer: z.number() }), { method: 'jsonSchema' });
  assert.deepEqual(await structured.invoke('What is six times seven?'), { answer: 42 });
});

test('@langchain/openai: tools', async () => {
  const read = { type: 'function', function: { name: 'read', parameters: { type: 'object', properties: {} } } };
  const bound = model.bindTools([read]);
  const question = new HumanMessage('What does a.txt say?');
  const called = await bound.invoke([question]);
  const [call] = called.tool_calls;
  assert.equal(call.name, 'read');
  const result = new ToolMessage({ content: 'Hello.', tool_call_id: call.id });
  assert.equal((await bound.invoke([question, called, result])).text, 'The tool says: Hello.');
});
