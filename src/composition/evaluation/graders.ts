/**
 * @file Creates the graders of batches. The page uses all graders. A Web Worker uses only graders that
 * don't run programs and don't call a judge.
 */
import { loadOnce, type PoolWorker } from '../../core/contract';
import type { UnitGraders } from '../../core/evaluation/batches/grading';
import type { TryProgram } from '../../core/evaluation/datasets/try-references';
import { checkGradable, graderFor, tryProgram } from '../../core/graders/grader-for';
import type { GraderParts } from '../../core/graders/grader-parts';

/** The graders that a Web Worker can use. */
export function pureGraders(): UnitGraders {
  return {
    graderFor: (kind, profile) => graderFor(kind, profile),
    checkGradable: (task, _judge, signal) => checkGradable(task, {}, signal),
  };
}

/**
 * All graders.
 * @param load loads the parts that run programs and call the judge. Its argument is `null` if there is no
 * judge. Called once for each judge, and again after the judge's price or settings have changed
 */
export function gradersWith(
  load: (judge: PoolWorker | null) => Promise<GraderParts>,
): UnitGraders & { readonly tryProgram: TryProgram } {
  const loaded = new Map<string, () => Promise<GraderParts>>();
  const partsFor = (judge: PoolWorker | null) => {
    const key = JSON.stringify(judge);
    const parts = loaded.get(key) ?? loadOnce(() => load(judge), 'the graders');
    loaded.set(key, parts);
    return parts();
  };
  return {
    graderFor: async (kind, profile, judge, room) =>
      graderFor(kind, profile, { ...(await partsFor(judge)), ...(room ? { judgeRoom: room } : {}) }),
    checkGradable: async (task, judge, signal) => checkGradable(task, await partsFor(judge), signal),
    tryProgram: async (task, signal) => tryProgram(task, await partsFor(null), signal),
  };
}
