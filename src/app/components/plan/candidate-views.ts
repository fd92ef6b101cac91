/** @file The plans that one is chosen from as they stand side by side: what each asks for, and which of them agree. */
import { agreement, chooseCandidate } from '../../../core/contract';
import type { Plan, PlanCandidate, PoolWorker } from '../../../core/contract';
import { listed, plural } from '../figures';
import { ranksOf, scoreWords } from '../policy-words';

export interface CandidateStep {
  /** 1-based. */
  readonly number: number;
  readonly worker: PoolWorker | null;
  readonly subtask: string;
  /** "sees 1 and 2"; `''` where it sees nothing. */
  readonly sees: string;
}

export interface CandidateView {
  readonly candidate: PlanCandidate;
  /** 1-based. */
  readonly number: number;
  readonly steps: readonly CandidateStep[];
  /** "same shape as plan 3"; `''` where it stands alone or is no workflow. */
  readonly agrees: string;
  readonly isChosen: boolean;
  /** Place by the policy's score, 1 the best; `null` where it has none. */
  readonly rank: number | null;
  /** The score in words; `''` where nobody ranks. */
  readonly score: string;
}

export function candidateViews({ candidates, chosen }: Plan, pool: readonly PoolWorker[]): CandidateView[] {
  const workflows = candidates.map(({ workflow }) => workflow);
  const agreeing = agreement(workflows);
  const ranks = ranksOf(candidates);
  const anyRanked = ranks.some((rank) => rank !== null);
  return candidates.map((candidate, place) => {
    const others = (agreeing[place] ?? []).filter((other) => other !== place).map((other) => other + 1);
    return {
      candidate,
      number: place + 1,
      steps: (candidate.workflow?.steps ?? []).map(({ worker, subtask, access }, index) => ({
        number: index + 1,
        worker: pool[worker] ?? null,
        subtask,
        sees: access.length === 0 ? '' : `sees ${listed(access.map((seen) => seen + 1))}`,
      })),
      agrees: others.length === 0 ? '' : `same shape as ${others.length === 1 ? 'plan' : 'plans'} ${listed(others)}`,
      isChosen: candidate.candidate === chosen,
      rank: ranks[place] ?? null,
      score: scoreWords(candidate.score, anyRanked),
    };
  });
}

/** The candidate that the policy's rank or else a vote would take; `null` where none is a workflow. */
export function favouriteOf({ candidates }: Pick<Plan, 'candidates'>): number | null {
  const chosen = chooseCandidate(candidates);
  return chosen && (candidates[chosen.place]?.candidate ?? null);
}

/** "3 plans, 1 could not be read. 2 of them share a shape." */
export function candidatesSentence({ candidates }: Pick<Plan, 'candidates'>): string {
  const workflows = candidates.map(({ workflow }) => workflow);
  const absent = candidates.filter(({ fault }) => fault !== null).length;
  const lost = workflows.filter((workflow) => workflow === null).length - absent;
  const most = Math.max(0, ...agreement(workflows).map((agreeing) => agreeing.length));
  const read = workflows.length - lost - absent;
  const count = plural(candidates.length, 'plan');
  const unread = `${lost === 0 ? '' : `, ${lost} could not be read`}${absent === 0 ? '' : `, ${absent} did not come`}`;
  if (read < 2) return `${count}${unread}.`;
  if (most === read) return `${count}${unread}. ${read === 2 ? 'Both' : 'All'} have the same shape.`;
  return `${count}${unread}. ${most === 1 ? 'No two have the same shape.' : `${most} of them have the same shape.`}`;
}
