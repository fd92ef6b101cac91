/**
 * @file Writes and reads result files in the JSON format `podium-batch`. A file contains a batch with its plan
 * and its outcomes. It identifies tasks and datasets, but does not contain the tasks. Users who have the
 * same datasets can repeat the batch.
 */
import * as z from 'zod/mini';
import {
  boundsProblem,
  fault,
  FaultError,
  isMoment,
  isRecord,
  parseJson,
  unitKey,
  withoutTexts,
  type Batch,
  type BatchPlan,
  type Outcome,
} from '../../contract';
import { batchBoundsProblem, batchSchema } from '../../contract/evaluation/batch-schema';
import { outcomeSchema } from '../../contract/evaluation/outcome-schema';

const FORMAT = 'podium-batch';
/** Version of the format. Increase it if a change makes files unreadable for older versions of Podium. */
const VERSION = 1;

const fileShape = z.looseObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  app: z.string().check(z.maxLength(100)),
  exportedAt: z.number().check(z.refine(isMoment)),
  batch: z.unknown(),
  outcomes: z.array(z.unknown()),
});

export interface BatchFileOptions {
  /** The version of Podium. */
  readonly app: string;
  /** Ms since the epoch. */
  readonly exportedAt: number;
}

/** The text of the file. For confidential datasets, it omits all sentences that may quote a task or an answer. */
export function writeBatchFile(
  batch: Batch,
  outcomes: readonly Outcome[],
  { app, exportedAt }: BatchFileOptions,
): string {
  const shown = outcomes.map((outcome) =>
    batch.plan.datasets[outcome.dataset]?.isConfidential ? withoutTexts(outcome) : outcome,
  );
  const lines = shown.map((outcome) => JSON.stringify(outcome)).join(',\n');
  const head = JSON.stringify({ format: FORMAT, version: VERSION, app, exportedAt, batch });
  return `${head.slice(0, -1)},"outcomes":[\n${lines}\n]}\n`;
}

export interface BatchFile {
  /** The batch, marked as imported. */
  readonly batch: Batch;
  readonly outcomes: readonly Outcome[];
  /** The version of Podium that wrote the file. */
  readonly app: string;
}

/**
 * Reads the text of a file. Throws a `FaultError` (`bad-request`) if the file has another format or a newer
 * version, or is damaged.
 * @param id a new id for the imported batch, so that it can't replace a stored batch
 */
export function readBatchFile(text: string, id: string): BatchFile {
  const value = parseJson(text);
  if (value === undefined) refuse(TORN);
  const { format, version } = isRecord(value) ? value : {};
  if (format !== FORMAT)
    refuse('This file has no results of a batch. Choose a JSON file that you exported on Evaluate.');
  if (typeof version === 'number' && version > VERSION) {
    refuse(
      'These results were exported by a newer version of Podium. Reload the page to get that version, then try again.',
    );
  }
  const file = z.safeParse(fileShape, value);
  if (!file.success || batchBoundsProblem(file.data.batch) !== null) return refuse(DAMAGED);
  const parsed = z.safeParse(batchSchema, file.data.batch);
  if (!parsed.success) return refuse(DAMAGED);
  const outcomes = file.data.outcomes.map((each) => readOutcome(each, id));
  const { plan } = parsed.data;
  const isPlanned = planned(plan);
  if (!outcomes.every(isPlanned) || new Set(outcomes.map(unitKey)).size < outcomes.length) {
    refuse('The results in this file don’t match its plan. The file may have been edited. Export it again.');
  }
  return { batch: { ...parsed.data, id, isImported: true }, outcomes, app: file.data.app };
}

/** Reads an outcome. Its run id is removed, because the file doesn't contain the runs. */
function readOutcome(value: unknown, batchId: string): Outcome {
  const parsed = boundsProblem(value) === null ? z.safeParse(outcomeSchema, value) : null;
  if (!parsed?.success) return refuse(DAMAGED);
  const { runId: _runId, ...outcome } = parsed.data;
  return { ...outcome, batchId };
}

function planned({ datasets, methods, repeats }: BatchPlan): (outcome: Outcome) => boolean {
  const tasks = datasets.map(({ taskIds }) => new Set(taskIds));
  return ({ dataset, taskId, method, repeat }) =>
    (tasks[dataset]?.has(taskId) ?? false) && method < methods.length && repeat < repeats;
}

const DAMAGED = 'This file is damaged, so its results can’t be read. Export them again.';
const TORN = 'This file is incomplete or is not JSON. Export the results again, or choose another file.';

function refuse(message: string): never {
  throw new FaultError(fault('bad-request', message));
}
