/**
 * @file Finds every list that a text assigns to one of the three names of `LIST_NAMES`. Names and lists may have Markdown, quotes
 * and remarks around them. An object with these names as keys needs no special case, because its values are the lists.
 */
import { isBlank, readList, type Literal, type Unreadable } from './literals';
import type { ParseWork } from './strings';

/** The paper's names, in the order in which a Conductor writes them. */
export const LIST_NAMES = ['model_id', 'subtasks', 'access_list'] as const;
export type ListName = (typeof LIST_NAMES)[number];

export interface FoundList {
  readonly name: ListName;
  /** The offset where the name begins. */
  readonly from: number;
  /** The offset just after the closing bracket. */
  readonly end: number;
  readonly literal: Literal;
  /**
   * The start of the unreadable list that contains this list, or 0 if there is none. This list can form a workflow only with
   * lists that begin at or after that offset.
   */
  readonly barrier: number;
}

/** A name without a readable list. */
export interface Failure {
  readonly name: ListName;
  readonly from: number;
  /** `null`: the value is not a list. */
  readonly reading: Unreadable | null;
  /** The offset where the list begins or should begin. */
  readonly at: number;
}

export interface FoundLists {
  readonly lists: readonly FoundList[];
  readonly failures: readonly Failure[];
}

/**
 * Text inside an unreadable list is read again, because it may contain the real lists. The total length of
 * the text that is read again is limited to `REREADING` times the length of the whole text, and to
 * `MOST_REREAD` UTF-16 units. A Conductor writes far less than that.
 */
const REREADING = 8;
const MOST_REREAD = 2 ** 19;
/** At least this many of the last lists are kept. They are enough for a thousand workflows. */
const MOST_LISTS = 3_000;

const MODEL_ID = /(?:model|worker)s?(?:\\?[ _-]?ids?)?(?:\\?[ _-]?lists?)?/;
const SUBTASKS = /sub(?:\\?[ _-])?tasks?(?:\\?[ _-]?lists?)?/;
const ACCESS_LIST = /access(?:es)?(?:\\?[ _-]?lists?)?/;
/** Matches the names in the variants that models use, as whole words. Underscores for emphasis do not count as part of a word. */
const NAME = new RegExp(
  `(?<![a-z0-9]_?)(?:${MODEL_ID.source}|${SUBTASKS.source}|${ACCESS_LIST.source})(?!_?[a-z0-9])`,
  'iy',
);
/** Matches a remark between a name and its separator, such as `(one integer a step)`. */
const REMARK = /\([^()\n]{0,80}\)/y;
/** Matches a type annotation and its `=`, such as `: list[int] =` or `: List[str] | None =`. */
const ANNOTATED =
  /[:：][\t ]*[a-z][\w.]{0,40}(?:\[[\w.,|[\] \t]{0,80}\])?(?:[\t ]*\|[\t ]*\w{1,20}(?:\[[\w.,|[\] \t]{0,80}\])?){0,3}[\t ]*=(?!=)/iy;
const SEPARATOR = /:=|=+>?|[:：]=?|->|→|⇒|>|(?:is|are)(?=\s)/iy;
const HEADING = /^[\s#>*_`"'•-]*(?:\d{1,3}[.)][\s*_`"']*)?$/;
const LONGEST_HEADING = 24;
const FENCE_LANGUAGE = /[a-z0-9+-]{1,16}(?=\s)/iy;

/** @param from offset to start at */
export function findLists(text: string, from: number, work: ParseWork): FoundLists {
  const lists: FoundList[] = [];
  const failures = new Failures();
  const barriers = new Barriers();
  let allowance = Math.min(REREADING * text.length, MOST_REREAD);
  const names = new Names(text);
  let next = from;
  while (names.find(next)) {
    const { start, end } = names;
    next = end;
    work.steps += end - start;
    const name = nameAt(text, start);
    const at = listAfter(text, start, end, work);
    if (at < 0) continue;
    if (!opensList(text, at)) {
      failures.add({ name, from: start, at, reading: null });
      continue;
    }
    const reading = readList(text, at, work);
    if (reading.kind === 'read') {
      if (lists.length === 2 * MOST_LISTS) lists.splice(0, MOST_LISTS);
      lists.push({ name, from: start, end: reading.end, literal: reading.literal, barrier: barriers.before(start) });
      next = reading.end;
      continue;
    }
    failures.add({ name, from: start, at, reading });
    const stopped = reading.cutOff ? text.length : reading.at;
    barriers.add(at, stopped);
    allowance -= stopped - at;
    next = allowance >= 0 ? at + 1 : Math.max(stopped, at + 1);
  }
  return { lists, failures: failures.inOrder() };
}

/** Finds names without creating an object for each name, because a text may have hundreds of thousands of names. */
class Names {
  start = 0;
  end = 0;

  constructor(readonly text: string) {}

  /** Whether there is a name at `from` or later. If so, sets `start` and `end` to the first one. */
  find(from: number): boolean {
    for (let at = from; at < this.text.length; at++) {
      const length = beginsName(this.text, at) ? matchAt(NAME, this.text, at) : 0;
      if (length === 0) continue;
      this.start = at;
      this.end = at + length;
      return true;
    }
    return false;
  }
}

/**
 * Whether a name can begin at this offset: whether the letters there are `mo`, `wo`, `su` or `ac` in upper or lower case. This
 * check comes first, because a regular expression at every offset would be slow.
 */
function beginsName(text: string, at: number): boolean {
  switch (text.charCodeAt(at) | 0x20) {
    case 0x6d:
    case 0x77:
      return (text.charCodeAt(at + 1) | 0x20) === 0x6f;
    case 0x73:
      return (text.charCodeAt(at + 1) | 0x20) === 0x75;
    case 0x61:
      return (text.charCodeAt(at + 1) | 0x20) === 0x63;
    default:
      return false;
  }
}

function nameAt(text: string, at: number): ListName {
  const first = text.charCodeAt(at) | 0x20;
  if (first === 0x73) return 'subtasks';
  return first === 0x61 ? 'access_list' : 'model_id';
}

/**
 * The offset where the list of a name begins or should begin.
 * @param from start of the name
 * @param at end of the name
 * @returns -1 if the text mentions the name without a list
 */
function listAfter(text: string, from: number, at: number, work: ParseWork): number {
  let index = skipDressing(text, at, false, work);
  const remark = text.charCodeAt(index) === 0x28 ? matchAt(REMARK, text, index) : 0;
  if (remark > 0) index = skipDressing(text, index + remark, false, work);
  const separator = separatorAt(text, index);
  const next = skipDressing(text, index + separator, true, work);
  if (separator > 0) return next;
  if (text.charAt(next) !== '[' || !text.slice(index, next).includes('\n')) return -1;
  return isHeading(text, from) ? next : -1;
}

function opensList(text: string, at: number): boolean {
  const bracket = text.charAt(at);
  return bracket === '[' || bracket === '(';
}

/** Whether a name has only decoration before it on its line, so that its list may be on the next line. */
function isHeading(text: string, from: number): boolean {
  const line = text.slice(Math.max(0, from - LONGEST_HEADING), from);
  const start = line.lastIndexOf('\n') + 1;
  return (start > 0 || from <= LONGEST_HEADING) && HEADING.test(line.slice(start));
}

function separatorAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const isColon = code === 0x3a || code === 0xff1a;
  return (isColon ? matchAt(ANNOTATED, text, at) : 0) || matchAt(SEPARATOR, text, at);
}

/** The length of the match of a sticky pattern at an offset. 0: no match. */
function matchAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex - at : 0;
}

/** Skips white space, quotes, emphasis and fences. After a separator, also skips line breaks, bullets and a fence's language. */
function skipDressing(text: string, at: number, lines: boolean, work: ParseWork): number {
  let index = at;
  for (; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '`') {
      if (lines && text.charAt(index - 1) === '`') index += matchAt(FENCE_LANGUAGE, text, index + 1);
    } else if (character === '\n' || character === '\r') {
      if (!lines) break;
    } else if (lines && (character === '-' || character === '•')) {
      if (text.charAt(index + 1) !== ' ') break;
    } else if (lines && (character === '"' || character === "'")) {
      // A whole list may be in quotes. Only the opening quote is skipped. The closing quote comes after the end of the list.
      if (text.charAt(index + 1) !== '[') break;
    } else if (!isBlank(text.charCodeAt(index)) && !(lines ? '*_>$\\' : '*_"\'’”]').includes(character)) {
      break;
    }
  }
  work.steps += index - at + 1;
  return index;
}

/** Keeps only the last failure of each name and kind, because a text may have hundreds of thousands of failures. */
class Failures {
  readonly #last: Failure[] = [];

  add(failure: Failure): void {
    const { name, reading } = failure;
    const kind = reading === null ? 0 : reading.cutOff ? 1 : 2;
    this.#last[3 * LIST_NAMES.indexOf(name) + kind] = failure;
  }

  /** The failures in the order of the text. */
  inOrder(): readonly Failure[] {
    return Object.values(this.#last).sort((one, other) => one.from - other.from);
  }
}

/**
 * Records the ranges of the text that unreadable lists cover. A list inside such a range may be only part of
 * a subtask. Therefore a list inside a range must not form a workflow with lists before the range.
 */
class Barriers {
  /** A stack. An inner range is above the range that contains it. */
  readonly #stretches: { from: number; to: number }[] = [];

  add(from: number, to: number): void {
    for (let top = this.#stretches.at(-1); top && top.to <= to; top = this.#stretches.at(-1)) this.#stretches.pop();
    this.#stretches.push({ from, to });
  }

  /** The start of the innermost range that contains this offset, or 0. Call it with ascending offsets. */
  before(offset: number): number {
    for (let top = this.#stretches.at(-1); top && top.to <= offset; top = this.#stretches.at(-1)) this.#stretches.pop();
    return this.#stretches.at(-1)?.from ?? 0;
  }
}
