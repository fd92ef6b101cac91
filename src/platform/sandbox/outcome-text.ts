/**
 * @file Describes the outcome of executed code for the user and for the workers of later steps.
 */
import type { CodeOutcome } from '../../core/contract';

/**
 * Maximum length of a sequence of backticks in a text whose fence always consists of backticks. If the text
 * has a longer sequence of backticks, and all its sequences of tildes are shorter, the fence consists of
 * tildes.
 */
const LONG_RUN = 20;

/** What the code printed and how the code ended, as Markdown. The text is at most about twice as long as the output. */
export function outcomeText(outcome: CodeOutcome): string {
  const { stdout, stderr, result, fault } = outcome;
  const blocks: string[] = [];
  if (stdout.trim() !== '') blocks.push(`Python printed:\n\n${fenced(stdout)}`);
  if (stderr.trim() !== '') blocks.push(`To standard error:\n\n${fenced(stderr)}`);
  // Like a notebook, shows the value of the last line. If the code printed something, the value is left out.
  if (blocks.length === 0 && result !== undefined) blocks.push(`The last line has the value:\n\n${fenced(result)}`);
  if (fault?.kind === 'error') blocks.push(`The code failed:\n\n${fenced(fault.message)}`);
  else if (fault) blocks.push(`The code was stopped. ${fault.message}`);
  if (blocks.length === 0) blocks.push('The code ran to its end and printed nothing.');
  return blocks.join('\n\n');
}

/**
 * Encloses a text in a Markdown fence. The fence is longer than any sequence of the same character in the text, so that no
 * printed text can close it.
 */
function fenced(text: string): string {
  const backticks = longestRun(text, '`');
  const tildes = longestRun(text, '~');
  // The longest sequences of backticks and of tildes can't both be longer than half of the text. The fence is
  // based on the shorter one, so the opening and the closing fence together are hardly longer than the text.
  const usesTildes = backticks > LONG_RUN && tildes < backticks;
  const fence = usesTildes ? '~'.repeat(Math.max(3, tildes + 1)) : '`'.repeat(Math.max(3, backticks + 1));
  return `${fence}text\n${withoutLastBreaks(text)}\n${fence}`;
}

function longestRun(text: string, sign: string): number {
  let longest = 0;
  let run = 0;
  for (let at = 0; at < text.length; at += 1) {
    run = text[at] === sign ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

/** Removes line breaks at the end. Uses a loop, because `/\n+$/` takes quadratic time if text follows the line breaks. */
function withoutLastBreaks(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}
