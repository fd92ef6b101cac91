/** @file View models of the candidate plans. Plans with the same workers and access (which steps each step sees) agree. */
import { seenByStep } from '../../../core/analysis/seen-by-step';
import { agreement } from '../../../core/contract';
import type { Plan, PlanCandidate, PoolWorker } from '../../../core/contract';
import { listed, plural } from '../../ui/figures';
import { ranksOf, scoreWords } from '../policy-words';

export interface CandidateStep {
  /** 1-based. */
  readonly number: number;
  readonly worker: PoolWorker | null;
  readonly subtask: string;
  /** Such as "sees 1 and 2". `''` if the step sees only the question. */
  readonly sees: string;
}

export interface CandidateView {
  readonly candidate: PlanCandidate;
  /** 1-based. */
  readonly number: number;
  readonly steps: readonly CandidateStep[];
  /** Such as "same workers and access as plan 3". `''` if there is no such plan, or if this candidate has no workflow. */
  readonly agrees: string;
  readonly isChosen: boolean;
  /** Rank by the policy's score, 1 for the best, or `null` without a score. */
  readonly rank: number | null;
  /** The score in words, or the reason why the plan has none. `''` if the policy did not rank the plans. */
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
      steps: (candidate.workflow?.steps ?? []).map((step, index) => {
        const seen = seenByStep(step);
        return {
          number: index + 1,
          worker: pool[step.worker] ?? null,
          subtask: step.subtask,
          sees: seen.length === 0 ? '' : `sees ${listed(seen)}`,
        };
      }),
      agrees:
        others.length === 0
          ? ''
          : `same workers and access as ${others.length === 1 ? 'plan' : 'plans'} ${listed(others)}`,
      isChosen: candidate.candidate === chosen,
      rank: ranks[place] ?? null,
      score: scoreWords(candidate.score, anyRanked),
    };
  });
}

/** How the plan was chosen. Mentions a vote only if another plan has the same workers and access. */
export function chosenWords({
  candidates,
  chosen,
  chosenBy,
}: Pick<Plan, 'candidates' | 'chosen' | 'chosenBy'>): string {
  if (chosenBy === 'person') return 'chosen by you';
  const workflows = candidates.map(({ workflow }) => workflow);
  if (workflows.filter((workflow) => workflow !== null).length === 1) return 'the only valid plan';
  if (chosenBy === 'rank') return 'chosen by the policy';
  const agreeing = agreement(workflows)[candidates.findIndex(({ candidate }) => candidate === chosen)] ?? [];
  return agreeing.length > 1 ? 'chosen by vote' : 'the first plan, because no two plans agree';
}

/** Such as "3 plans, 1 could not be read. 2 of them have the same workers and access." */
export function candidatesSentence({ candidates }: Pick<Plan, 'candidates'>): string {
  const workflows = candidates.map(({ workflow }) => workflow);
  const failed = candidates.filter(({ fault }) => fault !== null).length;
  const unreadable = workflows.filter((workflow) => workflow === null).length - failed;
  const most = Math.max(0, ...agreement(workflows).map((agreeing) => agreeing.length));
  const read = workflows.length - unreadable - failed;
  const count = plural(candidates.length, 'plan');
  const unread = `${unreadable === 0 ? '' : `, ${unreadable} could not be read`}${failed === 0 ? '' : `, ${failed} failed`}`;
  if (read < 2) return `${count}${unread}.`;
  const agreeing = most === read ? (read === 2 ? 'Both' : 'All') : most === 1 ? 'No two' : `${most} of them`;
  return `${count}${unread}. ${agreeing} have the same workers and access.`;
}
