/**
 * @file Converts events to their stored form and back. Many runs share the same long texts, such as a Conductor's prompt or a
 * grammar. Each of these texts is stored once under its hash, and restored when an event is read. A delta is a piece of a
 * streamed answer. When an attempt has ended, its deltas lose their text, because its last event contains the whole text.
 */
import { attemptName, isKnownEvent, isRecord, shrinkDelta, type RunEvent, type StoredEvent } from '../../core/contract';

type Fields = Readonly<Record<string, unknown>>;
type StepDelta = Extract<RunEvent, { type: 'step-delta' }>;

/**
 * Moves the shared texts of an event to `blobs`, with their hashes as keys. @returns the event without these
 * texts
 */
export function extractTexts(event: StoredEvent, blobs: Map<string, string>): unknown {
  return mapTextHolders(event, (holder) => {
    const { text, ...rest } = holder;
    if (typeof rest.hash !== 'string' || typeof text !== 'string') return holder;
    blobs.set(rest.hash, text);
    return rest;
  });
}

/** The hashes of the shared texts that were removed from a stored event. */
export function missingTexts(value: unknown): string[] {
  const hashes: string[] = [];
  mapTextHolders(value, (holder) => {
    if (typeof holder.hash === 'string' && holder.text === undefined) hashes.push(holder.hash);
    return holder;
  });
  return hashes;
}

/** Restores the shared texts. A lost text becomes empty, so that the rest of the run can still be shown. */
export function putTextsBack(value: unknown, blobs: ReadonlyMap<string, string>): unknown {
  return mapTextHolders(value, (holder) => {
    if (typeof holder.hash !== 'string' || holder.text !== undefined) return holder;
    return { ...holder, text: blobs.get(holder.hash) ?? '' };
  });
}

/**
 * Changes every part of an event that can contain a shared text: its grammar, the blob parts of its messages, and the files of
 * its question.
 */
function mapTextHolders(value: unknown, change: (holder: Fields) => Fields): unknown {
  if (!isRecord(value)) return value;
  if (value.type === 'run-started') return mapFiles(value, change);
  if (value.type !== 'plan-started' && value.type !== 'step-started') return value;
  const changed: Record<string, unknown> = { ...value };
  if (isRecord(value.grammar)) changed.grammar = change(value.grammar);
  if (Array.isArray(value.messages)) {
    changed.messages = value.messages.map((message: unknown) => {
      if (!isRecord(message) || !Array.isArray(message.parts)) return message;
      const parts = message.parts.map((part: unknown) =>
        isRecord(part) && part.kind === 'blob' ? change(part) : part,
      );
      return { ...message, parts };
    });
  }
  return changed;
}

function mapFiles(value: Fields, change: (holder: Fields) => Fields): Fields {
  const { question } = value;
  if (!isRecord(question) || !Array.isArray(question.files)) return value;
  const files = question.files.map((file: unknown) => (isRecord(file) ? change(file) : file));
  return { ...value, question: { ...question, files } };
}

/** The attempt that a delta with text belongs to. `null` for any other event. */
export function attemptOfText(value: unknown): string | null {
  return isStepDelta(value) && value.text !== '' ? attemptName(value) : null;
}

/** Removes the text from the deltas of these attempts. The deltas still record when their text arrived. */
export function shrinkAttempts(values: readonly unknown[], attempts: ReadonlySet<string>): unknown[] {
  return values.map((value) => (isStepDelta(value) && attempts.has(attemptName(value)) ? shrinkDelta(value) : value));
}

/** The attempt that an event ends. `null` if the event ends no attempt. */
export function attemptEndedBy(event: StoredEvent): string | null {
  if (!isKnownEvent(event)) return null;
  const ends = event.type === 'step-finished' || event.type === 'step-failed' || event.type === 'step-cancelled';
  return ends ? attemptName(event) : null;
}

/** Checks only `type` and `text`, because Podium wrote the stored records. */
function isStepDelta(value: unknown): value is StepDelta {
  return isRecord(value) && value.type === 'step-delta' && typeof value.text === 'string';
}
