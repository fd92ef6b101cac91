/** @file The filter and the sort order of runs, kept in the address of a page, so that links and Back work. */
import { untrack } from 'svelte';
import { push, replace, router } from 'svelte-spa-router';
import {
  ALL_RUNS,
  defaultSortOf,
  NEWEST_FIRST,
  type RunFilter,
  type RunQuery,
  type RunSort,
} from '../../core/contract';
import { queryAddress, readRunQuery, runQueryText, withFilter } from './run-query-text';

/** Delay between the last typed character and the search, ms. */
const TYPING = 100;

export class RunQueryState {
  /** The filter and the sort order. The object is replaced, never mutated. */
  query: RunQuery = $state.raw({ filter: ALL_RUNS, sort: NEWEST_FIRST });
  /** The text in the search field. `query` is updated after a short delay. */
  typed = $state('');
  readonly filter: RunFilter = $derived.by(() => this.query.filter);
  readonly isFiltered: boolean = $derived.by(() => this.filterText !== '');
  /** The filter as a query string, without the sort order. */
  readonly filterText: string = $derived.by(() =>
    runQueryText({ filter: this.filter, sort: defaultSortOf(this.filter) }),
  );

  readonly #path: string;
  /** The query string of the current `query`. `null` before the first read. */
  #text: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Call while a component initializes. @param path the path of the page with the filter, such as `/runs` */
  constructor(path: string) {
    this.#path = path;
    this.#read();
    // Runs again after Back, Forward or a link.
    $effect(() => this.#read());
    $effect(() => () => clearTimeout(this.#timer));
  }

  change(conditions: Partial<RunFilter>): void {
    this.#write(withFilter(this.query, { ...this.filter, words: this.typed.trim(), ...conditions }), push);
  }

  /** Searches for these words after a short delay. Typing adds no entry to the browser's history. */
  type(words: string): void {
    this.typed = words;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.search(), TYPING);
  }

  /** Searches for the typed text without a delay. */
  search(): void {
    clearTimeout(this.#timer);
    if (this.typed.trim() === this.filter.words) return;
    this.#write(withFilter(this.query, { ...this.filter, words: this.typed.trim() }), replace);
  }

  sortBy(sort: RunSort): void {
    this.#write({ ...this.query, sort }, push);
  }

  /** Removes all conditions. `withFilter` decides whether the sort order stays. */
  clear(): void {
    this.#write(withFilter(this.query, ALL_RUNS), push);
  }

  /** Applies a saved filter. `withFilter` decides whether the sort order stays. @param text the saved `filterText` */
  apply(text: string): void {
    this.#write(withFilter(this.query, readRunQuery(text).filter), push);
  }

  #read(): void {
    const { location, querystring = '' } = router;
    if (location !== this.#path || querystring === this.#text) return;
    this.#text = querystring;
    untrack(() => this.#show(readRunQuery(querystring)));
  }

  #show(query: RunQuery): void {
    clearTimeout(this.#timer);
    this.query = query;
    // A space at the end of the typed text must stay, because the user may be about to type the next word.
    if (this.typed.trim() !== query.filter.words) this.typed = query.filter.words;
  }

  #write(query: RunQuery, go: (address: string) => Promise<void>): void {
    this.#show(query);
    this.#text = runQueryText(query);
    void go(queryAddress(this.#path, query));
  }
}
