/**
 * @file What a part of the backup is: how one kind of thing is read out of the database, checked when it comes back, and put
 * in its place. The sections stand in `sections.ts`.
 */
import { NOTHING_TAKEN_IN, type RestoreMode, type TakenIn } from '../../../core/contract';
import type { StoreName } from '../database';
import type { Pruned } from '../remove-runs';

export type Outcome = Exclude<keyof TakenIn, 'removed'>;

export type Checked<Item> =
  { readonly ok: true; readonly item: Item } | { readonly ok: false; readonly message: string };

/** One kind of thing, as whoever knows it writes it down. */
export interface SectionDefinition<Item> {
  /** As lines of the file name it: never changed. */
  readonly name: string;
  /** For sentences. */
  readonly one: string;
  readonly many: string;
  /** The object stores whose content it carries. */
  readonly stores: readonly StoreName[];
  count(): Promise<number>;
  /** What is here stays as it is, also where everything else is replaced. */
  readonly keepsWhatIsHere?: boolean;
  /** Each value as JSON can hold it; one a line. @param leftOut told of what cannot be read, in a sentence */
  read(signal: AbortSignal, leftOut: (message: string) => void): AsyncIterable<unknown>;
  /** Holds one value of a file against its schema. */
  check(value: unknown): Checked<Item>;
  /** Puts some in their place, each whole or not at all. @returns what became of each */
  put(items: readonly Item[], mode: RestoreMode): Promise<readonly Outcome[]>;
  /** What tells it from others of its kind. */
  idOf(item: Item): string;
  /**
   * After the last `put` in mode `replace`: takes out what the file did not hold, and says of each what became of it.
   * @param ids of all it held
   */
  prune(ids: ReadonlySet<string>, signal: AbortSignal): AsyncIterable<Pruned>;
  /** Most items, and most text in UTF-16 units, that are put at a time. */
  readonly page?: { readonly items: number; readonly length: number };
}

export interface BackupSection extends Pick<
  SectionDefinition<never>,
  'name' | 'one' | 'many' | 'stores' | 'count' | 'read' | 'keepsWhatIsHere'
> {
  /** What is wrong with a value, in a sentence; `null` if it can be restored. */
  problem(value: unknown): string | null;
  open(mode: RestoreMode): SectionWriter;
}

/** Takes the values of one section of one file in. */
export interface SectionWriter {
  /** Checks a value and keeps it until it is put. @returns what is wrong with it, in a sentence, or `null` */
  take(value: unknown, length: number): string | null;
  /** Whether enough has been taken for a `put`. */
  readonly isFull: boolean;
  put(): Promise<void>;
  /** Takes out what the file did not hold. Rejects on abort; `taken` then counts what is gone. */
  prune(signal: AbortSignal): Promise<void>;
  readonly taken: TakenIn;
}

const PAGE = { items: 50, length: 4 * 1024 * 1024 };

export function defineSection<Item>(definition: SectionDefinition<Item>): BackupSection {
  const { name, one, many, stores, keepsWhatIsHere = false, page = PAGE } = definition;
  return {
    name,
    one,
    many,
    stores,
    keepsWhatIsHere,
    count: () => definition.count(),
    read: (signal, leftOut) => definition.read(signal, leftOut),
    problem(value) {
      const checked = definition.check(value);
      return checked.ok ? null : checked.message;
    },
    open(mode) {
      let waiting: Item[] = [];
      let length = 0;
      let taken = NOTHING_TAKEN_IN;
      const ids = new Set<string>();
      return {
        take(value, size) {
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
          taken = addOutcomes(taken, await definition.put(items, mode));
          if (mode === 'replace') for (const item of items) ids.add(definition.idOf(item));
        },
        async prune(signal) {
          // One by one: where it is stopped or fails, what is gone by then is counted.
          for await (const outcome of definition.prune(ids, signal)) {
            taken = { ...taken, [outcome]: taken[outcome] + 1 };
          }
        },
        get taken() {
          return taken;
        },
      };
    },
  };
}

function addOutcomes(taken: TakenIn, outcomes: readonly Outcome[]): TakenIn {
  const sum = { ...taken };
  for (const outcome of outcomes) sum[outcome] += 1;
  return sum;
}
