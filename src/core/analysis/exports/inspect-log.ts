/**
 * @file Writes runs as an eval log (version 2, JSON) of Inspect, a framework that evaluates language models. Each run becomes a
 * sample. If the run belongs to a batch, the sample's id is `task/method`, and the sample's epoch is the number of the repeat,
 * counted from 1. The results come before the samples, because Inspect reads the header of a log only up to the first sample.
 */
import { judgeRun, type Run, type RunSummary } from '../../contract';
import { planEvents, stepEvents } from './inspect-events';
import { iso, modelOutput, usageByModel } from './inspect-model';
import { stepsOf } from './step-figures';
import type { RunRecord } from './table';
import { wallClockOf } from './wall-clock';

const SCORER = 'grade';
const NOT_GRADED = 'NaN';

export interface LogOptions {
  /** The version of Podium. */
  readonly app: string;
  /** ms since the epoch. */
  readonly now: number;
}

/**
 * Collects facts about all runs of a log. The header of the log needs these facts before the first run is written. Add only runs
 * that will be written.
 */
export class LogOverview {
  runs = 0;
  graded = 0;
  correct = 0;
  startedAt = Infinity;
  endedAt = -Infinity;
  readonly #conductors = new Set<string>();

  add({ correct, conductor, startedAt, time }: RunSummary): void {
    this.runs += 1;
    if (correct !== null) this.graded += 1;
    if (correct === true) this.correct += 1;
    this.startedAt = Math.min(this.startedAt, startedAt);
    this.endedAt = Math.max(this.endedAt, startedAt + time);
    this.#conductors.add(conductor);
  }

  /** The Conductor of all runs. `several` if the runs have different Conductors, `none` if there are no runs. */
  get conductor(): string {
    const [first = 'none', ...others] = this.#conductors;
    return others.length > 0 ? 'several' : first;
  }
}

/** The log up to its first sample. */
export function logStart({ app, now }: LogOptions, overview: LogOverview): string {
  const { runs, graded, correct, startedAt, endedAt } = overview;
  const created = iso(now);
  const id = `podium-${now}`;
  const accuracy = graded === 0 ? [] : [['accuracy', { name: 'accuracy', value: correct / graded, params: {} }]];
  const header = {
    version: 2,
    status: 'success',
    eval: {
      eval_id: id,
      run_id: id,
      created,
      task: 'podium',
      task_id: id,
      task_version: 0,
      task_attribs: {},
      task_args: {},
      task_args_passed: {},
      dataset: { name: 'podium', samples: runs },
      model: `podium/${overview.conductor}`,
      model_generate_config: {},
      model_args: {},
      config: {},
      packages: { podium: app },
      scorers: [{ name: SCORER, metrics: [{ name: 'accuracy' }] }],
    },
    plan: { name: 'plan', steps: [], config: {} },
    results: {
      total_samples: runs,
      completed_samples: runs,
      scores: [
        {
          name: SCORER,
          scorer: SCORER,
          scored_samples: graded,
          unscored_samples: runs - graded,
          params: {},
          metrics: Object.fromEntries(accuracy),
        },
      ],
    },
    stats: {
      started_at: runs === 0 ? created : iso(startedAt),
      completed_at: runs === 0 ? created : iso(endedAt),
      model_usage: {},
      role_usage: {},
      connection_limit_history: [],
    },
    invalidated: false,
    tags: [],
    metadata: {},
  };
  return `${JSON.stringify(header).slice(0, -1)},"samples":[`;
}

export const LOG_END = ']}\n';

/** Writes samples. No two samples of the log have the same id and epoch. */
export class SampleWriter {
  readonly #names = new Set<string>();

  /** The sample of a run as JSON text. Every sample except the first begins with a comma. */
  sample(record: RunRecord): string {
    const comma = this.#names.size === 0 ? '' : ',';
    return comma + sampleText(record, this.#idOf(record.run));
  }

  #idOf({ id, batch }: Run): SampleId {
    const epoch = (batch?.repeat ?? 0) + 1;
    const name = batch ? `${batch.task}/${batch.method}` : id;
    const key = `${epoch} ${name}`;
    const unique = this.#names.has(key) ? `${name}/${id}` : name;
    this.#names.add(`${epoch} ${unique}`);
    return { id: unique, epoch };
  }
}

interface SampleId {
  readonly id: string;
  readonly epoch: number;
}

function sampleText({ run, events }: RunRecord, { id, epoch }: SampleId): string {
  const clock = wallClockOf(events);
  const question = { role: 'user', content: run.question.text };
  const answer = run.answer === null ? [] : [{ role: 'assistant', content: run.answer, source: 'generate' }];
  const model = `podium/${run.conductor.label}`;
  const { format, reward } = judgeRun(run);
  const sample = {
    id,
    epoch,
    input: run.question.text,
    // The target is empty, because a run does not contain the reference answer of its task.
    target: '',
    messages: [question, ...answer],
    output: modelOutput(model, run.answer, '', 'stop', null, run.time),
    metadata: {
      run_id: run.id,
      conductor: run.conductor,
      status: run.status,
      seed: run.seed,
      labels: run.labels,
      valid_plan: format,
      reward,
      usd: run.spent.unpriced > 0 ? null : run.spent.usd,
      unpriced_calls: run.spent.unpriced,
      parent: run.parent,
      batch: run.batch,
    },
    store: {},
    events: [
      ...run.rounds.flatMap((round) => planEvents(run, round, clock)),
      ...stepsOf(run).flatMap((step) => stepEvents(step, clock)),
    ],
    model_usage: usageByModel(run),
    role_usage: {},
    started_at: iso(run.startedAt),
    completed_at: iso(Math.max(run.startedAt, clock(run.time))),
    total_time: run.time / 1000,
    working_time: run.time / 1000,
    uuid: run.id,
    ...(run.fault ? { error: { message: run.fault.message, traceback: '', traceback_ansi: '' } } : {}),
    attachments: {},
  };
  // Inspect uses NaN for a sample that is not scored. `JSON.stringify` can't write NaN, so the value is inserted as text.
  const { value, ...score } = scoreOf(run);
  const scored = JSON.stringify(score).slice(1);
  return `${JSON.stringify(sample).slice(0, -1)},"scores":{"${SCORER}":{"value":${value},${scored}}}`;
}

/** The score of a run, as Inspect stores it. `value` is JSON text. */
function scoreOf({ grade, answer }: Run): { readonly value: string } & Readonly<Record<string, unknown>> {
  const correct = grade?.correct ?? null;
  return {
    value: correct === null ? NOT_GRADED : correct ? '"C"' : '"I"',
    answer,
    explanation: grade?.detail ?? null,
    metadata: { by: grade?.by ?? null, imported: grade?.imported === true },
    history: [],
  };
}
