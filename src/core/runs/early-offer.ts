/**
 * @file What the user can get by ending a run early: the best answer so far, and one more call that combines the finished steps.
 * Lazy-loaded during a run, because it needs the rules that recognize roles.
 */
import { ANSWERING, roleOf } from '../analysis/roles';
import {
  canSee,
  estimateInput,
  renderPrompt,
  samplingOf,
  sourcesOf,
  workerPrompt,
  worstCost,
  worstInput,
  type EarlyEnd,
  type PoolWorker,
  type Run,
} from '../contract';
import { combiningStep } from '../executor/combining';
import type { PriceRange } from './price-range';

export interface EarlyOffer {
  /** The newest step with an output. Checks and plans only count if no step has an answer. */
  readonly latest: EarlyEnd;
  /** `null`: fewer than two steps have an output, or no worker can combine them. */
  readonly combining: CombiningOffer | null;
}

interface CombiningOffer {
  /** Index in the pool. */
  readonly worker: number;
  /** Number of steps with an output. */
  readonly steps: number;
  /** `null`: the price is unknown. */
  readonly range: PriceRange | null;
}

/** @returns `null` if no step has an output yet, or if the run is already being ended early */
export function earlyOffer(run: Run): EarlyOffer | null {
  if (run.early || run.status !== 'running') return null;
  const finished = run.rounds.flatMap(({ round, steps }) => {
    const planned = steps.map(({ step }) => step);
    return steps.flatMap(({ index, step, output }) =>
      output === null
        ? []
        : [{ round, step: index, worker: step.worker, isAnswer: ANSWERING.has(roleOf(planned, index)) }],
    );
  });
  const best = finished.findLast(({ isAnswer }) => isAnswer) ?? finished.at(-1);
  if (!best) return null;
  const worker = finished.length < 2 ? null : combinerOf(run, best.worker);
  return {
    latest: { round: best.round, step: best.step },
    combining: worker === null ? null : { worker, steps: finished.length, range: combiningCost(run, worker) },
  };
}

const WRITERS: ReadonlySet<PoolWorker['kind']> = new Set(['endpoint', 'local', 'simulated']);

/** The worker of the last planned step, or else of the best step. Prefers a worker without a failed step. */
function combinerOf(run: Run, best: number): number | null {
  const planned = run.rounds.at(-1)?.steps.map(({ step }) => step.worker) ?? [];
  const able = [...planned.toReversed(), best].filter((worker) => WRITERS.has(run.pool[worker]?.kind ?? 'conductor'));
  const failed = new Set(
    run.rounds.flatMap(({ steps }) => steps.flatMap(({ step, status }) => (status === 'failed' ? [step.worker] : []))),
  );
  return able.find((worker) => !failed.has(worker)) ?? able[0] ?? null;
}

/** Tokens of a short answer, for the lower end of the cost. */
const SHORT_ANSWER = 150;

function combiningCost(run: Run, index: number): PriceRange | null {
  const worker = run.pool[index];
  if (!worker) return null;
  const step = combiningStep(index);
  const round = run.rounds.length;
  const played = run.rounds.map(({ steps }) => ({ outputs: steps.map(({ output }) => output) }));
  const hashes = run.question.images?.map(({ hash }) => hash) ?? [];
  const prompt = workerPrompt({ steps: [step] }, round, 0, { hashes, sent: canSee(worker) }, played);
  const { question, subtask, output } = sourcesOf(run);
  const ownSubtask = (at: number, place: number) => (at === round ? step.subtask : subtask(at, place));
  const messages = renderPrompt(prompt, { question, subtask: ownSubtask, output });
  const { maxTokens } = samplingOf(worker, run.sampling);
  const low = worstCost(worker, estimateInput(messages), Math.min(SHORT_ANSWER, maxTokens));
  const high = worstCost(worker, worstInput(messages), maxTokens);
  return low === null || high === null ? null : { low, high };
}
