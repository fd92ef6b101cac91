/**
 * @file Reads the text in `<answer>` tags. The prompt of arXiv 2512.04388 (“the paper”) asks workers to write the final
 * answer between these tags.
 */

/**
 * The trimmed content of the first pair of tags, which the paper's graders read. Letter case does not matter.
 * `null`: there is no opening tag, or the first opening tag is never closed.
 */
export function firstTagged(response: string): string | null {
  const opened = response.search(/<answer>/i);
  if (opened < 0) return null;
  const rest = response.slice(opened + '<answer>'.length);
  const end = rest.search(/<\/answer>/i);
  return end < 0 ? null : rest.slice(0, end).trim();
}

/**
 * The trimmed content of the last pair of tags. Letter case does not matter. `null`: there is no pair, or the
 * last pair is blank.
 */
export function lastTagged(response: string): string | null {
  // The indexes come from the original response. In a lower-case copy they could differ, because some letters
  // get longer.
  let start = -1;
  let opened = -1;
  let end = -1;
  for (const { index, 0: tag } of response.matchAll(/<\/?answer>/gi)) {
    if (!tag.startsWith('</')) opened = index;
    else if (opened >= 0) [start, end, opened] = [opened, index, -1];
  }
  return start < 0 ? null : response.slice(start + '<answer>'.length, end).trim() || null;
}
