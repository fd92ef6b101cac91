/** @file Finds the text of a question in a prompt, for simulated workers, which can read only the puzzle itself. */
import { CONTEXT_END, CONTEXT_START } from './follow-up';
import { FILES_END } from './question-file';

/** Removes files, and the earlier question and answer, from the result of `questionText`. Other texts are unchanged. */
export function withoutContext(asked: string): string {
  const text = withoutFiles(asked);
  if (!text.startsWith(CONTEXT_START)) return text;
  const end = text.indexOf(CONTEXT_END);
  return end < 0 ? text : text.slice(end + CONTEXT_END.length);
}

/** Removes what `withFiles` has added. Other texts are unchanged. */
function withoutFiles(text: string): string {
  const [, tag] = /^The question comes with \d+ files?\. [^<\n]+<(attached-file(?:-\d+)?)>/.exec(text) ?? [];
  if (tag === undefined) return text;
  const end = `</${tag}>\n\n${FILES_END}`;
  const at = text.lastIndexOf(end);
  return at < 0 ? text : text.slice(at + end.length);
}
