/** @file Shortens texts for labels. Laying out a question of a million characters would block the page. */
import { beginningOf } from '../../core/contract';

/** Longest text in a label, in UTF-16 units. It fills more lines than any label shows. */
const LONGEST_LABEL = 300;

/** The text, or its beginning with an ellipsis if it is longer than a label can show. */
export function shortText(text: string): string {
  return text.length <= LONGEST_LABEL ? text : `${beginningOf(text, LONGEST_LABEL)}…`;
}
