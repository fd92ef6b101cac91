/** @file Defines the table of steps in CSV and Parquet exports. */
import { roleOf } from '../roles';
import { between, costOfAttempts, stepsOf, usageOf, type RunStep } from './step-figures';
import { defineTable } from './table';

interface StepRow extends RunStep {
  readonly usage: ReturnType<typeof usageOf>;
  readonly provider: string | null;
}

export const STEPS_TABLE = defineTable<StepRow>(
  'One row per step. The calls of a retried step are added up.',
  ({ run, providerOf }) =>
    stepsOf(run).map((step) => {
      const origin = step.worker?.origin ?? null;
      const provider = origin === null ? null : providerOf(origin);
      return { ...step, usage: usageOf(step.step.attempts), provider };
    }),
  {
    run_id: { type: 'text', about: 'Id of the run.', of: ({ run }) => run.id },
    round: { type: 'integer', about: 'Round, from 0.', of: ({ round }) => round },
    step: { type: 'integer', about: 'Step in its round, from 0.', of: ({ step }) => step.index },
    status: {
      type: 'text',
      about:
        '`planned`, `queued`, `running`, `finished`, `failed`, `skipped`, `settled` (not called, because the answer was settled), `reused`, `discarded` (its plan was replaced), `cancelled`, `interrupted` or `recursed` (it led to the next round).',
      of: ({ step }) => step.status,
    },
    role: {
      type: 'text',
      about: 'Stated by the Conductor, or else inferred: `plan`, `solve`, `verify`, `refine`, `aggregate` or `decide`.',
      of: ({ step, steps }) => {
        const at = steps.indexOf(step);
        const workflow = steps.map((each) => each.step);
        return roleOf(workflow, at);
      },
    },
    subtask: { type: 'text', about: 'The instruction for the worker.', of: ({ step }) => step.step.subtask },
    access: {
      type: 'json',
      about: 'The earlier steps of the round that the step sees, as a list of numbers from 0.',
      of: ({ step }) => JSON.stringify(step.step.access),
    },
    sees_earlier: {
      type: 'boolean',
      about: 'Whether the step also sees earlier rounds.',
      of: ({ step }) => step.step.seesEarlier === true,
    },
    worker_id: { type: 'text', about: 'Id of the worker.', of: ({ worker }) => worker?.id ?? null },
    worker: { type: 'text', about: 'Name of the worker.', of: ({ worker }) => worker?.name ?? null },
    worker_kind: {
      type: 'text',
      about: '`simulated`, `endpoint`, `local`, `python`, `recorded` or `conductor`.',
      of: ({ worker }) => worker?.kind ?? null,
    },
    model: { type: 'text', about: 'Model of the worker.', of: ({ worker }) => worker?.model ?? null },
    provider: {
      type: 'text',
      about: 'Provider at the worker’s address, by its name in OpenTelemetry. Empty if unknown.',
      of: ({ provider }) => provider,
    },
    origin: {
      type: 'text',
      about: 'Origin of the worker’s address. Empty if nothing left the browser.',
      of: ({ worker }) => worker?.origin ?? null,
    },
    attempts: {
      type: 'integer',
      unit: 'calls',
      about: 'Attempts, retries included.',
      of: ({ step }) => step.attempts.length,
    },
    started_ms: {
      type: 'number',
      unit: 'ms',
      about: 'Active time of the run when the first attempt started. Empty if no attempt started.',
      of: ({ step }) => step.attempts[0]?.startedAt ?? null,
    },
    ended_ms: {
      type: 'number',
      unit: 'ms',
      about: 'Active time of the run when the last attempt ended. Empty if it has not ended.',
      of: ({ step }) => step.attempts.at(-1)?.endedAt ?? null,
    },
    wait_ms: {
      type: 'number',
      unit: 'ms',
      about: 'How long the last attempt waited before it was sent.',
      of: ({ step: { attempts } }) => between(attempts.at(-1)?.startedAt, attempts.at(-1)?.leftAt),
    },
    latency_ms: {
      type: 'number',
      unit: 'ms',
      about: 'Time from sending the last attempt until it ended.',
      of: ({ step: { attempts } }) => between(attempts.at(-1)?.leftAt, attempts.at(-1)?.endedAt),
    },
    time_to_first_ms: {
      type: 'number',
      unit: 'ms',
      about: 'Time from sending the last attempt until its first text arrived.',
      of: ({ step: { attempts } }) => between(attempts.at(-1)?.leftAt, attempts.at(-1)?.firstTokenAt),
    },
    input_tokens: {
      type: 'integer',
      unit: 'tokens',
      about: 'Input of all attempts. Empty if unknown.',
      of: ({ usage }) => usage?.input ?? null,
    },
    output_tokens: {
      type: 'integer',
      unit: 'tokens',
      about: 'Output of all attempts, reasoning included. Empty if unknown.',
      of: ({ usage }) => usage?.output ?? null,
    },
    reasoning_tokens: {
      type: 'integer',
      unit: 'tokens',
      about: 'The part of the output that is reasoning, if reported.',
      of: ({ usage }) => usage?.reasoning ?? null,
    },
    cached_tokens: {
      type: 'integer',
      unit: 'tokens',
      about: 'The part of the input that was read from the provider’s cache, if reported.',
      of: ({ usage }) => usage?.cached ?? null,
    },
    tokens_estimated: {
      type: 'boolean',
      about: 'Whether token counts are estimates. Empty if unknown.',
      of: ({ usage }) => usage?.estimated ?? null,
    },
    usd: {
      type: 'number',
      unit: 'USD',
      about: 'Cost of all attempts. Empty if the cost of an attempt is unknown.',
      of: ({ step }) => costOfAttempts(step.attempts),
    },
    finish_reason: {
      type: 'text',
      about: 'Why the model stopped: `stop`, `length`, `content-filter` or `other`. Empty if unknown.',
      of: ({ step }) => step.attempts.at(-1)?.finishReason ?? null,
    },
    output: {
      type: 'text',
      about: 'The output that later steps see. Empty if there is none.',
      of: ({ step }) => step.output,
    },
    verdicts: {
      type: 'json',
      about:
        'What a check said about each answer that it saw: a list of steps and `right`, `wrong` or `unsure`. Empty if it was not asked.',
      of: ({ step }) => (step.verdicts ? JSON.stringify(step.verdicts) : null),
    },
    settled_from: {
      type: 'integer',
      about: 'For `settled`: the step whose answer the output is. Empty for other steps.',
      of: ({ step }) => step.settled?.from ?? null,
    },
    settled_by: {
      type: 'json',
      about:
        'For `settled`: the checks that found the answer right, or the attempts that agree, as a list of numbers from 0. Empty for other steps.',
      of: ({ step }) => (step.settled ? JSON.stringify(step.settled.evidence) : null),
    },
    fault_code: {
      type: 'text',
      about: 'Why the step failed. Empty if it did not fail.',
      of: ({ step }) => step.fault?.code ?? null,
    },
  },
);
