/** @file Describes the tasks and the proof of a search in sentences, for the page and the command line. */
import { MOST_COST_RATIO, testTasksFor, type LessonEffect, type ProofResult } from './proof';
import { FEWEST_OWN_TASKS, type TaskSplit } from './task-split';

/** The split, and how many test tasks a gain needs. */
export function splitWords({ train, validation, test, testTasks }: TaskSplit): string {
  const isSeparate = 'which take no part in the search';
  const fewer = train.length + validation.length < FEWEST_OWN_TASKS;
  const whose =
    testTasks === 'own'
      ? `yours, ${isSeparate}`
      : `generated, ${fewer ? `because fewer than ${FEWEST_OWN_TASKS} tasks are yours` : isSeparate}`;
  const short = testTasks === 'own' ? '' : ' The verdict will be: not proved on your questions.';
  const searched = train.length === 0 ? '' : `${train.length} for training, ${validation.length} for validation, `;
  return `Tasks: ${searched}${test.length} for the test (${whose}).${short}`;
}

export function neededWords(): string {
  return `About ${testTasksFor(0.1)} test tasks show a gain of 10 points, ${testTasksFor(0.05)} one of 5 points.`;
}

const VERDICTS: Readonly<Record<ProofResult['verdict'], string>> = {
  better: 'Better than the current prompt',
  'not-worse': 'Not worse than the current prompt',
  'too-dear': `Costs more than ${MOST_COST_RATIO} times as much as the current prompt`,
  unproved: 'Not proved to be better, nor to be not worse',
};

/** Whether lessons with this verdict are offered for use. */
export function isOffered(verdict: ProofResult['verdict'] | undefined): boolean {
  return verdict === 'better' || verdict === 'not-worse';
}

export function proofWords({ verdict, scores, ratio, isPriced, isOwn, isUnseen: unseen }: ProofResult): string {
  const points = (share: number) => (100 * share).toFixed(1);
  const cost = ratio ? ` ${isPriced ? 'Cost' : 'Calls'}: ${ratio.value.toFixed(2)} times.` : '';
  const own = isOwn ? '' : ' Not proved on your questions.';
  const seen = unseen ? '' : ' An earlier search was proved on these tasks, so they are no longer unseen.';
  return `${VERDICTS[verdict]}: ${points(scores.value)} ± ${points(scores.plusMinus)} points on ${scores.tasks} tasks.${cost}${own}${seen}`;
}

/** What single lessons give, one line each. */
export function effectWords({ gain }: LessonEffect): string {
  if (!gain) return 'too few tasks have a verdict';
  const points = (share: number) => (100 * share).toFixed(1);
  const sign = gain.value > 0 ? '+' : '';
  const known =
    gain.verdict === 'better' ? 'helps' : gain.verdict === 'worse' ? 'harms' : 'not proved to help or to harm';
  return `${sign}${points(gain.value)} ± ${points(gain.plusMinus)} points: ${known}`;
}
