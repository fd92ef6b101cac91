/**
 * @file Finds every list that a text assigns to one of the three names, whatever is wrapped around names and lists. An
 * object with those keys needs no reading of its own: its keys are names, its values lists.
 */
import { readList, type Literal, type Unreadable } from './literals';
import type { ParseWork } from './strings';

/** The paper's names, in the order in which a Conductor writes them. */
export const LIST_NAMES = ['model_id', 'subtasks', 'access_list'] as const;
export type ListName = (typeof LIST_NAMES)[number];

export interface FoundList {
  readonly name: ListName;
  /** Where the name begins. */
  readonly from: number;
  /** Just after the closing bracket. */
  readonly end: number;
  readonly literal: Literal;
  /** This list stands inside what an unreadable list seemed to hold: it goes only with lists after this offset. */
  readonly barrier: number;
}

/** A name whose list could not be read, or that no list follows. */
export interface Failure {
  readonly name: ListName;
  readonly from: number;
  /** `null`: something other than a list stands where one was expected. */
  readonly reading: Unreadable | null;
  /** Where its list begins or should begin. */
  readonly at: number;
}

export interface FoundLists {
  readonly lists: readonly FoundList[];
  readonly failures: readonly Failure[];
}

/** Reading a list that turns out unreadable may be repeated from inside it, until this many times the text has been spent. */
const REREADING = 8;

const MODEL_ID = /(?:model|worker)s?(?:\\?[ _-]?ids?)?(?:\\?[ _-]?lists?)?/;
const SUBTASKS = /sub(?:\\?[ _-])?tasks?(?:\\?[ _-]?lists?)?/;
const ACCESS_LIST = /access(?:es)?(?:\\?[ _-]?lists?)?/;
/** The names as models vary them, as whole words; emphasis with underscores is no part of a word. */
const NAME = new RegExp(
  `(?<![a-z0-9]_?)(?:(${MODEL_ID.source})|(${SUBTASKS.source})|(${ACCESS_LIST.source}))(?!_?[a-z0-9])`,
  'gi',
);
/** What may stand between a name and its separator: `(one integer a step)`. */
const REMARK = /\([^()\n]{0,80}\)/y;
/** A type annotation and its `=`: `: list[int] =`, `: List[str] | None =`. */
const ANNOTATED =
  /[:：][\t ]*[a-z][\w.]{0,40}(?:\[[\w.,|[\] \t]{0,80}\])?(?:[\t ]*\|[\t ]*\w{1,20}(?:\[[\w.,|[\] \t]{0,80}\])?){0,3}[\t ]*=(?!=)/iy;
const SEPARATOR = /:=|=+>?|[:：]=?|->|→|⇒|>|(?:is|are)(?=\s)/iy;
const HEADING = /^[\s#>*_`"'•-]*(?:\d{1,3}[.)])?[\s*_`"']*$/;
const LONGEST_HEADING = 24;
const FENCE_LANGUAGE = /[a-z0-9+-]{1,16}(?=\s)/iy;

/** @param from where to begin; what stands before it is not looked at */
export function findLists(text: string, from: number, work: ParseWork): FoundLists {
  const lists: FoundList[] = [];
  const failures: Failure[] = [];
  const barriers = new Barriers();
  const names = new RegExp(NAME);
  names.lastIndex = from;
  let allowance = REREADING * text.length;
  for (let match = names.exec(text); match; match = names.exec(text)) {
    work.steps += match[0].length;
    const name = nameOf(match);
    const list = listAfter(text, match.index, names.lastIndex, work);
    if (list === null) continue;
    const failed = { name, from: match.index, at: list.at };
    if (!list.found) {
      failures.push({ ...failed, reading: null });
      continue;
    }
    const reading = readList(text, list.at, work);
    if (reading.kind === 'read') {
      const barrier = barriers.before(match.index);
      lists.push({ name, from: match.index, end: reading.end, literal: reading.literal, barrier });
      names.lastIndex = reading.end;
      continue;
    }
    failures.push({ ...failed, reading });
    const stopped = reading.cutOff ? text.length : reading.at;
    barriers.add(list.at, stopped);
    allowance -= stopped - list.at;
    names.lastIndex = allowance >= 0 ? list.at + 1 : Math.max(stopped, list.at + 1);
  }
  return { lists, failures };
}

function nameOf(match: RegExpExecArray): ListName {
  if (match[1] !== undefined) return 'model_id';
  return match[2] !== undefined ? 'subtasks' : 'access_list';
}

/**
 * Where the list of a name begins.
 * @param from where the name begins
 * @param at just after the name
 * @returns `null` if the name is only mentioned
 */
function listAfter(text: string, from: number, at: number, work: ParseWork): { at: number; found: boolean } | null {
  let index = skipDressing(text, at, false, work);
  REMARK.lastIndex = index;
  const remark = REMARK.exec(text)?.[0].length ?? 0;
  if (remark > 0) index = skipDressing(text, index + remark, false, work);
  const separator = separatorAt(text, index);
  const next = skipDressing(text, index + separator, true, work);
  const bracket = text.charAt(next);
  if (separator > 0) return { at: next, found: bracket === '[' || bracket === '(' };
  if (bracket !== '[' || !text.slice(index, next).includes('\n')) return null;
  return isHeading(text, from) ? { at: next, found: true } : null;
}

/** Whether only dressing stands before a name on its line, so that its list may stand on a line of its own. */
function isHeading(text: string, from: number): boolean {
  const line = text.slice(Math.max(0, from - LONGEST_HEADING), from);
  const start = line.lastIndexOf('\n') + 1;
  return (start > 0 || from <= LONGEST_HEADING) && HEADING.test(line.slice(start));
}

function separatorAt(text: string, at: number): number {
  ANNOTATED.lastIndex = at;
  const annotated = ANNOTATED.exec(text);
  if (annotated) return annotated[0].length;
  SEPARATOR.lastIndex = at;
  return SEPARATOR.exec(text)?.[0].length ?? 0;
}

/** Skips white space, quotes, emphasis and fences; after a separator also line ends, bullets and a fence's language. */
function skipDressing(text: string, at: number, lines: boolean, work: ParseWork): number {
  let index = at;
  for (; index < text.length; index++) {
    work.steps++;
    const character = text.charAt(index);
    if (character === '`') {
      if (!lines || text.charAt(index - 1) !== '`') continue;
      FENCE_LANGUAGE.lastIndex = index + 1;
      index += FENCE_LANGUAGE.exec(text)?.[0].length ?? 0;
    } else if (character === '\n' || character === '\r') {
      if (!lines) return index;
    } else if (lines && (character === '-' || character === '•')) {
      if (text.charAt(index + 1) !== ' ') return index;
    } else if (lines && (character === '"' || character === "'")) {
      // A list that is written as a string holds no strings of its own kind, so only its opening quote matters.
      if (text.charAt(index + 1) !== '[') return index;
    } else if (!(lines ? /[\s*_>$\\]/ : /[\s*_"'’”\]]/).test(character)) {
      return index;
    }
  }
  return index;
}

/**
 * Remembers which stretches of the text unreadable lists have run over. A list found inside such a stretch may be the real
 * one (a stray quote came before it) or a piece of a subtask; it must not complete what stood before the stretch.
 */
class Barriers {
  /** Later begins and earlier ends on top. */
  readonly #stretches: { from: number; to: number }[] = [];

  add(from: number, to: number): void {
    for (let top = this.#stretches.at(-1); top && top.to <= to; top = this.#stretches.at(-1)) this.#stretches.pop();
    this.#stretches.push({ from, to });
  }

  /** Where the innermost stretch that holds this offset begins, or 0. Offsets must be asked for in ascending order. */
  before(offset: number): number {
    for (let top = this.#stretches.at(-1); top && top.to <= offset; top = this.#stretches.at(-1)) this.#stretches.pop();
    return this.#stretches.at(-1)?.from ?? 0;
  }
}
