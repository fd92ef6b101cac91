/** @file Reads the reference of a task from a value of the table, or from a part of that value. */
import type { GraderKind, ReferencePart } from '../../contract';
import { listOfTexts, textOf, UnfitRow } from './row-fields';

/**
 * The reference, or `null` if the value is missing or blank. Entries of a list are separated by commas for the grader
 * `mathematics`. For the grader `pattern`, a list is a pattern that matches any of its texts.
 * @throws UnfitRow if the value is a list of several texts, which the grader can't compare, or if the part is missing
 */
export function referenceText(value: unknown, grader: GraderKind, part: ReferencePart | undefined): string | null {
  const texts = grader === 'judge' ? null : entriesOf(value);
  if (!texts) return partOf(textOf(value), part);
  const entries = [...new Set(texts.map((text) => partOf(text, part)?.trim() ?? ''))].filter((text) => text !== '');
  if (grader === 'pattern') return entries.length === 0 ? null : entries.map(literal).join('|');
  if (entries.length < 2) return entries[0] ?? null;
  if (grader === 'mathematics') return entries.map(withoutDollars).join(', ');
  throw new UnfitRow(
    'The reference is a list of several texts. Choose the grader for regular expressions, which accepts any of them.',
  );
}

/** The texts of a list. A text such as `[1, 2]` may be mathematics, so texts count as lists only if their items have quotes. */
function entriesOf(value: unknown): readonly string[] | null {
  if (typeof value === 'string' && !/^\[\s*["']/.test(value.trim())) return null;
  const list = listOfTexts(value);
  // A list may contain one list, as in OlympiadBench.
  return list?.length === 1 && Array.isArray(value) ? (entriesOf((value as readonly unknown[])[0]) ?? list) : list;
}

function withoutDollars(text: string): string {
  return text.replace(/^\$+|(?<!\$)\$+$/g, '');
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** @throws UnfitRow if the text has no such part */
export function partOf(text: string | null, part: ReferencePart | undefined): string | null {
  if (text === null || part === undefined) return text;
  switch (part.kind) {
    case 'after':
      return afterMarker(text, part.marker);
    case 'last-line':
      return text.trim().split('\n').at(-1)?.trim() ?? null;
    case 'box':
      return lastBox(text);
    default:
      return part satisfies never;
  }
}

function afterMarker(text: string, marker: string): string {
  const at = text.toLowerCase().lastIndexOf(marker.toLowerCase());
  if (marker === '' || at < 0) throw new UnfitRow(`The reference does not contain “${marker}”.`);
  const rest = text.slice(at + marker.length).trim();
  if (rest === '') throw new UnfitRow(`Nothing follows “${marker}” in the reference.`);
  return rest;
}

/** The content of the last `\boxed{…}`. */
function lastBox(text: string): string {
  const at = Math.max(text.lastIndexOf('\\boxed'), text.lastIndexOf('\\fbox'));
  const after = at < 0 ? '' : text.slice(text.startsWith('\\boxed', at) ? at + 6 : at + 5);
  const open = after.search(/\S/);
  if (after[open] !== '{') {
    // `\boxed 5`
    const word = /^\s+([^\s{$\\]+)/.exec(after)?.[1];
    if (word !== undefined) return word.replace(/[.,;]$/, '');
    throw new UnfitRow('The reference has no box.');
  }
  let depth = 0;
  for (let index = open; index < after.length; index++) {
    if (after[index] === '\\') index += 1;
    else if (after[index] === '{') depth += 1;
    else if (after[index] === '}') depth -= 1;
    if (depth === 0) return after.slice(open + 1, index).trim();
  }
  throw new UnfitRow('The box in the reference is not closed.');
}
