/** @file Shortens texts for labels. Laying out a question of a million characters would block the page. */
import { beginningOf } from '../../core/contract';

/** Maximum length of a label, in UTF-16 units. A text of this length fills more lines than any label shows. */
const LONGEST_LABEL = 300;

/** The text. A text longer than `LONGEST_LABEL` is cut, and ends with an ellipsis. */
export function shortText(text: string): string {
  return text.length <= LONGEST_LABEL ? text : `${beginningOf(text, LONGEST_LABEL)}…`;
}
