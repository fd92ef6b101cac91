/**
 * @file One run as a file holds it, `{ "format": "podium-run", "version": 1, "events": […] }`, with `"images": […]` where its
 * question carries any: written, and held against all that must be so before it is taken in.
 */
import { sha256Hex, type StoredEvent } from '../../core/contract';
import { parseRun } from '../../core/contract/schema';
import { readCarriedImages, type CarriedImage } from './carried-images';
import type { ImageBytes } from './images';
import { takeTextsOut } from './stored-events';

export const RUN_FORMAT = 'podium-run';
const VERSION = 1;

export function runValue(events: readonly StoredEvent[], images: readonly CarriedImage[] = []) {
  return { format: RUN_FORMAT, version: VERSION, events, ...(images.length > 0 ? { images } : {}) };
}

/** A run out of a file, with those of its images that the file holds. */
export interface WholeRun {
  readonly events: readonly StoredEvent[];
  readonly images: readonly ImageBytes[];
}

export type ParsedRunValue = ({ readonly ok: true } & WholeRun) | { readonly ok: false; readonly message: string };

/** @param verified remembers texts from value to value, so that each is hashed once */
export function parseRunValue(value: unknown, verified: VerifiedTexts): ParsedRunValue {
  const refuse = (message: string): ParsedRunValue => ({ ok: false, message });
  const { format, version, events, images: carried } = isRecord(value) ? value : {};
  if (format !== RUN_FORMAT || typeof version !== 'number' || !Array.isArray(events))
    return refuse('It is no run saved by Podium.');
  if (version > VERSION)
    return refuse('It was saved by a newer version of Podium. Reload the page to get that version, then try again.');
  const parsed = parseRun(events);
  if (!parsed.ok) return refuse(parsed.message);
  const [problem] = parsed.problems;
  if (problem) return refuse(`Event ${problem.index + 1} of the run: ${problem.message}`);
  const inOrder = parsed.events.toSorted((one, other) => one.seq - other.seq);
  const [first] = inOrder;
  if (first?.type !== 'run-started') return refuse('The run has no beginning.');
  if (inOrder.some(({ runId }) => runId !== first.runId)) return refuse('It mixes the events of several runs.');
  if (inOrder.some(({ seq }, index) => seq === inOrder[index + 1]?.seq))
    return refuse('Two of its events have the same number.');
  if (!inOrder.every((event) => verified.check(event))) {
    return refuse('A text in it does not match its SHA-256, so the file has been changed.');
  }
  const images = readCarriedImages(carried);
  if (!images) return refuse('An image in it does not match its SHA-256, so the file has been changed.');
  return { ok: true, events: inOrder, images };
}

/**
 * Texts that runs share are kept under their hash: one that lied about it would change what other runs show. Most runs of a
 * file carry the same few, which are hashed once.
 */
export class VerifiedTexts {
  readonly #texts = new Map<string, string>();

  check(event: StoredEvent): boolean {
    const blobs = new Map<string, string>();
    takeTextsOut(event, blobs);
    for (const [hash, text] of blobs) {
      if (this.#texts.get(hash) === text) continue;
      if (sha256Hex(text) !== hash) return false;
      if (this.#texts.size === 100) this.#texts.clear();
      this.#texts.set(hash, text);
    }
    return true;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
