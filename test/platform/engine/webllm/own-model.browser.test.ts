/**
 * @file A real MLC model, weights and library, from the folder that `PODIUM_MLC_MODEL` names: it writes a workflow under the
 * grammar. Skipped if the variable is not set. With software WebGPU it takes minutes even for a small model.
 */
import { expect, inject, it } from 'vitest';
import { parseWorkflow } from '../../../../src/core/conductor';
import { workflowGrammar, type GrammarOptions } from '../../../../src/core/conductor/grammar';
import type { EngineEvent, ModelManifest } from '../../../../src/core/contract';
import { systemClock } from '../../../../src/platform/clock';
import { createWebLlmLoader } from '../../../../src/platform/engine/webllm/loader';

const library = inject('mlcLibrary');
const HALF_AN_HOUR = 30 * 60_000;
const patience = { load: HALF_AN_HOUR, firstToken: HALF_AN_HOUR, nextToken: HALF_AN_HOUR };
const unstopped = new AbortController().signal;

async function write(manifest: ModelManifest, grammar: string): Promise<readonly EngineEvent[]> {
  const loader = createWebLlmLoader({ clock: systemClock, patience });
  const model = await loader.load(manifest, () => undefined, unstopped);
  try {
    const messages = [{ role: 'user' as const, content: 'Plan how two workers answer: what is 6 times 7?' }];
    const events: EngineEvent[] = [];
    const request = { messages, grammar, temperature: 0.7, maxTokens: 800, seed: 1 };
    for await (const event of model.generate(request, unstopped)) events.push(event);
    return events;
  } finally {
    await model.dispose();
  }
}

/** Podium's grammar with very short subtasks. This engine doesn't limit their length, and random weights rarely end a text. */
function shortGrammar(options: GrammarOptions): string {
  const letters = Array.from({ length: 12 }, (_, left) =>
    left === 0 ? 'body0 ::= "\\""' : `body${left} ::= "\\"" | [a-z ] body${left - 1}`,
  );
  return workflowGrammar(options)
    .replace(/^lead ::= .*$/m, 'lead ::= [a-z] body11')
    .replace(/^body ::= .*$/m, letters.join('\n'));
}

it.runIf(library !== null)(
  'a real model writes a workflow under the grammar',
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
    const events = await write(manifest, shortGrammar({ ...limits, access: 'binary', thought: false }));
    const text = events.map((event) => (event.type === 'delta' ? event.text : '')).join('');
    expect(events.at(-1)).toMatchObject({ type: 'finished', finishReason: 'stop' });
    expect(parseWorkflow(text, limits)).toMatchObject({ ok: true });
  },
  HALF_AN_HOUR,
);
