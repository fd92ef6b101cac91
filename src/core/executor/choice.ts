/**
 * @file The stop between the candidates of a plan and the plan, where a person wants to choose: the run waits until they name
 * the one that runs. The candidates are on record by then, so a run that is resumed asks again, and no model.
 */
import { isAbort, type Person, type PlanCandidate, type PlanEvent, type Workflow } from '../contract';
import type { RunContext } from './context';

type CandidateEvent = Extract<PlanEvent, { type: 'plan-candidate' }>;

/** What it takes to finish a plan with a candidate, as just drawn or as it stands on record. */
export type Candidate = Pick<PlanCandidate, 'candidate' | 'workflow' | 'text'> &
  Pick<CandidateEvent, 'thought' | 'finishReason'> & {
    readonly speed?: PlanCandidate['speed'];
    readonly score?: PlanCandidate['score'];
    readonly logProbability?: PlanCandidate['logProbability'];
    readonly choices?: PlanCandidate['choices'];
  };

type Chosen = Candidate & { readonly workflow: Workflow };

/** Whether there is anything to choose. */
export function isChoosable(candidate: Candidate): candidate is Chosen {
  return candidate.workflow !== null;
}

/**
 * Waits until the person names a candidate that is a workflow.
 * @returns `null` if the run was stopped meanwhile
 */
export async function awaitChoice(
  { events, stop, stopping }: RunContext,
  person: Person,
  { round, candidates }: { readonly round: number; readonly candidates: readonly Candidate[] },
): Promise<Chosen | null> {
  events.emit({ type: 'plan-held', round, heldFor: 'choice' });
  try {
    for (;;) {
      const decision = await person.decide(stop.signal);
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

/** The end of a plan with this candidate, whose usage was told when it was drawn. */
export function finishedWith({ workflow, thought = '', text, finishReason = null, ...told }: Chosen): PlanEvent {
  const { speed, logProbability = null, choices } = told;
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
