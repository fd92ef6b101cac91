/** @file Finds the indexed runs that match a filter, sorts them, and computes their totals and the data of plots (figures). */
import { comparesMeaning, type Nearness, type RunFacets, type RunSummary, type RunTotals } from '../../contract';
import type { RunColumns, Selection } from '../columns/layout';
import { select } from '../columns/select';
import { sortRows } from '../columns/sort';
import { threadRows, withTurns } from '../columns/threads';
import { facetsOf, totalsOf } from '../columns/totals';
import { TEXT_BLOCK, unsearchedBlocks } from '../search/sealed-texts';
import { hasBit } from '../search/segment';
import { IndexedRuns, type RunPlace, type Sealed } from './indexed-runs';
import { keepNearest, type NearestRows } from './nearest';
import type { QuestionVectors } from './question-vectors';
import type { SearchFilter, SearchQuery } from './search-filter';
import { foldText } from '../search/fold-text';

/**
 * Computes the data of a figure from the selected runs. The data must be cloneable, because the Web Worker posts it to the
 * page.
 */
export type Figure = (columns: RunColumns, selection: Selection) => unknown;

/** The runs that match a filter. */
interface Found {
  readonly selection: Selection;
  /** `null`: the search was not by meaning, or there are no vectors. */
  readonly nearest: NearestRows | null;
  /** See `RunTotals.unsearched`. */
  readonly unsearched: number;
}

/** Maximum number of cached searches, and of cached sort orders. Both caches are cleared when runs or vectors change. */
const KEPT = 8;
/**
 * Maximum number of text blocks (about 10 MB) that are searched for phrases before an early answer (see
 * `EarlyAnswer`).
 */
const BLOCKS = 64;
/** Maximum number of text blocks (a few megabytes) that are read at the same time. */
const BLOCKS_AT_ONCE = 16;

export class RunSearch {
  readonly runs = new IndexedRuns();
  readonly #vectors: QuestionVectors | null;
  readonly #found = new Map<string, Found>();
  readonly #orders = new Map<string, Uint32Array>();
  /** Running text searches, by filter. Queries with the same filter share one search, so that their answers are consistent. */
  readonly #searching = new Map<string, Promise<Found>>();
  /** The versions of the runs and the vectors from which the cached results were computed. */
  #version = { runs: 0, vectors: 0 };

  /** @param vectors vectors of questions. `null`: a search by meaning finds nothing */
  constructor(vectors: QuestionVectors | null = null) {
    this.#vectors = vectors;
  }

  /** @param early see `EarlyAnswer` */
  async totals(filter: SearchFilter, signal: AbortSignal, early = false): Promise<RunTotals> {
    const { selection, unsearched } = await this.#find(filter, signal, early);
    return { ...totalsOf(this.runs.table, selection), unsearched };
  }

  /** The sorted matches at the positions `from` to `to - 1`. @param early see `EarlyAnswer` */
  async places(
    query: SearchQuery,
    signal: AbortSignal,
    from = 0,
    to = Infinity,
    early = false,
  ): Promise<readonly RunPlace[]> {
    const { selection, nearest, unsearched } = await this.#find(query.filter, signal, early);
    const key = JSON.stringify(query);
    const rows =
      this.#orders.get(key) ?? sortRows(this.runs.table, selection, query.sort, nearest?.similarities ?? null);
    if (unsearched === 0) keep(this.#orders, key, rows);
    return Array.from(rows.subarray(from, Math.min(to, rows.length)), (row) => this.runs.placeOf(row));
  }

  facets(): RunFacets {
    return facetsOf(this.runs.table, this.runs.live());
  }

  /** Other runs with the same question as this run, newest first. */
  sameQuestion(id: string, most: number): readonly RunPlace[] {
    const own = this.runs.rowOf(id);
    if (own === null) return [];
    const { table } = this.runs;
    const { questionHash } = table.runs.numbers;
    const selection = this.runs.live();
    const hash = questionHash[own];
    for (let row = 0; row < selection.length; row++) {
      if (questionHash[row] !== hash || row === own) selection[row] = 0;
    }
    const rows = sortRows(table, selection, { by: 'startedAt', descending: true });
    return Array.from(rows.subarray(0, most), (row) => this.runs.placeOf(row));
  }

  /** The runs of a run's conversation in order of their turns, with the run itself. Empty if it has no other runs. */
  thread(id: string): readonly RunPlace[] {
    return threadRows(this.runs.table, id).map((row) => this.runs.placeOf(row));
  }

  /** Adds to each run of a conversation how many turns the conversation has. */
  withTurns(summaries: readonly RunSummary[]): readonly RunSummary[] {
    return withTurns(this.runs.table, summaries);
  }

  async figure(figure: Figure, filter: SearchFilter, signal: AbortSignal): Promise<unknown> {
    return figure(this.runs.table, (await this.#find(filter, signal)).selection);
  }

  /**
   * The similarity of each match of a search by meaning, and how many runs the search left out. `null`: the search is not by
   * meaning, or there are no vectors.
   */
  async nearness(filter: SearchFilter, signal: AbortSignal): Promise<Nearness | null> {
    const { nearest } = await this.#find(filter, signal);
    if (!nearest || !filter.near) return null;
    const { rows, similarities, beyond, missing } = nearest;
    const byId = rows.map((row) => [this.runs.idOf(row), similarities[row] ?? 0]);
    return { by: filter.near.by, similarities: Object.fromEntries(byId), beyond, missing: missing.length };
  }

  /**
   * Runs that a search by meaning leaves out because their question has no vector.
   * @returns `ids`: one run for each such question, newest questions first, at most `most` ids. `runs`: number of all such runs
   */
  async withoutVector(filter: SearchFilter, most: number, signal: AbortSignal) {
    const { nearest } = await this.#find(filter, signal);
    const missing = nearest?.missing ?? [];
    const { questionHash } = this.runs.table.runs.numbers;
    const questions = new Map<number, string>();
    for (const row of missing.toReversed()) {
      if (questions.size >= most) break;
      questions.set(questionHash[row] ?? 0, this.runs.idOf(row));
    }
    return { ids: [...questions.values()], runs: missing.length };
  }

  async #find(filter: SearchFilter, signal: AbortSignal, early = false): Promise<Found> {
    const key = JSON.stringify(filter);
    this.#forgetOld();
    let found = this.#found.get(key) ?? (comparesMeaning(filter) ? this.#findNear(filter) : this.#findKnown(filter));
    while (found.unsearched > 0) {
      found = await this.#searchTexts(key, filter);
      signal.throwIfAborted();
      if (early) break;
    }
    this.#forgetOld();
    if (found.unsearched === 0) keep(this.#found, key, found);
    return found;
  }

  /** Clears the caches if the runs or the vectors have changed. */
  #forgetOld(): void {
    const version = { runs: this.runs.version, vectors: this.#vectors?.version ?? 0 };
    if (version.runs === this.#version.runs && version.vectors === this.#version.vectors) return;
    this.#found.clear();
    this.#orders.clear();
    this.#version = version;
  }

  #findNear(filter: SearchFilter): Found {
    const { table } = this.runs;
    const selection = this.runs.live();
    select(table, filter, selection);
    const vectors = this.#vectors;
    const nearest =
      vectors && filter.near ? keepNearest(table, selection, vectors, filter.near, filter.similarity) : null;
    if (!nearest) selection.fill(0);
    return { selection, nearest, unsearched: 0 };
  }

  /**
   * The matches of a search by words. Runs whose texts must still be searched for a phrase are left out and counted as
   * `unsearched`.
   */
  #findKnown(filter: SearchFilter): Found {
    const { selection, phrases } = this.#narrowed(filter);
    let unsearched = 0;
    for (const { rows, base, texts } of phrases.length > 0 ? this.runs.sealed : []) {
      const known = phrases.map((phrase) => texts.findPhrase(phrase));
      for (const block of unsearchedBlocks(known, selection, base)) {
        for (let row = block * TEXT_BLOCK; row < Math.min(rows, (block + 1) * TEXT_BLOCK); row++) {
          unsearched += selection[base + row] ?? 0;
          selection[base + row] = 0;
        }
      }
    }
    return { selection, nearest: null, unsearched };
  }

  #searchTexts(key: string, filter: SearchFilter): Promise<Found> {
    const searching = this.#searching.get(key) ?? this.#searchMore(filter).finally(() => this.#searching.delete(key));
    this.#searching.set(key, searching);
    return searching;
  }

  /** Searches more texts for phrases, beginning with the newest runs that may match. */
  async #searchMore(filter: SearchFilter): Promise<Found> {
    const { selection, phrases } = this.#narrowed(filter);
    const { startedAt } = this.runs.table.runs.numbers;
    const newestFirst = this.runs.sealed.toSorted(
      (one, other) => (startedAt[other.base] ?? 0) - (startedAt[one.base] ?? 0),
    );
    let left = BLOCKS;
    for (const { base, texts } of newestFirst) {
      const known = phrases.map((phrase) => texts.findPhrase(phrase));
      const blocks = unsearchedBlocks(known, selection, base).slice(0, left);
      for (let from = 0; from < blocks.length; from += BLOCKS_AT_ONCE) {
        await texts.search(phrases, blocks.slice(from, from + BLOCKS_AT_ONCE));
      }
      left -= blocks.length;
      if (left === 0) break;
    }
    // Finds the matches again, because runs may have changed meanwhile.
    return this.#findKnown(filter);
  }

  /** The phrases of a filter, and the runs that may contain them. The runs match all other conditions of the filter. */
  #narrowed(filter: SearchFilter): { readonly selection: Selection; readonly phrases: readonly string[] } {
    const words = wordsOf(filter.words);
    const isPhrase = (word: string) => word.includes(' ');
    const selection = this.runs.live();
    select(this.runs.table, filter, selection);
    for (const word of words) {
      const rowsIn = ({ texts }: Sealed) => (isPhrase(word) ? texts.findPhrase(word).possible : texts.find(word));
      for (const sealed of this.runs.sealed) {
        const bits = rowsIn(sealed);
        for (let row = 0; row < sealed.rows; row++) if (!hasBit(bits, row)) selection[sealed.base + row] = 0;
      }
      for (const [row, text] of this.runs.tailTexts()) {
        if (selection[row] === 1 && !text.includes(word)) selection[row] = 0;
      }
    }
    return { selection, phrases: words.filter(isPhrase) };
  }
}

function keep<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
}

const QUOTES = /["“”„«»]/;
const PHRASE = /["“”„«]([^"“”„«»]*)(?:["“”„»]|$)/g;

const MOST_WORDS = 24;

/** The words and "quoted phrases" of the search text, normalized by `foldText`, without duplicates. */
export function wordsOf(typed: string): readonly string[] {
  const found: string[] = [];
  const rest = typed.replace(PHRASE, (_, phrase: string) => {
    found.push(foldText(phrase).trim());
    return ' ';
  });
  for (const word of rest.split(/\s+/)) found.push(...foldText(word.replace(QUOTES, '')).trim().split(' '));
  return [...new Set(found)].filter((word) => word !== '').slice(0, MOST_WORDS);
}
