/** @file Asks a check for its verdicts, and reads them. Not part of the contract's index, because only a running check needs it. */
import { VERDICT_REQUEST, type CheckVerdict, type StepVerdict } from './verdict';

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
