/** @file Describes a run for clients of the MCP server: its plan, its steps, its cost and its answer. */
import * as z from 'zod';
import { roleOf } from '../../core/analysis/roles';
import { workerOf, type Round, type Run, type StepRun } from '../../core/contract';
import { faultText } from '../fault-text';

const stepContent = z.object({
  step: z.int().describe('Number of the step in its round, from 1'),
  round: z.int().describe('Number of the round, from 1'),
  worker: z.string(),
  role: z.string(),
  subtask: z.string(),
  sees: z.array(z.int()).describe('Numbers of the earlier steps whose output the step sees'),
  status: z.string(),
  tokens: z.int().nullable(),
  cost_usd: z.number().nullable().describe('null: unknown'),
  output: z.string().nullable().describe('null: the step has no output yet, or outputs were not requested'),
});

export const runContent = z.object({
  run: z.string().describe('Id of the run'),
  status: z.enum(['running', 'finished', 'failed', 'cancelled', 'interrupted']),
  question: z.string(),
  conductor: z.string(),
  answer: z.string().nullable(),
  steps: z.array(stepContent),
  calls: z.int(),
  tokens: z.int(),
  cost_usd: z.number().nullable().describe('Cost so far in US dollars. null: the cost of a call is unknown'),
  seconds: z.number(),
  error: z.string().nullable(),
});
export type RunContent = z.infer<typeof runContent>;

/** @param hasOutputs whether the outputs of the steps are included */
export function contentOf(run: Run, hasOutputs = false): RunContent {
  const { id, status, question, conductor, answer, rounds, spent, time, fault } = run;
  return {
    run: id,
    status,
    question: question.text,
    conductor: conductor.label,
    answer,
    steps: rounds.flatMap((round) => round.steps.map((step) => stepOf(run, round, step, hasOutputs))),
    calls: spent.calls,
    tokens: spent.input + spent.output,
    cost_usd: spent.unpriced > 0 ? null : spent.usd,
    seconds: Math.round(time / 100) / 10,
    error: fault ? faultText(fault) : null,
  };
}

function stepOf(run: Run, { round, steps }: Round, found: StepRun, hasOutputs: boolean): z.infer<typeof stepContent> {
  const { index, step, status, attempts, output } = found;
  const usages = attempts.flatMap(({ usage }) => usage ?? []);
  const costs = attempts.map(({ cost }) => cost);
  return {
    step: index + 1,
    round: round + 1,
    worker: workerOf(run, found)?.name ?? 'unknown',
    role: roleOf(
      steps.map((each) => each.step),
      index,
    ),
    subtask: step.subtask,
    sees: step.access.map((seen) => seen + 1),
    status,
    tokens: usages.length === 0 ? null : usages.reduce((sum, usage) => sum + usage.input + usage.output, 0),
    cost_usd: costs.reduce<number | null>((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0),
    output: hasOutputs ? output : null,
  };
}
