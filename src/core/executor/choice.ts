/**
 * @file Waits for the user to choose one of several candidate plans. All candidates are stored before the
 * wait. So a resumed run offers the same candidates and requests no new ones.
 */
import { isAbort, type UserDecisions, type PlanCandidate, type PlanEvent, type Workflow } from '../contract';
import type { RunContext } from './context';

type CandidateEvent = Extract<PlanEvent, { type: 'plan-candidate' }>;

/** A candidate, new or stored, with the fields that `plan-finished` needs. */
export type Candidate = Pick<PlanCandidate, 'candidate' | 'workflow' | 'text'> &
  Pick<CandidateEvent, 'thought' | 'finishReason'> & {
    readonly speed?: PlanCandidate['speed'];
    readonly score?: PlanCandidate['score'];
    readonly logProbability?: PlanCandidate['logProbability'];
    readonly choices?: PlanCandidate['choices'];
  };

type Chosen = Candidate & { readonly workflow: Workflow };

/** Whether a candidate can be chosen. A candidate without a workflow can't be chosen. */
export function isChoosable(candidate: Candidate): candidate is Chosen {
  return candidate.workflow !== null;
}

/**
 * Waits until the user chooses a candidate that has a workflow.
 * @returns the chosen candidate. `null`: the run was stopped, or its events can't be stored
 */
export async function awaitChoice(
  { events, stop, stopping }: RunContext,
  decisions: UserDecisions,
  { round, candidates }: { readonly round: number; readonly candidates: readonly Candidate[] },
): Promise<Chosen | null> {
  events.emit({ type: 'plan-held', round, heldFor: 'choice' });
  try {
    for (;;) {
      const decision = await decisions.next(stop.signal);
      if (stopping() || events.fault) return null;
      if (decision.type !== 'choose' || decision.round !== round) continue;
      const chosen = candidates.find(({ candidate }) => candidate === decision.candidate);
      if (chosen && isChoosable(chosen)) return chosen;
    }
  } catch (thrown) {
    if (isAbort(thrown)) return null;
    throw thrown;
  }
}

/** The `plan-finished` event for a chosen candidate. Its usage is `null`, because `plan-candidate` reported the usage. */
export function finishedWith({ workflow, thought = '', text, finishReason = null, ...rest }: Chosen): PlanEvent {
  const { speed, logProbability = null, choices } = rest;
  const known = {
    ...(speed ? { speed } : {}),
    ...(logProbability === null ? {} : { logProbability }),
    ...(choices ? { choices } : {}),
  };
  const nothingMore = { usage: null, cost: null } as const;
  return {
    type: 'plan-finished',
    workflow,
    thought,
    text,
    source: 'conductor',
    ...nothingMore,
    finishReason,
    ...known,
  };
}
