/** @file The part of a connection's form for its extra headers and query parameters. Stored values are never shown. */
import { originOf, type Connection, type Extras } from '../../core/contract';
import { extraNameOf, extraProblem, readExtras } from '../../core/contract/worker/connection-extras';
import type { KeyServices } from '../services';

interface ExtraRow {
  name: string;
  /** `''`: the stored value stays. */
  value: string;
}

export class ExtrasForm {
  rows: ExtraRow[] = $state([]);
  /** Why the rows can't be read. `null`: the last call of `read` could read them. */
  problem: string | null = $state.raw(null);
  readonly #keys: KeyServices['keys'];
  readonly #before: Connection | null;

  /** @param before the connection being edited. `null` for a new one */
  constructor(keys: KeyServices['keys'], before: Connection | null) {
    this.#keys = keys;
    this.#before = before;
    this.rows = (before?.extraNames ?? []).map((name) => ({ name, value: '' }));
  }

  add(): void {
    this.rows.push({ name: '', value: '' });
  }

  remove(index: number): void {
    this.rows.splice(index, 1);
  }

  /** Whether the value of a row is stored for this address. */
  isStored({ name }: ExtraRow, address: string): boolean {
    return extraNameOf(name) in this.#stored(address);
  }

  /** The extras for this address. Returns `null` if a row has a problem, and states it in `problem`. */
  read(address: string, hasKey: boolean): Extras | null {
    const stored = this.#stored(address);
    let extras: Extras = {};
    this.problem = null;
    for (const row of this.rows) {
      const name = extraNameOf(row.name);
      const value = row.value.trim() || (stored[name] ?? '');
      if (name === '' && value === '') continue;
      if (name in extras) this.problem = `“${name}” is there twice.`;
      else if (value === '') this.problem = `Enter the value of “${name}”. None is stored for this address.`;
      else this.problem = extraProblem(name, value, hasKey);
      if (this.problem !== null) return null;
      extras = { ...extras, [name]: value };
    }
    return extras;
  }

  /** Values are stored for one origin only. */
  #stored(address: string): Extras {
    const id = this.#before?.id;
    return (id === undefined ? null : readExtras(this.#keys, { id, connection: id }, originOf(address))) ?? {};
  }
}
