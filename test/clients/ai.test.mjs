import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateObject, generateText, stepCountIs, streamText, tool } from 'ai';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { servePodium } from './podium.mjs';

let podium;
let model;
before(async () => {
  podium = await servePodium(['--tools', 'forward']);
  const options = { name: 'podium', baseURL: podium.url, supportsStructuredOutputs: true, includeUsage: true };
  model = createOpenAICompatible(options)('podium');
});
after(() => podium.stop());

const prompt = 'What is six times seven?';

test('ai: text, with the progress as reasoning', async () => {
  const { text, reasoningText, usage } = await generateText({ model, prompt });
  assert.equal(text, 'The answer is 42.');
  assert.match(reasoningText, /Plan: \d step/);
  assert.ok(usage.totalTokens > 0);
});

test('ai: a stream has one part of reasoning and then one of text', async () => {
  const parts = [];
  for await (const { type } of streamText({ model, prompt }).fullStream) parts.push(type);
  const begins = parts.filter((type) => type.endsWith('-start') && type !== 'start-step');
  assert.deepEqual(begins, ['reasoning-start', 'text-start']);
});

test('ai: an object', async () => {
  const { object } = await generateObject({ model, prompt, schema: z.object({ answer: z.number() }) });
  assert.deepEqual(object, { answer: 42 });
});

test('ai: a tool, whose result goes back to the model', async () => {
  const read = tool({
    description: 'Reads a file',
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => `contents of ${path}`,
  });
  const asked = { model, prompt: 'What does a.txt say?', tools: { read }, stopWhen: stepCountIs(4) };
  const { text, steps } = await generateText(asked);
  assert.equal(steps.length, 2);
  assert.match(text, /The tool says: .*contents of a.txt/);
});
