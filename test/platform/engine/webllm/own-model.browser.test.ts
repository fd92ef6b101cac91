/**
 * @file Tests the MLC model (weights and library) in the folder that the environment variable `PODIUM_MLC_MODEL` names. Skipped
 * if the variable is not set. With software WebGPU, the test takes minutes even for a small model.
 *
 * The folder must contain the output of `mlc_llm convert_weight` and `gen_config` (`mlc-chat-config.json`, `tensor-cache.json`,
 * the shards and `tokenizer.json`), and the compiled library: a `.wasm` file for the installed version of WebLLM. Use a small
 * model in the format `q4f32_1`. Formats such as `q4f16_1` need 16-bit shaders, which WebGPU in software doesn't have.
 */
import { expect, inject, it } from 'vitest';
import { parseWorkflow } from '../../../../src/core/conductor/parse';
import { textBounds, worstCaseTokens, type PlanBounds } from '../../../../src/core/conductor/bounds';
import { workflowGrammar } from '../../../../src/core/conductor/grammar';
import type { EngineEvent, GenerateRequest, LocalEngine, ModelManifest } from '../../../../src/core/contract';
import { systemClock } from '../../../../src/platform/clock';
import { createWebLlmLoader } from '../../../../src/platform/engine/webllm/loader';

const library = inject('mlcLibrary');
const HALF_AN_HOUR = 30 * 60_000;
const patience = { load: HALF_AN_HOUR, firstToken: HALF_AN_HOUR, nextToken: HALF_AN_HOUR, answer: HALF_AN_HOUR };
const unstopped = new AbortController().signal;

async function write(model: LocalEngine, content: string, more: Partial<GenerateRequest>) {
  const events: EngineEvent[] = [];
  const messages = [
    { role: 'system' as const, content: INSTRUCTIONS },
    { role: 'user' as const, content },
  ];
  const request = { messages, grammar: null, temperature: 0, maxTokens: 8, seed: 1, ...more };
  for await (const event of model.generate(request, unstopped)) events.push(event);
  const text = events.map((event) => (event.type === 'delta' ? event.text : '')).join('');
  return { text, ending: events.at(-1) };
}

/** These limits are small, because software WebGPU takes seconds per token. */
const BOUNDS: PlanBounds = { thought: 0, subtask: 6 };
const INSTRUCTIONS = 'You divide a question among workers. '.repeat(12);

it.runIf(library !== null)(
  'a real model writes a valid workflow, and does not process the same instructions again',
  async () => {
    const weights = `${inject('mlcHost')}own`;
    const manifest: ModelManifest = {
      id: 'own:real',
      label: 'The given model',
      engine: 'webllm',
      source: { kind: 'mlc', weights, library: `${weights}/${library ?? ''}`, revision: null },
      download: null,
      memory: null,
      context: 2048,
      licence: null,
      why: 'For tests.',
      needs: [],
      prompt: null,
      showWorkers: 'number',
    };
    const limits = { poolSize: 2, maxSteps: 2 };
    const loader = createWebLlmLoader({ clock: systemClock, patience });
    const model = await loader.load(manifest, () => undefined, unstopped);
    const form = { ...limits, access: 'binary', thought: false } as const;
    const plan = {
      grammar: workflowGrammar(form),
      bounds: textBounds(BOUNDS),
      maxTokens: worstCaseTokens(form, BOUNDS),
    };
    try {
      const fresh = await write(model, 'Name a river.', {});
      const { text, ending } = await write(model, 'What is 6 times 7?', { ...plan, temperature: 0.7 });
      expect(ending).toMatchObject({ type: 'finished', finishReason: 'stop' });
      expect(parseWorkflow(text, limits)).toMatchObject({ ok: true });
      const kept = await write(model, 'Name a river.', {});
      expect(kept.text).toBe(fresh.text);
      expect(readTokens(kept.ending)).toBeLessThan(readTokens(fresh.ending) / 5);
    } finally {
      await model.dispose();
    }
  },
  HALF_AN_HOUR,
);

/** Number of prompt tokens that the model processed. Tokens cached from the previous prompt don't count. */
function readTokens(ending: EngineEvent | undefined): number {
  return ending?.type === 'finished' ? (ending.speed?.promptTokens ?? 0) : 0;
}
