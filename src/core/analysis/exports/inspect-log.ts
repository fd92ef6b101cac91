/**
 * @file Writes runs as eval logs (version 2, JSON) of Inspect, a framework that evaluates language models. A log has the runs of
 * one method on one dataset, because Inspect shows one score for each log. Each run becomes a sample. If the run belongs to a
 * batch, the sample's id is the task, and the sample's epoch is the number of the repeat, counted from 1. The results come before
 * the samples, because Inspect reads the header of a log only up to the first sample.
 */
import { judgeRun, withFiles, type Run, type RunSummary } from '../../contract';
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

/** The runs of one log: a method on a dataset in a batch, or the runs of a Conductor outside of batches. */
export interface LogGroup {
  /** Equal for all runs of the log. */
  readonly key: string;
  /** Name of the dataset. */
  readonly tasks: string;
  /** Name of the method. */
  readonly method: string;
  /** Id of the batch. `null`: the runs belong to no batch. */
  readonly batch: string | null;
}

const NO_TASKS = 'runs';

export function logGroupOf({ run: { batch, conductor }, facts }: Pick<RunRecord, 'run' | 'facts'>): LogGroup {
  if (!batch) {
    return { key: JSON.stringify([conductor.id]), tasks: NO_TASKS, method: conductor.label, batch: null };
  }
  return {
    key: JSON.stringify([batch.id, batch.dataset, batch.method]),
    tasks: facts?.dataset ?? batch.dataset,
    method: facts?.method ?? batch.method,
    batch: batch.id,
  };
}

/**
 * The name of a log's file. Inspect lists a JSON file only if its name begins with a time.
 * @param number number of the log in the export, from 1, so that no two names are equal
 */
export function logName({ tasks, method }: LogGroup, { now }: LogOptions, number: number): string {
  const plain = (text: string) => text.replaceAll(/[^\p{L}\p{N}.]+/gu, '-').slice(0, 60);
  return `${iso(now).slice(0, 19).replaceAll(':', '-')}_${plain(tasks)}_${plain(method)}-${number}.json`;
}

/**
 * Collects facts about all runs of a log. The header of the log needs these facts before the first run is written. Add only runs
 * that will be written.
 */
export class LogOverview {
  readonly group: LogGroup;
  runs = 0;
  /** Number of repeats. */
  epochs = 1;
  graded = 0;
  correct = 0;
  startedAt = Infinity;
  endedAt = -Infinity;
  readonly #samples = new Set<string>();

  constructor(group: LogGroup) {
    this.group = group;
  }

  add({ id, batch }: Pick<Run, 'id' | 'batch'>, { correct, startedAt, time }: RunSummary): void {
    this.runs += 1;
    if (correct !== null) this.graded += 1;
    if (correct === true) this.correct += 1;
    this.startedAt = Math.min(this.startedAt, startedAt);
    this.endedAt = Math.max(this.endedAt, startedAt + time);
    this.epochs = Math.max(this.epochs, 1 + (batch?.repeat ?? 0));
    this.#samples.add(batch?.task ?? id);
  }

  /** Number of tasks, without repeats. */
  get samples(): number {
    return this.#samples.size;
  }
}

/** The log up to its first sample. @param number number of the log in the export, from 1 */
export function logStart({ app, now }: LogOptions, overview: LogOverview, number: number): string {
  const { runs, graded, correct, startedAt, endedAt, group, samples, epochs } = overview;
  const created = iso(now);
  const id = `podium-${now}-${number}`;
  const accuracy = graded === 0 ? [] : [['accuracy', { name: 'accuracy', value: correct / graded, params: {} }]];
  const header = {
    version: 2,
    status: 'success',
    eval: {
      eval_id: id,
      run_id: group.batch ?? `podium-${now}`,
      created,
      task: group.tasks,
      task_id: id,
      task_version: 0,
      task_attribs: {},
      task_args: {},
      task_args_passed: {},
      dataset: { name: group.tasks, samples },
      model: `podium/${group.method}`,
      model_generate_config: {},
      model_args: {},
      config: { epochs },
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
    const name = batch?.task ?? id;
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

function sampleText({ run, events, facts }: RunRecord, { id, epoch }: SampleId): string {
  const clock = wallClockOf(events);
  const input = withFiles(run.question.text, run.question.files);
  const question = { role: 'user', content: input };
  const answer = run.answer === null ? [] : [{ role: 'assistant', content: run.answer, source: 'generate' }];
  const model = `podium/${run.conductor.label}`;
  const { format, reward } = judgeRun(run);
  const sample = {
    id,
    epoch,
    input,
    target: facts?.reference ?? '',
    messages: [question, ...answer],
    output: modelOutput(model, run.answer, '', 'stop', null, run.time),
    metadata: {
      run_id: run.id,
      conductor: run.conductor,
      status: run.status,
      ...(run.early ? { ended_early: true } : {}),
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
