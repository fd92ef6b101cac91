/**
 * @file Splits a stored prompt at the quotations of earlier steps. Joined together, the segments
 * are exactly what was sent.
 */
import {
  beginningOf,
  renderPrompt,
  type PromptMessage,
  type PromptPart,
  type PromptSources,
} from '../../../core/contract';

import type { StepPlace } from '../../score/parts';

export interface PromptSegment {
  readonly text: string;
  /** The quoted earlier step, or `null` for everything else. */
  readonly from: StepPlace | null;
}

/** Matches a text that consists of tags only, such as those around a quotation. */
const TAGS = /^\s*(<[^<>]+>\s*)+$/;

/**
 * The segments of a message, in order. Throws a `FaultError` (`internal`) if a part refers to something missing.
 * @param own the step that the prompt is for. Its own subtask isn't a quotation. `null`: the prompt is for a Conductor
 */
export function segmentsOf(message: PromptMessage, own: StepPlace | null, sources: PromptSources): PromptSegment[] {
  const owners = ownersOf(message.parts, own);
  const segments: PromptSegment[] = [];
  for (const [index, part] of message.parts.entries()) {
    const text = renderPrompt([{ role: message.role, parts: [part] }], sources)[0]?.content ?? '';
    const from = owners[index] ?? null;
    // A quotation is drawn as a block, so the line breaks before it belong to the text above.
    const breaks = from && !sameStep(segments.at(-1)?.from, from) ? (/^\n*/.exec(text)?.[0].length ?? 0) : 0;
    add(segments, text.slice(0, breaks), null);
    add(segments, text.slice(breaks), from);
  }
  return segments;
}

/** The segments of the first `length` UTF-16 units. */
export function firstOf(segments: readonly PromptSegment[], length: number): PromptSegment[] {
  const first: PromptSegment[] = [];
  let left = length;
  for (const { text, from } of segments) {
    if (left <= 0) break;
    first.push({ text: beginningOf(text, left), from });
    left -= text.length;
  }
  return first;
}

/**
 * For each part, the step that it quotes, or `null`. Tags next to a quotation count as part of it. Tags between
 * quotations of two different steps belong to neither.
 */
function ownersOf(parts: readonly PromptPart[], own: StepPlace | null): (StepPlace | null)[] {
  const quoted = parts.map((part) => quotedBy(part, own));
  return parts.map((part, index) => {
    const step = quoted[index];
    if (step) return step;
    if (part.kind !== 'literal' || !TAGS.test(part.text)) return null;
    const before = quoted[index - 1] ?? null;
    const after = quoted[index + 1] ?? null;
    return before && after && !sameStep(before, after) ? null : (before ?? after);
  });
}

function quotedBy(part: PromptPart, own: StepPlace | null): StepPlace | null {
  if (part.kind !== 'subtask' && part.kind !== 'output') return null;
  const step = { round: part.round, step: part.step };
  return sameStep(step, own) ? null : step;
}

function add(segments: PromptSegment[], text: string, from: StepPlace | null): void {
  if (text === '') return;
  const last = segments.at(-1);
  const joins = last && (from ? sameStep(last.from, from) : last.from === null);
  if (joins) segments[segments.length - 1] = { text: last.text + text, from };
  else segments.push({ text, from });
}

function sameStep(one: StepPlace | null | undefined, other: StepPlace | null): boolean {
  return one?.round === other?.round && one?.step === other?.step && Boolean(one) === Boolean(other);
}
