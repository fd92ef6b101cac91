/** @file Makes the outcome of a unit (see `units.ts`) from its run and its grading. */
import { roleOf } from '../../analysis/roles';
import {
  judgeCost,
  judgeRun,
  leftOutSteps,
  paidBy,
  spentOnAnswer,
  type Outcome,
  type OutcomeStep,
  type Run,
  type Unit,
} from '../../contract';
import type { Grading } from './grading';

/** Makes the outcome of a unit. @param run `null`: the run could not start, or the task is missing */
export function outcomeOf(batchId: string, unit: Unit, run: Run | null, grading: Grading): Outcome {
  const { dataset, taskId, method, repeat } = unit;
  const place = { batchId, dataset, taskId, method, repeat, ...grading };
  if (!run) {
    return {
      ...place,
      format: null,
      steps: [],
      rounds: 0,
      calls: 0,
      inputTokens: 0,
      outputTokens: 0,
      usd: 0,
      elapsed: 0,
    };
  }
  const spent = spentOnAnswer(run);
  const judge = judgeCost(run, batchId);
  const leftOut = leftOutSteps(run).length;
  return {
    ...place,
    runId: run.id,
    ...(run.batch && run.batch.id !== batchId ? { isReused: true } : {}),
    format: formatOf(run),
    ...(isUninformed(run) ? { isUninformed: true } : {}),
    steps: stepsOf(run),
    rounds: run.rounds.length,
    calls: spent.calls,
    inputTokens: spent.input,
    outputTokens: spent.output,
    usd: spent.usd,
    ...(spent.unpriced > 0 ? { unpriced: spent.unpriced } : {}),
    ...(leftOut > 0 ? { leftOut } : {}),
    ...(run.resumedFor.length > 0 ? { paid: paidBy(batchId, { ...run, spent }) } : {}),
    ...(judge.usd > 0 || judge.unpriced > 0 ? { judge } : {}),
    elapsed: run.time,
  };
}

/** Whether the model's first answer was a valid workflow. `null`: no model wrote the plan, or its answer is unknown. */
function formatOf(run: Run): boolean | null {
  const plan = run.rounds[0]?.plan;
  return plan && plan.messages.length > 0 ? judgeRun(run).format : null;
}

/** Whether the plans chose workers by what is known about them, but nothing was known. */
function isUninformed({ rounds }: Run): boolean {
  const choices = rounds.flatMap(({ plan }) => plan?.choices ?? []);
  return choices.length > 0 && choices.every(({ basis }) => basis === 'order');
}

function stepsOf({ rounds, pool }: Run): OutcomeStep[] {
  return rounds.flatMap(({ plan, steps }) => {
    if (plan?.status !== 'finished') return [];
    const planned = steps.map(({ step }) => step);
    return steps.flatMap(({ step, index, settled }) => {
      const worker = pool[step.worker];
      if (!worker || worker.kind === 'conductor' || settled) return [];
      return { workerId: worker.id, role: roleOf(planned, index) };
    });
  });
}
