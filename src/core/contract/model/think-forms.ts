/**
 * @file The tags between which models write their thoughts. Comparisons ignore case. A server should remove these tags, but many
 * servers leave them in the content, or remove only the opening tag, because it is part of their prompt.
 */

interface Pair {
  readonly open: string;
  readonly close: string;
}

/** In lower case. */
const THOUGHTS: readonly Pair[] = [
  { open: '<think>', close: '</think>' },
  { open: '<thinking>', close: '</thinking>' },
  { open: '<thought>', close: '</thought>' },
  { open: '<thoughts>', close: '</thoughts>' },
  { open: '<reasoning>', close: '</reasoning>' },
  { open: '<seed:think>', close: '</seed:think>' },
  { open: '<longcat_think>', close: '</longcat_think>' },
  { open: '[think]', close: '[/think]' },
  { open: '◁think▷', close: '◁/think▷' },
  { open: '<|begin_of_thought|>', close: '<|end_of_thought|>' },
  { open: '<|start_thinking|>', close: '<|end_thinking|>' },
  { open: '<|think|>', close: '<|/think|>' },
  { open: '<|channel>thought', close: '<channel|>' },
  { open: '<unused94>thought', close: '<unused95>' },
];

/** Tags around the answer that follows the thoughts. In lower case. */
const ANSWERS: readonly Pair[] = [
  { open: '<|begin_of_solution|>', close: '<|end_of_solution|>' },
  { open: '<|start_response|>', close: '<|end_response|>' },
];

/** The end of the thoughts in the format of gpt-oss (see `harmony.ts`), as the server sends it if its prompt has the beginning. */
const HARMONY_CLOSE = '<|end|><|start|>assistant<|channel|>final<|message|>';

const LONGEST = HARMONY_CLOSE.length;

/** Matches any tag of thoughts. The group `close` is set for a closing tag. */
export function createTagPattern(): RegExp {
  const opens = THOUGHTS.map(({ open }) => escaped(open)).join('|');
  return new RegExp(`(?<close>${closes().map(escaped).join('|')})|(?:${opens})`, 'i');
}

function closes(): string[] {
  return [...THOUGHTS.map(({ close }) => close), HARMONY_CLOSE];
}

/** All tags of thoughts. */
export function thoughtTags(): string[] {
  return [...THOUGHTS.map(({ open }) => open), ...closes()];
}

function escaped(text: string): string {
  return text.replace(/[|[\]/]/g, '\\$&');
}

/** A tag at the beginning of a text. `end`: where the text after the tag begins. */
export interface LeadingTag {
  readonly type: 'thoughts' | 'answer' | 'close';
  /** The closing tag that belongs to an opening tag, in lower case. */
  readonly close: string;
  readonly end: number;
}

/** @returns the tag that a text begins with, `maybe` if more text could complete a tag, or `null` if the text begins otherwise */
export function leadingTag(text: string): LeadingTag | 'maybe' | null {
  const start = text.slice(0, LONGEST).toLowerCase();
  const thoughts = THOUGHTS.find(({ open }) => start.startsWith(open));
  if (thoughts) return { type: 'thoughts', close: thoughts.close, end: thoughts.open.length };
  const answer = ANSWERS.find(({ open }) => start.startsWith(open));
  if (answer) return { type: 'answer', close: answer.close, end: answer.open.length };
  const close = closes().find((tag) => start.startsWith(tag));
  if (close !== undefined) return { type: 'close', close, end: close.length };
  const all = [...thoughtTags(), ...ANSWERS.map(({ open }) => open)];
  return all.some((tag) => tag.startsWith(start)) ? 'maybe' : null;
}

/** How many characters at the end of a text may be the beginning of one of the tags. */
export function tagBegun(text: string, tags: readonly string[]): number {
  const longest = Math.max(...tags.map(({ length }) => length));
  const end = text.slice(-(longest - 1)).toLowerCase();
  for (let from = Math.max(0, end.length - longest + 1); from < end.length; from++) {
    const rest = end.slice(from);
    if (tags.some((tag) => tag.startsWith(rest))) return rest.length;
  }
  return 0;
}

/** Finds a tag, ignoring case. −1 if the text does not contain it. @param tag in lower case */
export function indexOfTag(text: string, tag: string): number {
  return text.search(new RegExp(escaped(tag), 'i'));
}
