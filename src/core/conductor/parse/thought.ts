/**
 * @file Extracts the thought, which is the free text that a model wrote before the three lists of a plan. Leaves out decoration
 * of the lists, such as bullets, code fences and the opening brace of an object.
 */

import { isBlank } from './literals';

/** Matches a tag that opens or closes a model's reasoning. */
export const THINK_TAG = /<(\/?)(?:think|thinking|thought|reasoning)>/gi;
/** Matches decoration between the start of a line and the name of the first list, such as `1. **`. */
const DRESSING = /^[\s>]*(?:(?:\d{1,3}[.)]|["'`*_#{([<•-])[\s"'`*_#{([<•-]*)?(?:[\w.]{1,20}\[["'])?$/;
/** Code units that can be decoration directly before the name of the first list. */
const LAST_DRESSING = new Set(Array.from('"\'`*_#{([<•-', (character) => character.charCodeAt(0)));
/** Matches a line that only opens a container of the lists: a fence, an object, or the assignment of an object. */
const OPENING_LINE = /^\s*(?:[`~]{3,}[\w+-]{0,20}|(?:[\w.]{1,40}\s*=\s*)?(?:dict)?[{[(]{1,3})\s*$/;
/** Maximum length of decoration on one line, in UTF-16 units. */
const LONGEST_DRESSING = 80;

/**
 * Returns the trimmed text before the lists, without decoration and think tags.
 * @param end the offset at which the name of the first list begins
 */
export function thoughtBefore(text: string, end: number): string {
  let stop = lineStart(text, end);
  if (!isShort(stop, end) || !DRESSING.test(text.slice(stop, end))) {
    for (stop = end; stop > 0 && isDressing(text.charCodeAt(stop - 1)); stop--);
  }
  for (;;) {
    while (stop > 0 && isBlank(text.charCodeAt(stop - 1))) stop--;
    const start = lineStart(text, stop);
    if (stop === 0 || !isShort(start, stop) || !OPENING_LINE.test(text.slice(start, stop))) break;
    stop = start;
  }
  return text.slice(0, stop).replaceAll(THINK_TAG, '').trim();
}

function isDressing(code: number): boolean {
  return isBlank(code) || LAST_DRESSING.has(code);
}

function isShort(start: number, end: number): boolean {
  return end - start <= LONGEST_DRESSING;
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}
