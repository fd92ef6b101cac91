/** @file Searches a text without boxes and tags for the sentence that states the answer, and for the value in this sentence. */
import { afterAnnouncement, isComment, strengthOf } from './cues';
import { FORMULA } from './formulas';
import { sentencesOf, type Sentence } from './sentences';
import { hasValue, statedValue, withoutBold } from './stated-value';

/** Maximum length of an answer in words, in UTF-16 units. */
const LONGEST_WORDS = 60;

/** The answer that a text states. `null`: the text states none. */
export function statementIn(text: string): string | null {
  if (isBare(text)) return text.trim();
  const sentences = joinAnnounced(sentencesOf(text));
  return announced(sentences) ?? concluded(sentences);
}

/** Whether a text is short and contains only mathematics. */
function isBare(text: string): boolean {
  if (text.length > 160 || text.trim().includes('\n')) return false;
  const letters = text
    .replace(/\\[a-zA-Z]+/g, ' ')
    .replace(/\b(?:and|or)\b/g, ' ')
    .replace(/(?<=[\d)])or(?=[(A-Z])/g, ' ');
  return /[\d=\\]/.test(text) && !/[a-zA-Z]{2}/.test(letters) && !/[€²³$#]/.test(text) && !text.includes(FORMULA);
}

/** Joins a sentence with one that announces it, as in “The answer is:” before a displayed formula. */
function joinAnnounced(sentences: readonly Sentence[]): Sentence[] {
  const joined: Sentence[] = [];
  for (const sentence of sentences) {
    const previous = joined.at(-1);
    if (previous && !sentence.isHeading && continues(previous, sentence)) {
      const text = `${previous.text} ${sentence.text}`;
      joined.splice(-1, 1, { ...sentence, text, formulas: [...previous.formulas, ...sentence.formulas] });
    } else joined.push(sentence);
  }
  return joined;
}

function continues(previous: Sentence, { text }: Sentence): boolean {
  if (/^[=≈]/.test(text)) return true;
  const before = withoutBold(previous.text).text.trim();
  const announcement = afterAnnouncement(previous);
  if (announcement !== null && !/[\p{L}\p{N}\ue000]/u.test(announcement)) return true;
  return !previous.isHeading && /(?::|\b(?:is|are|equals|be|get|gives)|=)$/.test(before);
}

/** The value after the last “the answer is” or “Answer:”. */
function announced(sentences: readonly Sentence[]): string | null {
  for (const [index, sentence] of [...sentences.entries()].reverse()) {
    const rest = afterAnnouncement(sentence);
    if (rest === null) continue;
    const value = ofAnnouncement(rest, sentence);
    const isLast = sentences.slice(index + 1).every((each) => strengthOf(each) === 'remark' || !hasValue(each));
    if (value !== null && (isLast || isShort(rest) || !/^[\p{L}]{1,12}\s*:/u.test(sentence.text))) return value;
  }
  return null;
}

/** Whether a text is only a value with a short unit. */
function isShort(rest: string): boolean {
  return rest.trim().split(/\s+/).length <= 5;
}

function ofAnnouncement(rest: string, sentence: Sentence): string | null {
  const plain = rest.replace(/^[\s"“”*:]+|[\s"“”*.,;:]+$/g, '');
  if (!plain) return null;
  const bare = plain.replace(/(?<=[\d%])\s+\(.*$/s, '');
  if (isBare(bare) && !/[=≈]/.test(bare)) return bare;
  const count = rest.split(FORMULA).length - 1;
  const formulas = count === 0 ? [] : sentence.formulas.slice(-count);
  const value = statedValue({ ...sentence, text: `is ${rest}`, formulas });
  if (value !== null) return value;
  return plain.length <= LONGEST_WORDS ? plain : null;
}

/** The value of the last sentence that concludes, or else of the last sentence that has a value and is no remark. */
function concluded(sentences: readonly Sentence[]): string | null {
  const valued = sentences.filter(hasValue);
  const strengths = valued.map(strengthOf);
  let last = strengths.findLastIndex((strength) => strength !== 'remark');
  if (last < 0) last = valued.length - 1;
  const conclusion = strengths.findLastIndex((strength) => strength === 'concluded');
  const isOnlyCommented =
    conclusion >= 0 &&
    valued.slice(conclusion + 1).every((each, index) => strengths[conclusion + 1 + index] === 'remark' || isComment(each));
  const chosen = valued[isOnlyCommented ? conclusion : last];
  return chosen ? statedValue(chosen) : null;
}
