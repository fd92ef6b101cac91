/** @file Shortens texts for labels, because laying out a question of a million characters would block the page. */
import { beginningOf } from '../../core/contract';

/** Maximum length in UTF-16 units. No label has space for more. */
const LONGEST_LABEL = 300;

/** Cuts a text longer than 300 UTF-16 units, and adds an ellipsis. */
export function shortText(text: string): string {
  return text.length <= LONGEST_LABEL ? text : `${beginningOf(text, LONGEST_LABEL)}…`;
}
