/** @file Tests generation on WebGPU. The GPU is emulated in software, but most tests report it to the engine as real. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isAbort, type LocalEngine } from '../../../../src/core/contract';
import { probeMachine } from '../../../../src/platform/engine/probe';
import { load, manifestOf, request, SOFTWARE_GPU, write } from './models';
import { grammarCase } from '../grammar-cases';
import { writeWorkflow } from './workflows';

let engine: LocalEngine;

beforeAll(async () => {
  engine = await load(manifestOf('plain'), { gpu: () => Promise.resolve(SOFTWARE_GPU) }).engine;
}, 120_000);
afterAll(() => engine.dispose());

it('the engine uses a GPU that is reported as real, and the CPU if the GPU is reported as emulated', async () => {
  expect(engine.device).toBe('webgpu');
  const { gpu } = await probeMachine();
  expect(gpu?.software).toBe(true);
  const plain = await load(manifestOf('plain'), { gpu: () => Promise.resolve(gpu) }).engine;
  expect(plain.device).toBe('wasm');
  await plain.dispose();
});

it('the engine writes a valid workflow under each of 2 grammars', { timeout: 120_000 }, async () => {
  let tokens = 0;
  const began = performance.now();
  for (const number of [44, 53]) tokens += await writeWorkflow(engine, grammarCase(number), number);
  console.info(`${tokens} tokens on WebGPU, ${((tokens / (performance.now() - began)) * 1000).toFixed(1)} a second`);
});

it('the engine answers again after it was stopped', async () => {
  const stop = new AbortController();
  const answer = (async () => {
    for await (const event of engine.generate(request({ maxTokens: 500 }), stop.signal)) {
      if (event.type === 'delta') stop.abort();
    }
  })();
  expect(isAbort(await answer.catch((thrown: unknown) => thrown))).toBe(true);
  expect((await write(engine, request({ maxTokens: 4 }))).ending).toMatchObject({ type: 'finished' });
});

it('a repeated question gets the same answer when the system message is cached', async () => {
  const asking = (question: string) =>
    request({
      messages: [
        { role: 'system', content: 'Write a workflow. Think first, then name a worker for each step. '.repeat(6) },
        { role: 'user', content: question },
      ],
      maxTokens: 6,
      temperature: 0,
    });
  const texts: string[] = [];
  for (const question of ['Why?', 'How?', 'Why?', 'How?']) texts.push((await write(engine, asking(question))).text);
  expect(texts.slice(2)).toEqual(texts.slice(0, 2));
});
