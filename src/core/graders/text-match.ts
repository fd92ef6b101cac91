/** @file Grades answers by text: the answer must equal the reference. */
import type { Grader } from '../contract';
import { lastTagged } from './answer-tags';
import { withAsciiDigits } from './mathematics/plain-text';
import { referenceGrader } from './reference-grader';

/**
 * An answer is correct if its final part equals the reference. The comparison ignores case, the amount of white space, a final
 * period, Markdown emphasis, quotes, brackets around the whole answer and a label such as “Answer:”.
 */
export function createExactGrader(): Grader {
  return referenceGrader({
    extract: finalText,
    isSame: (reference, answer) => spellings(answer).some((each) => plain(each) === plain(reference)),
  });
}

/**
 * The content of the last answer tags, or else the last line that is neither blank nor the mark of a code block. `null`: there is
 * no such line.
 */
export function finalText(response: string): string | null {
  const lines = response.split('\n').map((line) => line.trim());
  return lastTagged(response) ?? lines.findLast((line) => line !== '' && !/^(?:```|~~~)\w*$/.test(line)) ?? null;
}

const LABEL =
  /^[*_`\s{"']*(?:(?:so|thus|therefore|hence),?\s+)?(?:the\s+|my\s+)?(?:final\s+|correct\s+)?(?:answer[*_`\s"']*(?::|\bis\b:?)|(?:答案|答え|回答|정답|ответ|antwort|respuesta|réponse|resposta|risposta)[*_`\s]*[:：])/i;

/**
 * The answer as written. If it has a label, Markdown emphasis, a box, or quotes or brackets around it, also the answer without
 * them.
 */
export function spellings(answer: string): readonly string[] {
  const unlabelled = answer.replace(/^[-•]\s+/, '').replace(LABEL, '');
  const isJson = unlabelled !== answer && answer.trimStart().startsWith('{');
  const bare = withoutEmphasis(isJson ? unlabelled.replace(/\}\s*$/, '') : unlabelled);
  const unwrapped = withoutWrapping(bare);
  return [...new Set([answer, bare, unwrapped])].filter((each) => each === answer || each !== '');
}

function withoutEmphasis(text: string): string {
  return text.replace(/^[*_`\s]+|(?<![*_`\s])[*_`\s]+(?:(\.)[*_`\s]*)?$/g, '$1');
}

const WRAPPED =
  /^(?:"([^"]*)"|“([^“”]*)”|«([^«»]*)»|「([^「」]*)」|'([^']*)'|\[([^[\],]*)\]|\$([^$]*)\$|\\boxed\s*\{([^{}]*|[^{}]*\{[^{}]*\})\}|\\text\s*\{([^{}]*)\})[.!]?$/;

/** Removes quotes, brackets, dollar signs and boxes around a whole answer. */
function withoutWrapping(text: string): string {
  let inner = text;
  // An answer has few wrappers: `$\boxed{\text{"B"}}$` has four.
  for (let depth = 0; depth < 4; depth++) {
    const content = WRAPPED.exec(inner)
      ?.slice(1)
      .find((each) => each !== undefined);
    if (content === undefined) break;
    inner = content.trim();
  }
  return inner;
}

function plain(text: string): string {
  return withoutPunctuation(withAsciiDigits(text).trim()).replace(/\s+/g, ' ').toLowerCase();
}

/** The text with straight quotes, and without a final period. */
export function withoutPunctuation(text: string): string {
  return text
    .replace(/[.!。]$/, '')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"');
}
