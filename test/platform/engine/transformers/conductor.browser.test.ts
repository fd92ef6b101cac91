/** @file Tests that the first step starts while a real local model is still writing the plan. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLAN_MAX_TOKENS } from '../../../../src/core/conductor/bounds';
import { createLlmConductor } from '../../../../src/core/conductor/llm';
import type { ConductorInfo, LocalEngine, PlanEvent, RunEvent, WorkerClient } from '../../../../src/core/contract';
import { execute } from '../../../../src/core/executor/execute';
import { systemClock } from '../../../../src/platform/clock';
import { ending, proposed, request } from '../../../core/conductor/requests';
import { MemoryStore } from '../../../fixtures/memory-store';
import { runStarted } from '../../../fixtures/run-events';
import { load, manifestOf } from './models';

const INFO: ConductorInfo = { id: 'transformers:tiny', label: 'Tiny', kind: 'transformers', model: 'Tiny plain' };
const MOST_STEPS = 3;
let engine: LocalEngine;
/** A seed with which the model plans several steps. `events` are the events of that plan. */
let seed = 0;
let events: readonly PlanEvent[] = [];

const stepsOf = (plan: readonly PlanEvent[]) => ending(plan, 'plan-finished').workflow.steps;

beforeAll(async () => {
  engine = await load(manifestOf('plain')).engine;
  do events = await proposed(conductor(), request({ seed: ++seed, maxSteps: MOST_STEPS }));
  while (stepsOf(events).length < 2 && seed < 20);
}, 120_000);
afterAll(() => engine.dispose());

const conductor = () =>
  createLlmConductor({
    info: INFO,
    engine,
    clock: systemClock,
    sampling: { temperature: 1, maxTokens: PLAN_MAX_TOKENS },
  });

describe('a plan by a local model', () => {
  it('reports its first step, in final form, while the model is still writing the rest', () => {
    const { workflow, usage } = ending(events, 'plan-finished');
    expect(workflow.steps.length).toBeGreaterThan(1);
    expect(usage?.output).toBeGreaterThan(50);
    const known = events.flatMap((event) => (event.type === 'plan-step-known' ? [event.step] : []));
    expect(known[0]).toEqual(workflow.steps[0]);
    const order = events.map(({ type }) => type);
    const [first, last] = [order.indexOf('plan-step-known'), order.lastIndexOf('plan-delta')];
    expect(first).toBeGreaterThan(order.indexOf('plan-delta'));
    expect(last).toBeGreaterThan(first);
  });
});

describe('a run with a local Conductor', () => {
  it('calls the first worker while the model is still writing', { timeout: 60_000 }, async () => {
    let calls = 0;
    const worker: WorkerClient = {
      async *run() {
        calls += 1;
        yield { type: 'delta', channel: 'content', text: 'done' };
        yield { type: 'finished', usage: { input: 1, output: 1 }, cost: 0, finishReason: 'stop' };
      },
    };
    const { type: _type, schema: _schema, ...start } = runStarted({ conductor: INFO, seed, maxSteps: MOST_STEPS });
    const dependencies = {
      conductor: conductor(),
      workers: () => worker,
      journal: new MemoryStore(),
      clock: systemClock,
      digest: (text: string) => `${text.length} characters`,
    };
    const events: RunEvent[] = [];
    let callsBeforePlanned = 0;
    const run = execute({ runId: 'run-local', start }, dependencies, new AbortController().signal);
    for await (const event of run) {
      events.push(event);
      if (event.type === 'plan-finished') callsBeforePlanned = calls;
    }
    const seqOf = (type: RunEvent['type']) => events.find((event) => event.type === type)?.seq ?? Number.NaN;
    expect(events.at(-1)).toMatchObject({ type: 'run-finished' });
    expect(seqOf('step-started')).toBeLessThan(seqOf('plan-finished'));
    expect(seqOf('step-finished')).toBeLessThan(seqOf('plan-finished'));
    const written = events.filter(({ type, seq }) => type === 'plan-delta' && seq > seqOf('step-started'));
    expect(written.length).toBeGreaterThan(0);
    expect(callsBeforePlanned).toBeGreaterThan(0);
  });
});
