/** @file The runs that the user has selected in the list. The selection survives changes of the filter. */
import { setOf } from '../state/replaced';
import type { RunList } from './run-list.svelte';

type Listed = Pick<RunList, 'ids' | 'idsBetween' | 'length'>;

export class ChosenRuns {
  ids: ReadonlySet<string> = $state.raw(setOf());
  /** Whether all runs that match the filter are selected. Updated by `compare`. */
  isAll = $state(false);
  readonly #list: Listed;
  /** The run that was selected or deselected last, where a range begins. */
  #anchor: { readonly id: string; readonly row: number } | null = null;
  #comparisons = 0;

  constructor(list: Listed) {
    this.#list = list;
  }

  get size(): number {
    return this.ids.size;
  }

  has(id: string): boolean {
    return this.ids.has(id);
  }

  /**
   * Selects or deselects a run.
   * @param isRange whether to change all runs from the last changed run to this run
   */
  async choose(id: string, row: number, on: boolean, isRange: boolean): Promise<void> {
    const anchor = this.#anchor;
    this.#anchor = { id, row };
    this.#set([id], on);
    if (!isRange || anchor === null || anchor.row === row) return;
    const between = await this.#list.idsBetween(Math.min(anchor.row, row), Math.max(anchor.row, row));
    // If filtering or sorting has moved the anchor to another row, the range is ignored.
    if (between.at(anchor.row < row ? 0 : -1) === anchor.id) this.#set(between, on);
  }

  /** Selects or deselects all runs that match the filter. */
  async chooseAll(on: boolean): Promise<void> {
    this.#set(await this.#list.ids(), on);
  }

  clear(): void {
    this.ids = setOf();
    this.#anchor = null;
  }

  /** Updates `isAll`. Call when the selection or the list has changed. */
  async compare(): Promise<void> {
    this.#comparisons += 1;
    const comparison = this.#comparisons;
    const { ids } = this;
    const { length } = this.#list;
    // Reading the ids is slow, so they are read only if at least as many runs are selected as match the filter.
    const matches = length > 0 && ids.size >= length ? await this.#list.ids().catch(() => []) : [];
    if (comparison === this.#comparisons) this.isAll = matches.length > 0 && matches.every((id) => ids.has(id));
  }

  #set(ids: readonly string[], on: boolean): void {
    const changed = setOf(ids);
    this.ids = on ? setOf([...this.ids, ...ids]) : setOf([...this.ids].filter((id) => !changed.has(id)));
  }
}
