/** @file Describes the outcome and the plan of a run in a few words. */
import type { Run, RunStatus } from '../core/contract';
import { duration, plural } from '../app/ui/figures';

/** The outcome in one to three words. @param correct whether the answer was graded right. `null`: not graded */
export function outcomeWord(status: RunStatus, correct: boolean | null): string {
  switch (status) {
    case 'finished':
      if (correct === null) return 'Not graded';
      return correct ? 'Graded right' : 'Graded wrong';
    case 'failed':
      return 'Failed';
    case 'cancelled':
      return 'Stopped';
    case 'interrupted':
      return 'Interrupted';
    case 'running':
      return 'Running when exported';
    default:
      return status satisfies never;
  }
}

/** The plan in a few words, such as "4 steps · 2 rounds · planned in 7.4 s". */
export function planWords(run: Run): string {
  const steps = run.rounds.reduce((all, round) => all + round.steps.length, 0);
  const plan = run.rounds[0]?.plan;
  const words = [plural(steps, 'step')];
  if (run.rounds.length > 1) words.push(plural(run.rounds.length, 'round'));
  if (plan?.source === 'person') words.push('written by hand');
  else if (plan?.status === 'finished') {
    const planMs = (plan.endedAt ?? 0) - plan.startedAt;
    words.push(planMs < 50 ? 'planned instantly' : `planned in ${duration(planMs)}`);
  }
  return words.join(' · ');
}
