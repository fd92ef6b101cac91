/** @file A Web Worker that benchmarks WebLLM alone. It sends the page no text until the answer is complete. */
import type { GenerateRequest } from '../../../src/core/contract';
import { launch } from '../../../src/platform/engine/webllm/launch';
import { readCommand } from '../../../src/platform/engine/webllm/messages';
import type { Launched } from '../../../src/platform/engine/webllm/serve';
import type { BareCommand, BareReport, Sample } from './contenders';

let launched: Launched | null = null;

self.addEventListener('message', async ({ data }: MessageEvent<BareCommand>) => {
  const report = (report: BareReport) => self.postMessage(report);
  if (data.type === 'load') {
    const command = readCommand(data.command);
    if (command.type !== 'load') throw new Error('Expected a load command.');
    launched = await launch(command, () => undefined);
    report({ type: 'loaded' });
  } else {
    if (!launched) throw new Error('No model is loaded.');
    report({ type: 'ran', sample: await run(launched.engine, data.request) });
  }
});

async function run(engine: Launched['engine'], request: GenerateRequest): Promise<Sample> {
  const { messages, grammar, maxTokens, temperature, seed } = request;
  const began = performance.now();
  const chunks = await engine.chat.completions.create({
    messages: [...messages],
    stream: true,
    stream_options: { include_usage: true },
    temperature,
    max_tokens: maxTokens,
    ...(seed === undefined ? {} : { seed }),
    ...(grammar === null ? {} : { response_format: { type: 'grammar', grammar } }),
  });
  let text = '';
  let firstToken = Number.NaN;
  let tokens = 0;
  for await (const chunk of chunks) {
    const piece = chunk.choices[0]?.delta.content ?? '';
    if (text === '' && piece !== '') firstToken = performance.now() - began;
    text += piece;
    tokens = chunk.usage?.completion_tokens ?? tokens;
  }
  return { text, tokens, firstToken, end: performance.now() - began };
}
