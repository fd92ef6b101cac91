/**
 * @file Two baselines for comparisons: the best single worker, and an oracle. For each task, the oracle
 * chooses a worker with a correct answer, if there is one. Both baselines are computed from the results of
 * single workers.
 */
import { partsOf } from '../../conductor/solo';
import type { BatchPlan, GradingProfile, Method, Outcome } from '../../contract';
import { byDataset } from './workflows';
import { gradedAnswers, isCorrect, meanOf, scoreOf, type GradedAnswer } from './score';

/** Whether a method calls a single worker once. */
export function isSingleWorker({ settings: { conductor, pool }, ablation, equalCost }: Method): boolean {
  const { template, worker } = partsOf(conductor.id);
  return template === 'template:best-single' && (worker !== null || pool.length === 1) && !ablation && !equalCost;
}

/** Indexes of the single-worker methods. */
export function singleWorkers({ methods }: Pick<BatchPlan, 'methods'>): readonly number[] {
  return methods.flatMap((method, index) => (isSingleWorker(method) ? [index] : []));
}

/** The single-worker methods that think as much as they can, or the other ones. */
export function thinkingSingles({ methods }: Pick<BatchPlan, 'methods'>, mostThinking: boolean): readonly number[] {
  return singleWorkers({ methods }).filter(
    (index) => (methods[index]?.settings.sampling.mostThinking === true) === mostThinking,
  );
}

/**
 * Index of the single-worker method with the highest mean score over all datasets. Ignores a method if it has no score on one of
 * the datasets. In a tie, the first method wins. `null`: no single-worker method has a score on all datasets.
 * @param outcomes outcomes of each method, by the index of the method
 */
export function bestSingleWorker(
  plan: BatchPlan,
  outcomes: readonly (readonly Outcome[])[],
  profile: GradingProfile,
): number | null {
  let best: { method: number; mean: number } | null = null;
  for (const method of singleWorkers(plan)) {
    const scores = byDataset(outcomes[method] ?? [], plan.datasets.length).map((each) =>
      scoreOf(gradedAnswers(each, profile)),
    );
    const means = scores.flatMap((score) => (score ? [score.mean] : []));
    const mean = meanOf(means);
    if (mean === null || means.length < scores.length) continue;
    if (!best || mean > best.mean) best = { method, mean };
  }
  return best?.method ?? null;
}

export interface OracleAnswer extends GradedAnswer {
  /** Index into the plan's datasets. */
  readonly dataset: number;
}

/**
 * The answers of an oracle that chooses a worker with a correct answer whenever there is one. The oracle's
 * score is an upper limit for methods that choose one worker, but not for methods that combine workers.
 * Workers without any verdict are ignored. A repeat of a task counts only if the answer of every other
 * worker has a verdict. Incomplete repeats would bias the score.
 * @param outcomes outcomes of each method, by the index of the method
 */
export function oracleAnswers(
  plan: BatchPlan,
  outcomes: readonly (readonly Outcome[])[],
  profile: GradingProfile,
): readonly OracleAnswer[] {
  const hasVerdict = (outcome: Outcome) => isCorrect(outcome, profile) !== null;
  const methods = singleWorkers(plan).filter((method) => outcomes[method]?.some(hasVerdict));
  const units = new Map<string, OracleAnswer & { graded: number }>();
  for (const method of methods) {
    for (const outcome of outcomes[method] ?? []) {
      const correct = isCorrect(outcome, profile);
      if (correct === null) continue;
      const { dataset, taskId, repeat } = outcome;
      const key = `${dataset}:${repeat}:${taskId}`;
      const before = units.get(key);
      const now = {
        dataset,
        taskId,
        repeat,
        correct: correct || (before?.correct ?? false),
        graded: (before?.graded ?? 0) + 1,
      };
      units.set(key, now);
    }
  }
  return [...units.values()]
    .filter(({ graded }) => graded === methods.length)
    .map(({ graded: _graded, ...answer }) => answer);
}
