/** @file Finds other runs with the same question, so that the question's embedding is kept while another run needs it. */
import { questionHashOf } from '../../core/contract';
import type { Database } from './database';
import { summaryKey } from './write-runs';

/** Number of summaries that are read at a time. */
const PAGE = 1000;
/**
 * Maximum number of other runs whose question is read and compared. If the same question occurs only in runs beyond this maximum,
 * the embedding is deleted too early, but can be computed again.
 */
const MOST_READ = 50;

export class QuestionRuns {
  readonly #database: Database;
  readonly #questionOf: (runId: string) => Promise<string | null>;
  /**
   * The ids of runs, by the hash of the question in their summaries. A summary may contain a shortened
   * question, so runs with the same hash may have different questions.
   */
  #ids: ReadonlyMap<number, readonly string[]> = new Map();
  /**
   * The expected number of runs after the last deletion. If the store contains more runs, `#ids` is out of
   * date.
   */
  #count = 0;

  /** @param questionOf reads the whole question of a run, or returns `null` if the run is deleted */
  constructor(database: Database, questionOf: (runId: string) => Promise<string | null>) {
    this.#database = database;
    this.#questionOf = questionOf;
  }

  /**
   * Whether another run has the same question as this run. Must be called right before this run is deleted.
   * @param shortened the question in this run's summary
   */
  async isSharedWith(runId: string, question: string, shortened: string): Promise<boolean> {
    const count = await this.#database.transact(['summaries'], 'readonly', (transaction) =>
      transaction.objectStore('summaries').count(),
    );
    if (count > this.#count) this.#ids = await this.#list();
    this.#count = count - 1;
    const others = (this.#ids.get(questionHashOf(shortened)) ?? []).filter((id) => id !== runId);
    for (const id of others.slice(0, MOST_READ)) if ((await this.#questionOf(id)) === question) return true;
    return false;
  }

  /** Must be called when all runs are deleted. */
  clear(): void {
    this.#ids = new Map();
    this.#count = 0;
  }

  async #list(): Promise<ReadonlyMap<number, readonly string[]>> {
    const ids = new Map<number, string[]>();
    for (let range: IDBKeyRange | null = null; ;) {
      const after: IDBKeyRange | null = range;
      const page = await this.#database.transact(['summaries'], 'readonly', (transaction) =>
        transaction.objectStore('summaries').getAll(after, PAGE),
      );
      for (const { id, question } of page) {
        const hash = questionHashOf(question);
        const known = ids.get(hash);
        if (known) known.push(id);
        else ids.set(hash, [id]);
      }
      const last = page.at(-1);
      if (!last || page.length < PAGE) return ids;
      range = IDBKeyRange.lowerBound(summaryKey(last), true);
    }
  }
}
