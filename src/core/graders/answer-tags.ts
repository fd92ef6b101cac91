/** @file The `<answer>` tags in which the paper's prompt asks workers to give the final answer. */

/** What the first pair of tags contains, trimmed. `null`: none. The paper's graders read this one. */
export function firstTagged(response: string): string | null {
  const start = response.indexOf('<answer>');
  const end = response.indexOf('</answer>', start);
  return start < 0 || end < 0 ? null : response.slice(start + '<answer>'.length, end).trim();
}

/** What the last pair of tags contains, trimmed. `null`: none, or nothing in it. */
export function lastTagged(response: string): string | null {
  const text = response.toLowerCase();
  const end = text.lastIndexOf('</answer>');
  const start = end < 0 ? -1 : text.lastIndexOf('<answer>', end);
  if (start < 0) return null;
  return response.slice(start + '<answer>'.length, end).trim() || null;
}
