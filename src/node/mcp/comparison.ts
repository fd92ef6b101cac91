/** @file The plan of the tool *compare*: several workers answer the same task, and one worker says where they disagree. */
import * as z from 'zod';
import type { PoolWorker, Run, Workflow } from '../../core/contract';
import { ANALYSIS_FORM, readAnalysis } from '../../core/graders/answer-analysis';
import { disagreementOf } from '../../core/graders/disagreement';
import { faultText } from '../fault-text';

const texts = z.array(z.string()).readonly();

const analysis = z.object({
  consensus: texts.describe('What all answers agree on'),
  contradictions: texts.describe('Where answers disagree, and which workers say what'),
  gaps: texts.describe('What only some answers cover'),
  unique_insights: texts.describe('What only one answer says'),
  blind_spots: texts.describe('What no answer considers'),
});

export const comparisonContent = z.object({
  answers: z.array(z.object({ worker: z.string(), answer: z.string().nullable(), error: z.string().nullable() })),
  agreeing: z
    .array(texts)
    .describe(
      'Groups of workers whose short final answers are the same, the largest first. Empty if no answer is short',
    ),
  analysis: analysis.nullable().describe('null: there is none yet, or the worker wrote none'),
});
export type ComparisonContent = z.infer<typeof comparisonContent>;

const TASK = 'Answer the overall task by yourself. Be complete, and end with your final answer.';

/** @param workers indexes in the pool. @param analyst index of the worker that compares the answers */
export function comparisonPlan(workers: readonly number[], analyst: number): Workflow {
  const answers = workers.map((worker) => ({ worker, subtask: TASK, access: [] }));
  return { steps: [...answers, { worker: analyst, subtask: ANALYSIS_FORM, access: answers.map((_, index) => index) }] };
}

export function comparisonOf({ rounds, pool }: Run): ComparisonContent {
  const steps = rounds[0]?.steps ?? [];
  const nameOf = (worker: number) => pool[worker]?.name ?? 'unknown';
  const answers = steps.slice(0, -1).map(({ step, output, fault }) => {
    return { worker: nameOf(step.worker), answer: output, error: fault ? faultText(fault) : null };
  });
  const given = answers.flatMap(({ worker, answer }) => (answer === null ? [] : [{ by: worker, text: answer }]));
  const agreeing = disagreementOf(given).groups.map(({ by }) => by);
  return { answers, agreeing, analysis: readAnalysis(steps.at(-1)?.output ?? '') };
}

/** Finds workers by id or name. @returns the index of each, or the first name that is unknown */
export function indexesOf(
  names: readonly string[],
  pool: readonly PoolWorker[],
): { readonly indexes: readonly number[] } | { readonly unknown: string } {
  const found = names.map((wanted) => pool.findIndex(({ id, name }) => id === wanted || name === wanted));
  const missing = names[found.indexOf(-1)];
  return missing === undefined ? { indexes: found } : { unknown: missing };
}
