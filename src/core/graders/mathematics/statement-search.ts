/** @file Searches a text without boxes and tags for the sentence that states the answer, and for the value in this sentence. */
import { clausesOf } from './clauses';
import { afterAnnouncement, isComment, opensSection, strengthOf } from './cues';
import { FORMULA } from './formulas';
import { sentencesOf, type Sentence } from './sentences';
import { hasValue, statedValue, statesResult, withoutBold } from './stated-value';

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
  const isLatin = !/(?![\p{Script=Latin}\p{Script=Greek}])\p{L}/u.test(text);
  const isMarked = /[€²³$#`"]|\*\*|^>|[a-zA-Z]\s*:/.test(text) || text.includes(FORMULA);
  const isBalanced = text.split('{').length === text.split('}').length;
  return /[\d=\\]/.test(text) && !/[a-zA-Z]{2}/.test(letters) && isLatin && !isMarked && isBalanced;
}

/** Joins a sentence with one that announces it, as in “The answer is:” before a displayed formula. */
function joinAnnounced(sentences: readonly Sentence[]): Sentence[] {
  const joined: Sentence[] = [];
  for (const sentence of sentences) {
    const previous = joined.at(-1);
    if (previous && !sentence.isHeading && continues(previous, sentence)) {
      const isLabel = afterAnnouncement(previous) !== null && !/[:=][^\w:=]*$/.test(previous.text);
      const text = `${previous.text}${isLabel ? ': ' : ' '}${sentence.text}`;
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
  return !/^[\s"“]*\p{L}{2}/u.test(rest) && rest.trim().split(/\s+/).length <= 5;
}

function ofAnnouncement(rest: string, sentence: Sentence): string | null {
  const plain = rest.replace(/^[\s"“”*:]+/, '').replace(/(?<![\s"“”*.,;:。])[\s"“”*.,;:。]+$/, '');
  if (!plain) return null;
  const bare = plain.replace(/(?<=[\d%])\s+\(.*$/s, '');
  if (isBare(bare) && !/[=≈]/.test(bare)) return bare;
  const count = rest.split(FORMULA).length - 1;
  const formulas = count === 0 ? [] : sentence.formulas.slice(-count);
  const value = statedValue({ ...sentence, text: `is ${rest}`, formulas });
  if (value !== null) return value;
  return plain.length <= LONGEST_WORDS ? plain : null;
}

/** The value of the last sentence that states a result and is neither a remark nor a comment on an earlier statement. */
function concluded(sentences: readonly Sentence[]): string | null {
  const valued = withoutSections(sentences).filter(hasValue);
  const stated = valued.filter((each) => strengthOf(each) !== 'remark');
  const results = stated.filter(statesResult);
  const conclusion = results.findLastIndex((each) => strengthOf(each) === 'concluded');
  const isLast = conclusion >= 0 && results.slice(conclusion + 1).every((each) => strengthOf(each) === 'plain');
  const statement = isLast ? results[conclusion] : results.findLast((each) => !isComment(each));
  const chosen = statement ?? results.at(-1) ?? stated.at(-1) ?? valued.at(-1);
  return chosen ? (bareEnd(chosen) ?? statedValue(chosen)) : null;
}

/** The end of a sentence after “is” or “are”, if it is an expression, a list or a tuple and not just one number. */
function bareEnd(sentence: Sentence): string | null {
  const { text } = withoutBold(sentence.text);
  const end = text.replace(/(?<![\s.!])[\s.!]+$/, '');
  const cue = [...end.matchAll(/\b(?:is|are|be|equals?)\s|:\s|^(?:so|thus|therefore|hence),?\s/gi)].at(-1);
  if (!cue) return null;
  const clause = clausesOf(text).findLast(({ start }) => start <= cue.index);
  const rest = clause?.kind === 'main' ? end.slice(cue.index + cue[0].length).trim() : '';
  const isSeveral = /^[a-z]\s*=[^=]*(?:,|\band\b|\bor\b)\s*[a-z]\s*=[^=]*$/i.test(rest);
  const isMore = /[a-zA-Z(,π√^]|\band\b|\bor\b/.test(rest.replace(/\d,(?=\d{3})/g, ''));
  return isMore && isBare(rest) && (isSeveral || !/[=≈]/.test(rest)) ? rest : null;
}

/**
 * Leaves out sections that explain or check the answer, from their heading to the next paragraph that concludes. The sentences
 * stay if no result comes before.
 */
function withoutSections(sentences: readonly Sentence[]): Sentence[] {
  const kept: Sentence[] = [];
  let isResult = false;
  let section: number | null = null;
  for (const sentence of sentences) {
    if (section !== null && sentence.paragraph > section && strengthOf(sentence) === 'concluded') section = null;
    if (section === null && isResult && opensSection(sentence)) section = sentence.paragraph;
    if (section !== null) continue;
    kept.push(sentence);
    isResult ||= strengthOf(sentence) !== 'remark' && statesResult(sentence);
  }
  return kept;
}
