/** @file Wraps stores so that their newest content can be read synchronously. */
import {
  DEFAULT_PREFERENCES,
  type Preferences,
  type PreferencesStore,
  type WorkerSetup,
  type WorkerSetups,
} from '../core/contract';

export interface RememberedSetups extends WorkerSetups {
  /** The setups by id, as of the last `list`, `put` or `delete`. */
  readonly known: ReadonlyMap<string, WorkerSetup>;
}

export interface RememberedPreferences extends PreferencesStore {
  /** The preferences as of the last read or write. Before the first read or write, these are the defaults. */
  known(): Preferences;
}

export function rememberSetups(store: WorkerSetups): RememberedSetups {
  const known = new Map<string, WorkerSetup>();
  return {
    known,
    async list() {
      const setups = await store.list();
      known.clear();
      for (const setup of setups) known.set(setup.id, setup);
      return setups;
    },
    async put(setup) {
      await store.put(setup);
      known.set(setup.id, setup);
    },
    async delete(id) {
      await store.delete(id);
      known.delete(id);
    },
  };
}

export function rememberPreferences(store: PreferencesStore): RememberedPreferences {
  let known = DEFAULT_PREFERENCES;
  /** Fields that were written while a read was in progress. They are newer than the result of this read. */
  let writtenMeanwhile: Partial<Preferences> = {};
  let readers = 0;
  return {
    known: () => known,
    async read() {
      if (readers++ === 0) writtenMeanwhile = {};
      try {
        known = { ...(await store.read()), ...writtenMeanwhile };
        return known;
      } finally {
        readers--;
      }
    },
    write(fields) {
      known = { ...known, ...fields };
      writtenMeanwhile = { ...writtenMeanwhile, ...fields };
      return store.write(fields);
    },
  };
}
