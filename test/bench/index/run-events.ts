/** @file Generates the events of a random run. */
import { SCHEMA, SETTING_DEFAULTS, type EventBody, type RunEvent } from '../../../src/core/contract';
import { benchPool } from '../browser/database';
import { madeRun, STEPS } from './archive';

/** @param hasDeltas whether to include `step-delta` events with pieces of the outputs, as in a streamed run */
export function eventsOf(
  index: number,
  draw: () => number,
  { hasDeltas }: { readonly hasDeltas: boolean },
): RunEvent[] {
  const { question, outputs } = madeRun(index, draw);
  const conductor = { id: 'by-hand', label: 'Written by hand', kind: 'by-hand' } as const;
  const steps = outputs.map((_, step) => ({ worker: step % 3, subtask: `Solve part ${step}`, access: [] }));
  const bodies: EventBody[] = [
    {
      type: 'run-started',
      schema: SCHEMA,
      question: { text: question },
      pool: benchPool(3),
      conductor,
      recursion: false,
      maxSteps: 5,
      seed: 1,
      caps: { rounds: 1, calls: 16, tokens: null, usd: null },
      sampling: { temperature: 0.2, maxTokens: 4096 },
      ...SETTING_DEFAULTS,
    },
    { type: 'round-started', round: 0 },
    { type: 'plan-started', round: 0, conductor, messages: [] },
    {
      type: 'plan-finished',
      round: 0,
      workflow: { steps },
      thought: '',
      text: '',
      source: 'person',
      usage: null,
      cost: null,
      finishReason: null,
    },
  ];
  for (const [step, output] of outputs.entries()) {
    const key = { round: 0, step, attempt: 0 };
    bodies.push({ type: 'step-started', ...key, workerId: `bench:${step % 3}`, messages: [], sha256: '0'.repeat(64) });
    for (let at = 0; hasDeltas && at < output.length; at += 40) {
      bodies.push({ type: 'step-delta', ...key, channel: 'content', text: output.slice(at, at + 40) });
    }
    const usage = { input: 100, output: 90 };
    bodies.push({ type: 'step-finished', ...key, output, reasoning: '', usage, cost: 0.001, finishReason: 'stop' });
  }
  const answer = { round: 0, step: STEPS - 1 };
  bodies.push({ type: 'round-finished', round: 0, outcome: 'answered' }, { type: 'run-finished', ...answer });
  const runId = `written-${index}`;
  return bodies.map((body, seq) => ({
    runId,
    seq,
    at: 1_770_000_000_000 + index * 1000 + seq,
    segment: 0,
    elapsed: seq,
    ...body,
  }));
}
