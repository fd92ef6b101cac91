/** @file Reads the newest run from a page's database, and parses it with the app's own code. */
import type { Page } from '@playwright/test';
import { foldEvents, type Run, type StoredEvent } from '../../src/core/contract';
import { parseRun } from '../../src/core/contract/storage/schema';
import { putTextsBack } from '../../src/platform/store/stored-events';

export interface StoredRun {
  readonly events: readonly StoredEvent[];
  readonly run: Run;
  /** One message for each unreadable event. */
  readonly problems: readonly string[];
}

/** @returns `null` if no run is stored, or if the newest one has no `run-started` event */
export async function readStoredRun(page: Page): Promise<StoredRun | null> {
  const { values, blobs } = await page.evaluate(async () => {
    const result = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error('The database gave no answer.'));
      });
    const database = await result(indexedDB.open('podium'));
    const transaction = database.transaction(['summaries', 'chunks', 'blobs']);
    const [newest] = await result<{ id: string }[]>(transaction.objectStore('summaries').getAll(undefined, 1));
    const range = IDBKeyRange.bound([newest?.id ?? ''], [newest?.id ?? '', []]);
    const chunks = await result<unknown[][]>(transaction.objectStore('chunks').getAll(range));
    const hashes = await result(transaction.objectStore('blobs').getAllKeys());
    const texts = await result<string[]>(transaction.objectStore('blobs').getAll());
    database.close();
    return { values: chunks.flat(), blobs: hashes.map((hash, index) => [String(hash), texts[index] ?? ''] as const) };
  });
  const texts = new Map(blobs);
  const parsed = parseRun(values.map((value) => putTextsBack(value, texts)));
  if (!parsed.ok) throw new Error(parsed.message);
  const run = foldEvents(parsed.events);
  return run && { events: parsed.events, run, problems: parsed.problems.map(({ message }) => message) };
}
