import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  LOG_END,
  logGroupOf,
  logName,
  LogOverview,
  logStart,
  SampleWriter,
} from '../../../../src/core/analysis/exports/inspect-log';
import { summarize, type EventBody, type StoredEvent } from '../../../../src/core/contract';
import { endedRun } from '../../../fixtures/run-arbitrary';
import { finishedRunBodies, runStarted, stampEvents } from '../../../fixtures/run-events';
import { plannedAgain } from '../planned-again';
import { exportedRun, GRADE, recordOf } from './exported-run';

/*
 * The part of Inspect AI's log schema (`inspect-openapi.json` of 0.3.260) that Podium writes. The objects are strict, so that
 * misspelled fields are rejected.
 */
const anything = z.record(z.string(), z.unknown());
const nothing = z.strictObject({});
const time = z.iso.datetime();
const count = z.int().check(z.nonnegative());
const usage = z.strictObject({
  input_tokens: count,
  output_tokens: count,
  total_tokens: count,
  input_tokens_cache_read: z.optional(count),
  reasoning_tokens: z.optional(count),
  total_cost: z.optional(z.number()),
});
const content = z.union([
  z.string(),
  z.array(
    z.union([
      z.strictObject({ type: z.literal('text'), text: z.string() }),
      z.strictObject({ type: z.literal('reasoning'), reasoning: z.string(), redacted: z.boolean() }),
    ]),
  ),
]);
const assistant = z.strictObject({
  role: z.literal('assistant'),
  content,
  source: z.optional(z.literal('generate')),
  model: z.optional(z.string()),
});
const input = z.union([z.strictObject({ role: z.enum(['system', 'user']), content: z.string() }), assistant]);
const output = z.strictObject({
  model: z.string(),
  choices: z.array(
    z.strictObject({ message: assistant, stop_reason: z.enum(['stop', 'max_tokens', 'content_filter', 'unknown']) }),
  ),
  completion: z.string(),
  usage: z.optional(usage),
  time: z.optional(z.number()),
});
const moment = { timestamp: time, working_start: z.number(), span_id: z.string() };
const event = z.discriminatedUnion('event', [
  z.strictObject({
    event: z.literal('span_begin'),
    ...moment,
    id: z.string(),
    name: z.string(),
    type: z.string(),
    metadata: anything,
  }),
  z.strictObject({ event: z.literal('span_end'), ...moment, id: z.string() }),
  z.strictObject({
    event: z.literal('model'),
    ...moment,
    model: z.string(),
    role: z.string(),
    input: z.array(input),
    tools: z.tuple([]),
    tool_choice: z.literal('none'),
    config: z.strictObject({ temperature: z.optional(z.number()), max_tokens: z.optional(count) }),
    output,
    retries: z.optional(count),
    completed: time,
    working_time: z.number(),
    error: z.optional(z.string()),
  }),
]);
const score = z.strictObject({
  // `JSON.parse` rejects NaN. So `logOf` replaces NaN with `not graded`.
  value: z.enum(['C', 'I', 'not graded']),
  answer: z.nullable(z.string()),
  explanation: z.nullable(z.string()),
  metadata: anything,
  history: z.tuple([]),
});
const log = z.strictObject({
  version: z.literal(2),
  status: z.literal('success'),
  eval: z.strictObject({
    ...{ eval_id: z.string(), run_id: z.string(), created: time, task: z.string(), task_id: z.string() },
    ...{ task_version: count, task_attribs: nothing, task_args: nothing, task_args_passed: nothing },
    dataset: z.strictObject({ name: z.string(), samples: count }),
    ...{
      model: z.string(),
      model_generate_config: nothing,
      model_args: nothing,
      config: z.strictObject({ epochs: count }),
    },
    packages: z.record(z.string(), z.string()),
    scorers: z.array(z.strictObject({ name: z.string(), metrics: z.array(z.strictObject({ name: z.string() })) })),
  }),
  plan: z.strictObject({ name: z.string(), steps: z.tuple([]), config: nothing }),
  results: z.strictObject({
    total_samples: count,
    completed_samples: count,
    scores: z.array(
      z.strictObject({
        ...{ name: z.string(), scorer: z.string(), scored_samples: count, unscored_samples: count, params: nothing },
        metrics: z.record(z.string(), z.strictObject({ name: z.string(), value: z.number(), params: nothing })),
      }),
    ),
  }),
  stats: z.strictObject({
    started_at: time,
    completed_at: time,
    model_usage: nothing,
    role_usage: nothing,
    connection_limit_history: z.tuple([]),
  }),
  ...{ invalidated: z.boolean(), tags: z.tuple([]), metadata: nothing },
  samples: z.array(
    z.strictObject({
      ...{
        id: z.string(),
        epoch: z.int().check(z.positive()),
        input: z.string(),
        target: z.string(),
        uuid: z.string(),
      },
      messages: z.array(input),
      output,
      ...{ metadata: anything, store: nothing, attachments: nothing, role_usage: nothing },
      events: z.array(event),
      model_usage: z.record(z.string(), usage),
      ...{ started_at: time, completed_at: time, total_time: z.number(), working_time: z.number() },
      error: z.optional(z.strictObject({ message: z.string(), traceback: z.string(), traceback_ansi: z.string() })),
      scores: z.record(z.string(), score),
    }),
  ),
});

function logText(runs: readonly (readonly StoredEvent[])[]): string {
  const records = runs.map(recordOf);
  const overview = new LogOverview({ key: '', tasks: 'sums', method: 'Routing', batch: null });
  for (const { run } of records) overview.add(run, summarize(run));
  const writer = new SampleWriter();
  const samples = records.map((record) => writer.sample(record)).join('');
  return logStart({ app: '1.2.3', now: 1_770_000_000_000 }, overview, 1) + samples + LOG_END;
}

function logOf(runs: readonly (readonly StoredEvent[])[]) {
  return log.parse(JSON.parse(logText(runs).replaceAll('"value":NaN', '"value":"not graded"')));
}

describe('an Inspect log', () => {
  it('has the names of the dataset and the method, and the reference of each task as its target', () => {
    const batch = { id: 'b', dataset: 'd', task: 't', method: 'm', repeat: 1 };
    const record = recordOf(stampEvents([runStarted({ batch }), ...finishedRunBodies().slice(1)]));
    const facts = { batch: 'My batch', dataset: 'Sums', method: 'Routing by history', reference: '42' };
    expect(new SampleWriter().sample({ ...record, facts })).toContain('"target":"42"');
    const group = logGroupOf({ ...record, facts });
    expect(group).toMatchObject({ tasks: 'Sums', method: 'Routing by history', batch: 'b' });
    const options = { app: '1', now: 1_770_000_000_000 };
    expect(logName(group, options, 2)).toBe('2026-02-02T02-40-00_Sums_Routing-by-history-2.json');
    const overview = new LogOverview(group);
    overview.add(record.run, summarize(record.run));
    expect(JSON.parse(`${logStart(options, overview, 2)}${LOG_END}`)).toMatchObject({
      eval: {
        run_id: 'b',
        task: 'Sums',
        model: 'podium/Routing by history',
        dataset: { samples: 1 },
        config: { epochs: 2 },
      },
    });
    expect(logGroupOf(record), 'a deleted batch').toMatchObject({ tasks: 'd', method: 'm' });
  });

  it('matches the schema for any runs', () => {
    fc.assert(
      fc.property(fc.array(endedRun(), { maxLength: 3 }), (runs) => {
        expect(logOf(runs).samples).toHaveLength(runs.length);
      }),
      { numRuns: 40 },
    );
  });

  it('scores right answers C, wrong answers I and ungraded answers NaN, and excludes NaN from the accuracy', () => {
    const wrong = { ...GRADE, correct: false };
    const text = logText([exportedRun('a', [GRADE]), exportedRun('b', [wrong]), exportedRun('c')]);
    expect(text.match(/"scores":\{"grade":\{"value":("[CI]"|NaN),/g)).toEqual([
      '"scores":{"grade":{"value":"C",',
      '"scores":{"grade":{"value":"I",',
      '"scores":{"grade":{"value":NaN,',
    ]);
    const { results } = logOf([exportedRun('a', [GRADE]), exportedRun('b', [wrong]), exportedRun('c')]);
    expect(results.scores[0]).toMatchObject({
      scored_samples: 2,
      unscored_samples: 1,
      metrics: { accuracy: { value: 0.5 } },
    });
    expect(text.indexOf('"results"')).toBeLessThan(text.indexOf('"samples":['));
  });

  it('records each call with usage and cost in the span of its plan or step', () => {
    const [sample] = logOf([exportedRun()]).samples;
    expect(sample?.events.map((each) => [each.event, each.span_id])).toEqual([
      ...['span_begin', 'model', 'span_end'].map((name) => [name, 'plan-0']),
      ...['span_begin', 'model', 'model', 'span_end'].map((name) => [name, 'step-0-0']),
      ...['span_begin', 'model', 'span_end'].map((name) => [name, 'step-0-1']),
    ]);
    expect(sample?.events[5]).toMatchObject({
      model: 'large-1',
      retries: 1,
      input: [{ role: 'user', content: 'A private riddle' }],
      output: {
        completion: 'forty',
        choices: [{ stop_reason: 'max_tokens' }],
        usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15, total_cost: 0.001 },
      },
    });
    expect(sample?.events[7]).toMatchObject({ metadata: { access: [0], role: 'verify' } });
    expect(sample?.model_usage).toMatchObject({ 'planner-1': { total_cost: 0.002 }, 'large-1': { total_tokens: 15 } });
    expect(sample?.error?.message).toContain('secret detail');
  });

  it('records the usage of all planning calls, including candidates, retries and replaced plans', () => {
    const [sample] = logOf([plannedAgain()]).samples;
    const calls = sample?.events.flatMap((each) => (each.event === 'model' ? [each] : [])) ?? [];
    expect(calls.map(({ span_id, output: { completion } }) => [span_id, completion])).toEqual([
      ['plan-0-lost-0', 'candidate 0'],
      ['plan-0-lost-0', ''],
      ['plan-0', 'candidate 0'],
      ['plan-0', 'candidate 1'],
      ['plan-0', ''],
      ['plan-0', 'the plan'],
    ]);
    expect(calls[4]?.error).toBe('Too many calls.');
    expect(sample?.model_usage['planner-1']).toMatchObject({ input_tokens: 60, output_tokens: 10 });
    expect(sample?.model_usage['planner-1']?.total_cost).toBeCloseTo(0.16, 12);
    expect(sample?.model_usage['planner-1']).toMatchObject({ input_tokens_cache_read: 5 });
    expect(sample?.model_usage['planner-1'], 'no call reported reasoning').not.toHaveProperty('reasoning_tokens');
  });

  it('records the output limit of each planning call when retries raise the limit', () => {
    const raised = exportedRun().flatMap((event): EventBody[] => {
      if (event.type !== 'plan-finished') return [event];
      const { round, usage, cost } = event;
      const retry = (maxTokens: number): EventBody => ({
        ...{ type: 'plan-retried', round, problem: null, fault: null, text: '', usage, cost, next: 'stricter' },
        maxTokens,
      });
      const candidate: EventBody = {
        ...{ type: 'plan-candidate', round, candidate: 0, workflow: null, problem: null, text: '', usage, cost },
      };
      return [candidate, retry(1800), retry(3600), event];
    });
    const [sample] = logOf([stampEvents(raised)]).samples;
    const plans = sample?.events.flatMap((each) => (each.event === 'model' && each.role === 'conductor' ? each : []));
    expect(plans?.map(({ config }) => config.max_tokens)).toEqual([900, 900, 1800, 3600]);
  });

  it('records the output limit of a step’s call as lowered by a budget', () => {
    const lowered = exportedRun().map((event) =>
      event.type === 'step-finished' ? { ...event, outputLimit: 512 } : event,
    );
    const [sample] = logOf([lowered]).samples;
    const calls = sample?.events.flatMap((each) => (each.event === 'model' && each.role !== 'conductor' ? each : []));
    expect(calls?.map(({ config }) => config.max_tokens)).toEqual([4096, 512, 4096]);
  });

  it('names batch samples by task, numbers repeats as epochs, and avoids duplicate names', () => {
    const run = (runId: string, repeat: number) => {
      const batch = { id: 'b', dataset: 'd', task: 'task-7', method: 'policy', repeat };
      return stampEvents([runStarted({ batch }), ...finishedRunBodies().slice(1)], { runId });
    };
    const { samples } = logOf([run('x', 0), run('y', 1), run('z', 1)]);
    expect(samples.map(({ id, epoch }) => [id, epoch])).toEqual([
      ['task-7', 1],
      ['task-7', 2],
      ['task-7/z', 2],
    ]);
  });
});
