/**
 * @file Reads the runs in a file: one that the page has exported, or one of `podium serve --runs`. Confidential runs are left out.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { confidentialityCheck, foldEvents, isRecord, parseJson, type Run, type StoredEvent } from '../../core/contract';
import { parseStoredEvent } from '../../core/contract/storage/schema';
import { parseRunValue, VerifiedTexts } from '../../platform/store/run-file';
import { UsageError } from '../exit-codes';

export class SavedRuns {
  readonly #path: string;
  /** The runs of the file when it had this size and time. */
  #read: { readonly version: string; readonly runs: readonly Run[] } | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  /** All runs, newest first. Throws a `UsageError` if the file can't be read. */
  async all(): Promise<readonly Run[]> {
    const { size, mtimeMs } = await stat(this.#path).catch(() => {
      throw new UsageError(`${this.#path} can’t be read.`);
    });
    const version = `${size} ${mtimeMs}`;
    if (this.#read?.version !== version) this.#read = { version, runs: await readRuns(this.#path) };
    return this.#read.runs;
  }

  /** The runs whose question, answer, title, note or labels contain all words of a text, newest first. */
  async search(text: string): Promise<readonly Run[]> {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return (await this.all()).filter((run) => {
      const { title, note } = run.annotation;
      const searched = [run.question.text, run.answer, title, note, ...run.labels].join('\n').toLowerCase();
      return words.every((word) => searched.includes(word));
    });
  }
}

async function readRuns(path: string): Promise<readonly Run[]> {
  const events = new Map<string, StoredEvent[]>();
  const verified = new VerifiedTexts();
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const value = parseJson(line);
    if (!isRecord(value)) continue;
    if (typeof value.deleted === 'string') events.delete(value.deleted);
    for (const event of eventsOf(value, verified)) {
      const known = events.get(event.runId);
      if (known) known.push(event);
      else events.set(event.runId, [event]);
    }
  }
  const read = (id: string) => Promise.resolve(events.get(id) ?? []);
  const isConfidential = confidentialityCheck({ read, datasets: [], batches: [] });
  const open: StoredEvent[][] = [];
  for (const each of events.values()) {
    const [first] = each;
    if (first && !(await isConfidential(first))) open.push(each);
  }
  return open.flatMap((each) => foldEvents(each) ?? []).toSorted((one, other) => other.startedAt - one.startedAt);
}

/** Damaged lines have no events. */
function eventsOf(value: Readonly<Record<string, unknown>>, verified: VerifiedTexts): readonly StoredEvent[] {
  if ('format' in value) {
    const parsed = parseRunValue(value, verified);
    return parsed.ok ? parsed.events : [];
  }
  if (!Array.isArray(value.events)) return [];
  return value.events.flatMap((each) => {
    const parsed = parseStoredEvent(each);
    return parsed.ok ? [parsed.event] : [];
  });
}
