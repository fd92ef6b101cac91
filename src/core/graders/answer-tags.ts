/** @file The `<answer>` tags in which the paper's prompt asks workers to give the final answer. */

/** What the first pair of tags contains, trimmed. `null`: none. The paper's graders read this one. */
export function firstTagged(response: string): string | null {
  const start = response.indexOf('<answer>');
  const end = response.indexOf('</answer>', start);
  return start < 0 || end < 0 ? null : response.slice(start + '<answer>'.length, end).trim();
}

/** What the last pair of tags contains, trimmed. `null`: no tags, or empty ones. */
export function lastTagged(response: string): string | null {
  // Lowercasing the response would shift indexes, because some letters get longer.
  let start = -1;
  let opened = -1;
  let end = -1;
  for (const { index, 0: tag } of response.matchAll(/<\/?answer>/gi)) {
    if (!tag.startsWith('</')) opened = index;
    else [start, end] = [opened, index];
  }
  return start < 0 ? null : response.slice(start + '<answer>'.length, end).trim() || null;
}
