/** @file What the panel beside the list of events shows: a step, or the plan of a round. */
import type { Run, StoredEvent } from '../../core/contract';
import { isKnownEvent } from '../../core/contract';
import type { StepPlace } from '../score/parts';

export type Selection = ({ readonly kind: 'step' } & StepPlace) | { readonly kind: 'plan'; readonly round: number };

/** The answer's step. Before there is an answer, the step that was called last. Before any call, the newest plan. */
export function defaultSelection(run: Run): Selection {
  if (run.answerKey) return { kind: 'step', ...run.answerKey };
  let newest: Selection = { kind: 'plan', round: Math.max(0, run.rounds.length - 1) };
  let called = -1;
  for (const { round, steps } of run.rounds) {
    for (const [step, { attempts }] of steps.entries()) {
      const startedAt = attempts.at(-1)?.startedAt ?? -1;
      if (startedAt < called || attempts.length === 0) continue;
      newest = { kind: 'step', round, step };
      called = startedAt;
    }
  }
  return newest;
}

/** The step or plan that an event is about. `null` for other events, such as the start of a run or of a round. */
export function selectionOf(event: StoredEvent): Selection | null {
  if (!isKnownEvent(event) || !('round' in event)) return null;
  if (event.type === 'plan-step-known') return { kind: 'step', round: event.round, step: event.index };
  if ('step' in event) return { kind: 'step', round: event.round, step: event.step };
  return event.type.startsWith('plan-') ? { kind: 'plan', round: event.round } : null;
}

/** Reads `step=0.2` (round and step, 0-based) from an address. */
export function selectionFrom(query: string | undefined): Selection | null {
  const found = /^(\d+)\.(\d+)$/.exec(new URLSearchParams(query ?? '').get('step') ?? '');
  return found ? { kind: 'step', round: Number(found[1]), step: Number(found[2]) } : null;
}

/** The selected step, or `null` if a plan or nothing is selected. */
export function selectedPlace(selection: Selection | null): StepPlace | null {
  return selection?.kind === 'step' ? { round: selection.round, step: selection.step } : null;
}
