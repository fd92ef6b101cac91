/**
 * @file How a run of code ended, in words for the workers and people who read on.
 */
import type { CodeOutcome } from '../../core/contract';

/** What the code printed and what became of it, as markdown. */
export function outcomeText(outcome: CodeOutcome): string {
  const { stdout, stderr, result, fault } = outcome;
  const blocks: string[] = [];
  if (stdout.trim() !== '') blocks.push(`Python printed:\n\n${fenced(stdout)}`);
  if (stderr.trim() !== '') blocks.push(`To standard error:\n\n${fenced(stderr)}`);
  // As in a notebook: the value of the last line counts where nothing was printed.
  if (blocks.length === 0 && result !== undefined) blocks.push(`The last line has the value:\n\n${fenced(result)}`);
  if (fault?.kind === 'error') blocks.push(`The code failed:\n\n${fenced(fault.message)}`);
  else if (fault) blocks.push(`The code was stopped. ${fault.message}`);
  if (blocks.length === 0) blocks.push('The code ran to its end and printed nothing.');
  return blocks.join('\n\n');
}

/** A fence longer than any run of backticks in the text, so that nothing printed can end it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text.replace(/\n+$/, '')}\n${fence}`;
}
