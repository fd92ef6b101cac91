/** @file The graders of batches. The page has all graders. A Web Worker has only those that run no programs and call no judge. */
import { loadOnce, type PoolWorker } from '../../core/contract';
import type { UnitGraders } from '../../core/evaluation/batches';
import { checkGradable, graderFor, type GraderParts } from '../../core/graders/grader-for';

/** The graders that work in a Web Worker. */
export function pureGraders(): UnitGraders {
  return {
    graderFor: (kind, profile) => graderFor(kind, profile),
    checkGradable: (task, _judge, signal) => checkGradable(task, {}, signal),
  };
}

/**
 * All graders.
 * @param load loads what the graders need to run programs and to call the judge. If there is no judge, the argument is `null`.
 * Called once for each judge, and again after its price or settings have changed
 */
export function gradersWith(load: (judge: PoolWorker | null) => Promise<GraderParts>): UnitGraders {
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
  };
}
