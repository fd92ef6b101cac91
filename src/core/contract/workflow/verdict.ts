/**
 * @file The verdict of a check: what a `verify` step says about each answer that it saw. The executor skips the steps after a check
 * that found everything right, so a check is asked for its verdict in a form that can be read.
 */

export const VERDICTS = ['right', 'wrong', 'unsure'] as const;
export type CheckVerdict = (typeof VERDICTS)[number];

/** The verdict of a check on the output of an earlier step. `step`: 0-based index of that step. */
export interface StepVerdict {
  readonly step: number;
  readonly verdict: CheckVerdict;
}

/** Why a step was settled without a call. Both are 0-based indexes of earlier steps. */
export interface Settlement {
  /** The step that gave the answer. */
  readonly from: number;
  /** The checks that found the answer right. If votes were counted: the steps that gave the answer, with `from` among them. */
  readonly evidence: readonly number[];
}

/** Whether the answer of a settled step is the most frequent one, so that the step is part of a vote. */
export function isVote({ from, evidence }: Settlement): boolean {
  return evidence.includes(from);
}

/** What the request for verdicts begins with. Simulated workers recognize it. */
export const VERDICT_REQUEST = '\n\nEnd your reply with your verdict: right, wrong or unsure.';

/** The end of a check's subtask, which asks for a verdict on each answer. @param steps 0-based indexes of the seen answers */
export function verdictRequest(steps: readonly number[]): string {
  const lines = steps.map((step) => `Verdict on response ${step + 1}: …`);
  return `${VERDICT_REQUEST} Write it ${steps.length === 1 ? 'on a last line' : 'as one line for each response'}:\n${lines.join('\n')}`;
}

/**
 * Reads the verdicts from the output of a check. A verdict without a number applies to each answer without a verdict of its own. An
 * answer without a verdict that can be read, or with several verdicts in one line, counts as `unsure`. Of several lines about an
 * answer, the last one counts.
 * @param steps 0-based indexes of the answers that the check saw
 */
export function readVerdicts(output: string, steps: readonly number[]): StepVerdict[] {
  const stated = new Map<number | null, CheckVerdict>();
  for (const line of output.split('\n')) {
    const found = verdictIn(line.slice(0, LONGEST_LINE).toLowerCase());
    if (found) stated.set(found.about, found.verdict);
  }
  return steps.map((step) => ({ step, verdict: stated.get(step + 1) ?? stated.get(null) ?? 'unsure' }));
}

/** Maximum length of a line that is read, in UTF-16 units. */
const LONGEST_LINE = 400;

const WORDS: Readonly<Record<string, CheckVerdict>> = {
  right: 'right',
  correct: 'right',
  valid: 'right',
  true: 'right',
  wrong: 'wrong',
  incorrect: 'wrong',
  invalid: 'wrong',
  false: 'wrong',
  unsure: 'unsure',
  uncertain: 'unsure',
  unclear: 'unsure',
  unknown: 'unsure',
};

/** The verdict in a line such as “**Verdict on response 2:** right.” `about`: the number of the response, or `null` without one. */
function verdictIn(line: string): { readonly about: number | null; readonly verdict: CheckVerdict } | null {
  const at = line.lastIndexOf('verdict');
  if (at < 0) return null;
  const rest = line.slice(at + 'verdict'.length);
  const separator = rest.search(/[:=]/);
  const number = separator < 0 ? undefined : /\d{1,3}/.exec(rest.slice(0, separator))?.[0];
  const value = rest.slice(separator + 1);
  // Only the first clause is the verdict. A reason may follow: “wrong, because 25 is used twice”.
  const [clause = ''] = value.split(/[.,;!?(]|\bbecause\b|\bsince\b|\bbut\b/, 1);
  const words: readonly string[] = clause.match(/[a-z]+/g) ?? [];
  const verdicts = new Set(words.flatMap((word) => WORDS[word] ?? []));
  const [first = 'unsure'] = verdicts;
  // “not right” and a line that repeats all choices state no clear verdict.
  const isClear = verdicts.size === 1 && !words.includes('not');
  return { about: number === undefined ? null : Number(number), verdict: isClear ? first : 'unsure' };
}
