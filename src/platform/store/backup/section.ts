/**
 * @file The interface of a backup section. A section reads one kind of record from the database, validates it and restores
 * it. The sections are in `sections.ts`.
 */
import { NOTHING_IMPORTED, type RestoreMode, type ImportCounts } from '../../../core/contract';
import type { StoreName } from '../database';
import type { Pruned } from '../remove-runs';

export type Outcome = Exclude<keyof ImportCounts, 'removed'>;

export type Checked<Item> =
  { readonly ok: true; readonly item: Item } | { readonly ok: false; readonly message: string };

/** One kind of record in a backup. */
export interface SectionDefinition<Item> {
  /** The section's name in the lines of the file. It must never change. */
  readonly name: string;
  /** Nouns for messages. */
  readonly one: string;
  readonly many: string;
  /** The object stores whose content the section contains. */
  readonly stores: readonly StoreName[];
  count(): Promise<number>;
  /** Whether mode `replace` keeps the stored values that the file doesn't contain. Default: `false`. */
  readonly keepsExisting?: boolean;
  /**
   * The name of another section whose values need the values of this section. For example, batches need their
   * datasets and results. In mode `replace`, the other section is pruned first. This section is pruned only if
   * both sections are intact in the file. Otherwise, a batch could remain without its datasets or results.
   */
  readonly usedBy?: string;
  /**
   * Yields the values, each of which becomes one line of JSON.
   * @param leftOut called with a sentence for values that are left out, because they cannot be read or are confidential
   */
  read(signal: AbortSignal, leftOut: (message: string) => void): AsyncIterable<unknown>;
  check(value: unknown): Checked<Item>;
  /**
   * Stores values, each completely or not at all.
   * @returns an outcome for each value, except for new datasets that are not stored because they lack tasks
   */
  put(items: readonly Item[], mode: RestoreMode): Promise<readonly Outcome[]>;
  /** The id of a value, unique in its section. */
  idOf(item: Item): string;
  /**
   * Runs after the last `put` in mode `replace`. Deletes the stored values that the file doesn't contain, and yields an outcome
   * for each of these values. Confidential values and the values of a section with `keepsExisting` are kept.
   * @param ids the ids of all values in the file
   */
  prune(ids: ReadonlySet<string>, signal: AbortSignal): AsyncIterable<Pruned>;
  /**
   * A `put` is due when `items` values are queued, or when the total length of their lines reaches `length`,
   * in UTF-16 units.
   */
  readonly page?: { readonly items: number; readonly length: number };
}

export interface BackupSection extends Pick<
  SectionDefinition<never>,
  'name' | 'one' | 'many' | 'stores' | 'count' | 'read' | 'keepsExisting' | 'usedBy'
> {
  /** Why a value is invalid, as a sentence. `null` if it can be restored. */
  problem(value: unknown): string | null;
  open(mode: RestoreMode): SectionWriter;
}

/** Restores the values of one section of one file. */
export interface SectionWriter {
  /**
   * Validates a value and queues it for the next `put`.
   * @param length the length of the value's line, in UTF-16 units
   * @returns why the value is invalid, as a sentence, or `null`
   */
  add(value: unknown, length: number): string | null;
  /** Whether a `put` is due, see `SectionDefinition.page`. */
  readonly isFull: boolean;
  put(): Promise<void>;
  /**
   * Deletes the stored values that the file doesn't contain, see `SectionDefinition.prune`. May reject on abort. `counts` then
   * includes the values deleted so far.
   */
  prune(signal: AbortSignal): Promise<void>;
  readonly counts: ImportCounts;
}

const PAGE = { items: 50, length: 4 * 1024 * 1024 };

export function defineSection<Item>(definition: SectionDefinition<Item>): BackupSection {
  const { name, one, many, stores, keepsExisting = false, usedBy, page = PAGE } = definition;
  return {
    name,
    one,
    many,
    stores,
    keepsExisting,
    ...(usedBy === undefined ? {} : { usedBy }),
    count: () => definition.count(),
    read: (signal, leftOut) => definition.read(signal, leftOut),
    problem(value) {
      const checked = definition.check(value);
      return checked.ok ? null : checked.message;
    },
    open(mode) {
      let waiting: Item[] = [];
      let length = 0;
      let counts = NOTHING_IMPORTED;
      const ids = new Set<string>();
      return {
        add(value, size) {
          const checked = definition.check(value);
          if (!checked.ok) return checked.message;
          waiting.push(checked.item);
          length += size;
          return null;
        },
        get isFull() {
          return waiting.length >= page.items || length >= page.length;
        },
        async put() {
          const items = waiting;
          [waiting, length] = [[], 0];
          if (items.length === 0) return;
          counts = addOutcomes(counts, await definition.put(items, mode));
          if (mode === 'replace') for (const item of items) ids.add(definition.idOf(item));
        },
        async prune(signal) {
          // Counts the outcomes one by one, so that `counts` is correct even after an abort or a failure.
          for await (const outcome of definition.prune(ids, signal)) {
            counts = { ...counts, [outcome]: counts[outcome] + 1 };
          }
        },
        get counts() {
          return counts;
        },
      };
    },
  };
}

function addOutcomes(counts: ImportCounts, outcomes: readonly Outcome[]): ImportCounts {
  const sum = { ...counts };
  for (const outcome of outcomes) sum[outcome] += 1;
  return sum;
}
