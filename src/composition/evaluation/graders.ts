/** @file The graders of batches. In a Worker, only graders that need neither the sandbox nor a judge. On the page, all of them. */
import { loadOnce } from '../../core/contract';
import type { UnitGraders } from '../../core/evaluation/batches';
import { checkGradable, graderFor, type GraderParts } from '../../core/graders/grader-for';

/** Graders without programs and without a judge. */
export function pureGraders(): UnitGraders {
  return {
    graderFor: (kind, profile) => graderFor(kind, profile),
    checkGradable: (task, _judge, signal) => checkGradable(task, {}, signal),
  };
}

/** @param load loads what the graders need. Called once for each judge */
export function gradersWith(load: (judgeId: string | null) => Promise<GraderParts>): UnitGraders {
  const loaded = new Map<string | null, () => Promise<GraderParts>>();
  const partsFor = (id: string | null) => {
    const parts = loaded.get(id) ?? loadOnce(() => load(id), 'the graders');
    loaded.set(id, parts);
    return parts();
  };
  return {
    graderFor: async (kind, profile, judge) => graderFor(kind, profile, await partsFor(judge?.id ?? null)),
    checkGradable: async (task, judge, signal) => checkGradable(task, await partsFor(judge?.id ?? null), signal),
  };
}
