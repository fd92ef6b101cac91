/** @file Paid calls to the judge of a batch: a worker that grades answers. The events of the graded run record these calls. */
import type { Usage } from '../model/message';
import { append, replaceAt } from './fold-arrays';

/** A paid call to the judge of a batch. */
export interface JudgeCall {
  /** The batch that paid for the call. */
  readonly batchId: string;
  /** Digest of the judge, the judge's settings, the task and the answer. */
  readonly sha256: string;
  readonly usage: Usage | null;
  /** US dollars. `null`: unknown. */
  readonly cost: number | null;
  readonly billed?: boolean;
  /**
   * Set in the record that is stored before the call is sent. In this record, `cost` is the maximum cost of
   * the call. When the call has ended, another record replaces this record. If the page closes before the
   * call ends, the maximum cost counts.
   */
  readonly pending?: true;
}

/** A call to a judge with its verdict. */
export interface Judged extends JudgeCall {
  /** The verdict. `null`: the judge gave no verdict. */
  readonly correct: boolean | null;
  readonly detail: string;
}

/**
 * Adds a call to the list of judge calls. The record of an ended call replaces the last pending record with the same batch and
 * digest.
 */
export function addJudged(judged: readonly Judged[], call: Judged): readonly Judged[] {
  const isOpen = ({ pending, batchId, sha256 }: Judged) =>
    pending === true && batchId === call.batchId && sha256 === call.sha256;
  const index = call.pending ? -1 : judged.findLastIndex(isOpen);
  return index < 0 ? append(judged, call) : replaceAt(judged, index, call);
}

/** Money in US dollars, and the number of calls whose cost is unknown. */
export interface Cost {
  readonly usd: number;
  readonly unpriced: number;
}

export const NO_COST: Cost = { usd: 0, unpriced: 0 };

export function addCosts(one: Cost, other: Cost): Cost {
  return { usd: one.usd + other.usd, unpriced: one.unpriced + other.unpriced };
}

/** @param usd US dollars. `null`: unknown */
export function costOfCall(usd: number | null): Cost {
  return usd === null ? { usd: 0, unpriced: 1 } : { usd, unpriced: 0 };
}

/**
 * The part of a run's cost that a batch has paid. Calls to judges are not included. A batch pays from the
 * moment when it starts or resumes the run, until another batch resumes the run.
 */
export function paidBy(batchId: string, { batch, resumedFor, spent }: PaidRun): Cost {
  const starts = [{ batchId: batch?.id, ...NO_COST }, ...resumedFor];
  return starts.reduce((sum, start, index) => {
    if (start.batchId !== batchId) return sum;
    const end = starts[index + 1] ?? spent;
    return addCosts(sum, { usd: end.usd - start.usd, unpriced: end.unpriced - start.unpriced });
  }, NO_COST);
}

interface PaidRun {
  readonly batch: { readonly id: string } | null;
  readonly resumedFor: readonly (Cost & { readonly batchId: string })[];
  readonly spent: Cost;
}

/** The cost of a batch's judge for one run. */
export function judgeCost({ judged }: { readonly judged: readonly Judged[] }, batchId: string): Cost {
  return judged.reduce((sum, call) => (call.batchId === batchId ? addCosts(sum, costOfCall(call.cost)) : sum), NO_COST);
}

/** Whether the grade of a run is the verdict of a judge. */
export function isJudged({
  grade,
  judged,
}: {
  readonly grade: { readonly by: string; readonly correct: boolean | null; readonly detail: string } | null;
  readonly judged: readonly Judged[];
}): boolean {
  return (
    grade?.by === 'grader' && judged.some(({ correct, detail }) => correct === grade.correct && detail === grade.detail)
  );
}
