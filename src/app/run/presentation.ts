/** @file What a presentation of a run shows at a moment. *Next step* and *Previous step* move between moments, called stops. */
import { levelsOf, type StepPlace } from '../score/parts';
import type { Round, Run } from '../../core/contract';

/** The plan of a round, a step, or the answer. */
export type Scene =
  | { readonly kind: 'plan'; readonly round: number }
  | ({ readonly kind: 'step' } & StepPlace)
  | { readonly kind: 'answer' };

/** Moments at most this many ms apart count as one stop. For example, a run ends right after its last step. */
const MIN_STOP_GAP = 60;

/** The stops in ms of active time, in ascending order: the end of each plan, of each step, and of the run. */
export function stopsOf(run: Run): number[] {
  const plans = run.rounds.flatMap(({ plan }) => plan?.endedAt ?? []);
  const steps = run.rounds.flatMap((round) => round.steps.flatMap(({ attempts }) => attempts.at(-1)?.endedAt ?? []));
  const moments = [...plans, ...steps, run.time].sort((one, other) => one - other);
  return moments.filter((moment, index) => (moments[index + 1] ?? Infinity) - moment > MIN_STOP_GAP);
}

/** What a presentation shows at a moment. @param run the run at that moment, or `null` before its first event */
export function sceneAt(run: Run | null): Scene {
  if (!run) return { kind: 'plan', round: 0 };
  if (run.status === 'finished' && run.answer !== null) return { kind: 'answer' };
  const round = run.rounds.at(-1);
  if (!round || round.plan?.status === 'writing') return { kind: 'plan', round: round?.round ?? 0 };
  const step = newestStep(round);
  return step === null ? { kind: 'plan', round: round.round } : { kind: 'step', round: round.round, step };
}

/**
 * The step called last among the steps that are writing. If none is writing, the step that ended last. `null` until a step has
 * written or ended.
 */
function newestStep({ steps }: Round): number | null {
  let newest: { step: number; isWriting: boolean; at: number } | null = null;
  for (const [step, { attempts }] of steps.entries()) {
    const last = attempts.at(-1);
    if (!last || last.leftAt === null || (last.firstTokenAt === null && last.endedAt === null)) continue;
    const isWriting = last.endedAt === null;
    const at = last.endedAt ?? last.leftAt;
    if (newest && (newest.isWriting === isWriting ? newest.at > at : newest.isWriting)) continue;
    newest = { step, isWriting, at };
  }
  return newest?.step ?? null;
}

/** The indexes of a round's steps, grouped into stages. The steps of a stage can run side by side. */
export function stagesOf({ steps }: Round): number[][] {
  const stages: number[][] = [];
  for (const [step, level] of levelsOf(steps.map((each) => each.step)).entries()) (stages[level] ??= []).push(step);
  return stages;
}
