/** @file The plan of the tool *compare*: several workers answer the same task, and one worker says where they disagree. */
import * as z from 'zod';
import { parseJson, type PoolWorker, type Run, type Workflow } from '../../core/contract';
import { sameAnswers } from '../../core/graders/same-answers';
import { faultText } from '../fault-text';
import { withoutFence } from '../serve/model/answer-form';

const texts = z.array(z.string());

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
    .describe('Groups of workers whose short final answers are the same. Empty if no answer is short'),
  analysis: analysis.nullable().describe('null: there is none yet, or the worker wrote none'),
});
export type ComparisonContent = z.infer<typeof comparisonContent>;

const TASK = 'Answer the overall task by yourself. Be complete, and end with your final answer.';
const ANALYSIS = `Compare the responses, which are by different models. Don't answer the task yourself. Answer with JSON of this form and no other text: {"consensus": ["…"], "contradictions": ["…"], "gaps": ["…"], "unique_insights": ["…"], "blind_spots": ["…"]}. consensus: what all responses agree on. contradictions: where they disagree, and which response says what. gaps: what only some responses cover. unique_insights: what only one response says. blind_spots: what no response considers.`;

/** @param workers indexes in the pool. @param analyst index of the worker that compares the answers */
export function comparisonPlan(workers: readonly number[], analyst: number): Workflow {
  const answers = workers.map((worker) => ({ worker, subtask: TASK, access: [] }));
  return { steps: [...answers, { worker: analyst, subtask: ANALYSIS, access: answers.map((_, index) => index) }] };
}

export function comparisonOf({ rounds, pool }: Run): ComparisonContent {
  const steps = rounds[0]?.steps ?? [];
  const nameOf = (worker: number) => pool[worker]?.name ?? 'unknown';
  const answers = steps.slice(0, -1).map(({ step, output, fault }) => {
    return { worker: nameOf(step.worker), answer: output, error: fault ? faultText(fault) : null };
  });
  const read = analysis.safeParse(parseJson(withoutFence(steps.at(-1)?.output ?? '')));
  return { answers, agreeing: agreeing(answers), analysis: read.success ? read.data : null };
}

function agreeing(answers: ComparisonContent['answers']): string[][] {
  const groups: { readonly answer: string; readonly workers: string[] }[] = [];
  for (const { worker, answer } of answers) {
    if (answer === null || sameAnswers(answer, answer) === null) continue;
    const same = groups.find((group) => sameAnswers(group.answer, answer));
    if (same) same.workers.push(worker);
    else groups.push({ answer, workers: [worker] });
  }
  return groups.map(({ workers }) => workers);
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
