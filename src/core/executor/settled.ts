/**
 * @file Decides whether the answer of a step is settled, so that the step need not be called. Either the attempts that the step
 * waits for agree (`Agreement`), or the checks that it sees found the answer right (`settledByChecks`). Loaded late, because it
 * needs the rules for roles and for comparing answers.
 */
import type { Agreement, Settlement } from '../contract';
import { countVotes, type Vote } from '../graders/count-votes';
import { sameAnswers } from '../graders/same-answers';
import { settledByChecks, type SeenStep, type Trusting } from './settled-by-checks';

export { readVerdicts, verdictRequest } from '../contract/workflow/read-verdicts';
export { checkedAnswers } from './settled-by-checks';

/**
 * The settled answer of a step that has not been called. All steps that it sees have ended.
 * @param trusting how far the run trusts its checks, and its workers
 * @returns `null` if the step must be called
 */
export function settledAnswer(seen: readonly SeenStep[], index: number, trusting?: Trusting): Settlement | null {
  const agreement = seen[index]?.step.agreement;
  return (agreement && agreedAnswer(seen, agreement)) ?? settledByChecks(seen, index, sameAnswers, trusting);
}

/** The answer that the attempts agree on. All of them have ended. `null`: they don't agree, or can't be compared. */
function agreedAnswer(seen: readonly SeenStep[], { among, rule }: Agreement): Settlement | null {
  const settled = among.flatMap((at) => seen[at]?.settled ?? []);
  if (settled[0]) return settled[0];
  const answers = among.flatMap((at) => {
    const text = seen[at]?.output ?? null;
    return text === null ? [] : [{ at, text }];
  });
  const vote = countVotes(answers.map(({ text }) => text));
  const from = vote ? answers[vote.from]?.at : undefined;
  if (!vote || from === undefined || !isEnough(rule, vote, among.length)) return null;
  return { from, evidence: vote.same.flatMap((place) => answers[place]?.at ?? []) };
}

function isEnough(rule: Agreement['rule'], { same, second, uncounted }: Vote, all: number): boolean {
  switch (rule) {
    case 'all':
      return all > 1 && same.length === all;
    case 'sure':
      return (
        uncounted === 0 && same.length + second >= LEAST_SAMPLES && majorityProbability(same.length, second) >= SURE
      );
    case 'most':
      return true;
    default:
      return rule satisfies never;
  }
}

const LEAST_SAMPLES = 3;
const SURE = 0.95;

/**
 * The probability that the most frequent answer is the more probable one of the two, under a uniform prior: 1 − I½(most + 1,
 * second + 1), as a sum of binomial probabilities (arXiv 2305.11860, section 3).
 */
function majorityProbability(most: number, second: number): number {
  const tosses = most + second + 1;
  let term = 2 ** -tosses;
  let sum = 0;
  for (let heads = 0; heads <= most; heads++) {
    sum += term;
    term *= (tosses - heads) / (heads + 1);
  }
  return sum;
}
