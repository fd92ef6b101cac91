/**
 * @file Writes and validates one run in the format of run files: `{ "format": "podium-run", "version": 1, "events": […] }`. If
 * the question has images, the object also contains `"images": […]`.
 */
import {
  isDeltaType,
  isRecord,
  LONGEST_ELAPSED,
  MOST_DELTAS,
  MOST_OTHER_EVENTS,
  MOST_SEQ,
  sha256Hex,
  type EventType,
  type StoredEvent,
} from '../../core/contract';
import { parseRun } from '../../core/contract/storage/schema';
import { MOST_SEGMENTS } from '../../core/contract/storage/schema-parts';
import { readCarriedImages, type CarriedImage } from './carried-images';
import type { ImageBytes } from './add-images';
import { extractTexts } from './stored-events';

export const RUN_FORMAT = 'podium-run';
const VERSION = 1;
/** Matches the ids of runs and of copies of runs. */
const RUN_ID = /^[\w.:~-]{1,200}$/;

export function runValue(events: readonly StoredEvent[], images: readonly CarriedImage[] = []) {
  return { format: RUN_FORMAT, version: VERSION, events, ...(images.length > 0 ? { images } : {}) };
}

/** A run from a file, with its images. */
export interface WholeRun {
  readonly events: readonly StoredEvent[];
  readonly images: readonly ImageBytes[];
}

export type ParsedRunValue = ({ readonly ok: true } & WholeRun) | { readonly ok: false; readonly message: string };

/** @param verified caches the verified texts of earlier values, so that each text is hashed only once */
export function parseRunValue(value: unknown, verified: VerifiedTexts): ParsedRunValue {
  const refuse = (message: string): ParsedRunValue => ({ ok: false, message });
  const { format, version, events, images: carried } = isRecord(value) ? value : {};
  if (format !== RUN_FORMAT || typeof version !== 'number' || !Array.isArray(events))
    return refuse('This is not a run that Podium exported.');
  if (version > VERSION)
    return refuse(
      'A newer version of Podium exported this run. Reload the page to update Podium, then import it again.',
    );
  const tooMany = countProblem(events);
  if (tooMany !== null) return refuse(tooMany);
  const parsed = parseRun(events, 1);
  if (!parsed.ok) return refuse(parsed.message);
  const [problem] = parsed.problems;
  if (problem) return refuse(`Event ${problem.index + 1} of the run: ${problem.message}`);
  const inOrder = parsed.events.toSorted((one, other) => one.seq - other.seq);
  const [first] = inOrder;
  if (first?.type !== 'run-started') return refuse('The run’s first event is missing.');
  if (!RUN_ID.test(first.runId)) return refuse('The run’s id contains invalid characters.');
  if (inOrder.some(({ runId }) => runId !== first.runId)) return refuse('The run contains events of other runs.');
  if (inOrder.some(({ seq }, index) => seq === inOrder[index + 1]?.seq))
    return refuse('Two events of the run have the same number.');
  if (!inOrder.every((event) => verified.check(event))) {
    return refuse('A text of the run does not match its SHA-256. The file was changed after the export.');
  }
  const last = inOrder.at(-1);
  if (last && (last.seq >= MOST_SEQ / 2 || last.segment >= MOST_SEGMENTS / 2 || last.elapsed >= LONGEST_ELAPSED / 2)) {
    return refuse('The numbers of the run’s last event are too large.');
  }
  const images = readCarriedImages(carried);
  if (!images) return refuse('An image of the run does not match its SHA-256. The file was changed after the export.');
  return { ok: true, events: inOrder, images };
}

/**
 * Events of these types are costly: applying one takes time proportional to the length of the run. A run may contain at most
 * `MOST_COSTLY` of these events in total. Real runs have few of them, because only the user or a tab that closes during a run
 * causes them.
 */
const COSTLY: ReadonlySet<string> = new Set<EventType>([
  'run-labelled',
  'run-annotated',
  'run-resumed',
  'run-interrupted',
  'plan-edited',
]);
const MOST_COSTLY = 1_000;

/**
 * Rejects a run with too many events, because processing and drawing it takes too long. Called before the
 * events are validated.
 * @returns the problem as a sentence, or `null`
 */
function countProblem(events: readonly unknown[]): string | null {
  let deltas = 0;
  let costly = 0;
  for (const event of events) {
    const type = isRecord(event) ? event.type : null;
    if (typeof type === 'string' && COSTLY.has(type)) costly += 1;
    if (isDeltaType(type)) deltas += 1;
  }
  const words = (most: number) => most.toLocaleString('en-US');
  if (deltas > MOST_DELTAS) return `The run has more than ${words(MOST_DELTAS)} pieces of text.`;
  if (costly > MOST_COSTLY) return `The run was labelled, edited or resumed more than ${words(MOST_COSTLY)} times.`;
  if (events.length - deltas > MOST_OTHER_EVENTS) return `The run has more than ${words(MOST_OTHER_EVENTS)} events.`;
  return null;
}

/**
 * Verifies the hashes of texts that several runs can share. The database stores such a text once, under its hash, so a wrong text
 * would change other runs. Most runs of a file share the same few texts, so up to 100 verified texts are cached.
 */
export class VerifiedTexts {
  readonly #texts = new Map<string, string>();

  check(event: StoredEvent): boolean {
    const blobs = new Map<string, string>();
    extractTexts(event, blobs);
    for (const [hash, text] of blobs) {
      if (this.#texts.get(hash) === text) continue;
      if (sha256Hex(text) !== hash) return false;
      if (this.#texts.size === 100) this.#texts.clear();
      this.#texts.set(hash, text);
    }
    return true;
  }
}
