/** @file The answer of one worker alone as texts, for copies and replay files. */
import { aloneWorker, type DisagreementPart, type Preference, type Run } from '../contract';

/** How the user compared the two answers of a run. */
export const VOTE_WORDS = {
  conductor: 'the answer of the run is better',
  alone: 'the answer of the worker alone is better',
  equal: 'both are equally good',
  neither: 'both are bad',
  skipped: 'not compared',
} as const satisfies Record<Preference, string>;

/** Who answers alone, such as "Ash alone". @param name the worker's name */
export function aloneLabel(name: string, isEqualCost: boolean): string {
  return isEqualCost ? `${name} alone at equal cost` : `${name} alone`;
}

/** The answer of the worker alone, and the user's comparison. Empty if there is no such answer. */
export function pairParts(run: Run): readonly DisagreementPart[] {
  const { aloneAnswer, vote } = run;
  if (!aloneAnswer || aloneAnswer.output === null) return [];
  return [
    {
      title: `Answer of ${aloneLabel(aloneWorker(run)?.name ?? 'one worker', run.alone?.equalCost === true)}`,
      items: [aloneAnswer.output],
    },
    ...(vote ? [{ title: 'The user’s comparison', items: [VOTE_WORDS[vote.preferred]] }] : []),
  ];
}
