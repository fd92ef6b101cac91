/** @file Counts which of several answers to a question occurs most often. Answers are compared as the graders do. */
import { sameAnswers, statedAnswer } from './same-answers';

export interface Vote {
  /** Index of the first text that states the most frequent answer. */
  readonly from: number;
  /** The indexes of all texts that state this answer. */
  readonly same: readonly number[];
  /** Number of texts that state the second most frequent answer. */
  readonly second: number;
  /** Number of texts that can't be compared. */
  readonly uncounted: number;
}

/** The indexes of texts by the answer that they state, and of the texts that can't be compared. */
export interface GroupedAnswers {
  /** The texts with the same answer. The largest group is first. Of equally large groups, the one with the first text is first. */
  readonly groups: readonly (readonly number[])[];
  readonly uncounted: readonly number[];
}

/** Groups texts that state the same answer. */
export function groupAnswers(texts: readonly string[]): GroupedAnswers {
  const groups: number[][] = [];
  for (const [index, text] of texts.entries()) {
    const group = groups.find(([first = 0]) => sameAnswers(texts[first] ?? '', text) === true);
    if (group) group.push(index);
    else groups.push([index]);
  }
  const isCounted = (same: readonly number[]) => same.length > 1 || statedAnswer(texts[same[0] ?? 0] ?? '') !== null;
  return {
    groups: groups.filter(isCounted).toSorted((one, other) => other.length - one.length),
    uncounted: groups.filter((same) => !isCounted(same)).flat(),
  };
}

/**
 * The most frequent answer. Of several answers that are equally frequent, the one that was given first wins.
 * @returns `null` if there is no text, or if texts that can't be compared could change the result
 */
export function countVotes(texts: readonly string[]): Vote | null {
  const { groups, uncounted: apart } = groupAnswers(texts);
  const uncounted = apart.length;
  const [winner, second] = groups;
  const [from] = winner ?? [];
  if (!winner || from === undefined) return null;
  const isDecided = uncounted === 0 || winner.length > (second?.length ?? 0) + uncounted;
  return isDecided ? { from, same: winner, second: second?.length ?? 0, uncounted } : null;
}
