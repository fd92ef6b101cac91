/**
 * @file Runs the workflows of the executor benchmark with the AI SDK. Each step calls `generateText` or `streamText` with the
 * SDK's mock model. Promises pass the outputs from step to step.
 */
import { generateText, streamText } from 'ai';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';
import type { BenchWorkflow, Contender } from '../workflows';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const finishReason = { unified: 'stop' as const, raw: 'stop' };

function last(
  workflow: BenchWorkflow,
  call: (step: number, inputs: readonly string[]) => Promise<string>,
): Promise<string> {
  const outputs: Promise<string>[] = [];
  for (const [index, step] of workflow.steps.entries()) {
    outputs.push(Promise.all(step.access.map((seen) => outputs[seen] ?? '')).then((inputs) => call(index, inputs)));
  }
  return outputs.at(-1) ?? Promise.resolve('');
}

export const aiSdk: Contender = {
  name: 'AI SDK',
  run: (workflow, workers) =>
    last(workflow, async (step, inputs) => {
      const model = new MockLanguageModelV4({
        doGenerate: async () => ({
          content: [{ type: 'text', text: await workers.call(step, inputs) }],
          finishReason,
          usage,
          warnings: [],
        }),
      });
      return (await generateText({ model, prompt: `Do part ${step}. ${inputs.join(' ')}` })).text;
    }),
  stream: (workflow, workers, seen) =>
    last(workflow, async (step, inputs) => {
      const tokens: string[] = [];
      for await (const token of workers.stream(step, inputs)) tokens.push(token);
      const chunks = [
        { type: 'text-start' as const, id: '1' },
        ...tokens.map((delta) => ({ type: 'text-delta' as const, id: '1', delta })),
        { type: 'text-end' as const, id: '1' },
        { type: 'finish' as const, finishReason, usage },
      ];
      const model = new MockLanguageModelV4({
        doStream: async () => ({
          stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }),
        }),
      });
      let output = '';
      for await (const token of streamText({ model, prompt: `Do part ${step}. ${inputs.join(' ')}` }).textStream) {
        seen(token);
        output += token;
      }
      return output;
    }),
};
