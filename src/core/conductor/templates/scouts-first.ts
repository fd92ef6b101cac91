/**
 * @file A template in which the two cheapest workers of different families answer first. If their answers agree, no other worker is
 * called. Otherwise the best worker sees both answers, another worker checks its answer, and the best worker repairs it.
 */
import { modelFamily } from '../../analysis/suggest-pool';
import { isFree, type PlanRequest, type PoolWorker, type Step } from '../../contract';
import { rankWorkers } from '../ranking';
import { SUBTASK } from '../wording';
import { inTurn, nameOf, oneStep, template } from './template';

const DECIDE =
  'Decide on the one right answer: the responses that you see disagree or cannot be compared, so solve the task yourself, compare, and end with one full result.';

export const scoutsFirst = template('scouts-first', (request) => {
  const best = inTurn(rankWorkers(request, 'solve'), 0);
  const [one, other] = scoutsOf(request);
  if (one === undefined || other === undefined || request.maxSteps < 3) {
    return { workflow: { steps: [oneStep(best)] }, thought: 'Scouts need two workers and three steps.' };
  }
  const agreement = { among: [0, 1], rule: 'all' } as const;
  const solve: Step = { worker: best, subtask: DECIDE, access: [0, 1], role: 'decide', agreement };
  const steps = [oneStep(one), oneStep(other), solve];
  const checker = rankWorkers(request, 'verify').find((worker) => worker !== best);
  if (checker !== undefined && request.maxSteps >= 5) {
    steps.push({ worker: checker, subtask: SUBTASK.verify, access: [2], role: 'verify' });
    steps.push({ worker: best, subtask: SUBTASK.refine, access: [2, 3], role: 'refine' });
  }
  return {
    workflow: { steps },
    thought: `If ${nameOf(request, one)} and ${nameOf(request, other)} agree, their answer is probably right, and the rest is not needed.`,
  };
});

/** The cheapest worker, and the cheapest of another family. Without another family: the two cheapest. Of equal prices, the better. */
function scoutsOf(request: PlanRequest): readonly number[] {
  const cheapest = rankWorkers(request, 'solve').toSorted(
    (one, other) => priceOf(request, one) - priceOf(request, other),
  );
  const [first] = cheapest;
  if (first === undefined) return [];
  const others = cheapest.slice(1);
  const family = familyOf(request.pool[first]);
  const second = others.find((worker) => familyOf(request.pool[worker]) !== family) ?? others[0];
  return second === undefined ? [first] : [first, second];
}

/** US dollars for a million input and a million output tokens. Infinite if unknown. */
function priceOf({ pool }: PlanRequest, index: number): number {
  const worker = pool[index];
  if (!worker) return Infinity;
  if (isFree(worker)) return 0;
  return worker.price ? worker.price.input + worker.price.output : Infinity;
}

function familyOf(worker: PoolWorker | undefined): string {
  return worker ? modelFamily(worker.model) : '';
}
