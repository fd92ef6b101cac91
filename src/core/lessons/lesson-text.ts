/**
 * @file Lessons: short advice that is learned from graded runs and added to the Conductor's prompt. Reads them from the answer of the
 * reflecting model. The answer is data. It can change only the lessons, and never the rules of format.
 */

/** Maximum number of lessons, and of characters of one lesson. */
const MOST_LESSONS = 20;
const LONGEST_LESSON = 400;
const CHARACTERS_PER_TOKEN = 4;

/** The result of reading an answer: the new lessons, or the reason why it is refused, as a sentence. */
export type ReadLessons =
  { readonly ok: true; readonly lessons: readonly string[] } | { readonly ok: false; readonly reason: string };

/** Lessons as the lines of a list. */
export function lessonLines(lessons: readonly string[]): string {
  return lessons.map((lesson) => `- ${lesson}`).join('\n');
}

/** An estimate of the tokens that the lessons add to each prompt. */
export function lessonTokens(lessons: readonly string[]): number {
  return Math.ceil(lessonLines(lessons).length / CHARACTERS_PER_TOKEN);
}

/**
 * Reads the lessons of an answer: the list between the last `<lessons>` and `</lessons>`. Without these tags, the whole answer must be
 * a list.
 * @param limit maximum number of tokens. Lessons that don't fit are left out
 * @param names the names of the workers, which may contain a number
 */
export function readLessons(answer: string, limit: number, names: readonly string[]): ReadLessons {
  const start = answer.lastIndexOf('<lessons>');
  const end = answer.indexOf('</lessons>', start);
  const list = start < 0 ? answer : answer.slice(start + '<lessons>'.length, end < 0 ? undefined : end);
  const found = [...list.matchAll(/^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+(\S.*)$/gm)];
  const lessons: string[] = [];
  for (const [, text = ''] of found) {
    const lesson = text.replace(/\s+/g, ' ').trim().slice(0, LONGEST_LESSON);
    const problem = lessonProblem(lesson, names);
    if (problem !== null) return { ok: false, reason: problem };
    if (lessons.includes(lesson) || lessons.length === MOST_LESSONS) continue;
    if (lessonTokens([...lessons, lesson]) > limit) break;
    lessons.push(lesson);
  }
  return lessons.length > 0 ? { ok: true, lessons } : { ok: false, reason: 'The answer contains no list of lessons.' };
}

/**
 * Applies the changes of an answer to the lessons. Each change is a line: `ADD: …`, `CHANGE 2: …` or `DELETE 2`. Lessons are numbered
 * from 1. See `readLessons` for the other parameters.
 */
export function editLessons(
  answer: string,
  lessons: readonly string[],
  limit: number,
  names: readonly string[],
): ReadLessons {
  const changed: (string | null)[] = [...lessons];
  const added: string[] = [];
  let changes = 0;
  for (const [, verb = '', number = '', text = ''] of answer.matchAll(CHANGES)) {
    const place = Number(number) - 1;
    const isKnown = place >= 0 && place < lessons.length;
    if (verb.toUpperCase() === 'ADD' && text.trim() !== '') added.push(text.trim());
    else if (verb.toUpperCase() === 'CHANGE' && isKnown && text.trim() !== '') changed[place] = text.trim();
    else if (verb.toUpperCase() === 'DELETE' && isKnown) changed[place] = null;
    else continue;
    changes += 1;
  }
  if (changes === 0) return { ok: false, reason: 'The answer contains no change of the lessons.' };
  const all = [...changed.flatMap((lesson) => lesson ?? []), ...added];
  return all.length === 0 ? { ok: true, lessons: [] } : readLessons(lessonLines(all), limit, names);
}

const CHANGES = /^[ \t]*(?:[-*•][ \t]+)?(ADD|CHANGE|DELETE)(?:[ \t]+(\d{1,2}))?[ \t]*(?::(.*))?$/gim;

/** The names of the lists of a plan, tags and placeholders. Lessons with them could change the rules of format. */
const FORMAT = /model_id|subtasks\s*=|access_list|\{\{|<\/?\w/i;
/** A worker's number. Each run lists the workers in another order. */
const NUMBERED =
  /\b(?:model|worker|agent)(?:\s+(?:id|number|no\.?))?\s*#?\d|\b(?:model|worker)\s+(?:zero|one|two|three|four|five|six)\b/i;

/** Why a text can't be a lesson, as a sentence. `null`: it can. */
function lessonProblem(lesson: string, names: readonly string[]): string | null {
  if (FORMAT.test(lesson)) return 'A lesson would change the format of plans.';
  const longestFirst = names.toSorted((one, other) => other.length - one.length);
  const nameless = longestFirst.reduce((text, name) => (name === '' ? text : text.replaceAll(name, '…')), lesson);
  return NUMBERED.test(nameless) ? 'A lesson names a worker by its number.' : null;
}
