/**
 * @file Keeps all indexed runs in memory, each in one row. Most rows are in chunks, whose texts stay in storage. The newest rows
 * are in the tail, whose texts are also in memory. Adds and removes runs, and prepares chunks for storage.
 */
import { RunTable } from '../columns/run-table';
import type { Selection } from '../columns/layout';
import { SealedTexts, TEXT_BLOCK, type ReadTexts } from '../search/sealed-texts';
import { buildSegment } from '../search/segment';
import type { Entry, StoredChunk } from './entry';

/** A run's id and start time. Together they are the key of its stored summary. */
export interface RunPlace {
  readonly id: string;
  readonly startedAt: number;
}

/** A chunk, whose texts are in storage. */
export interface Sealed {
  readonly number: number;
  /** Index of the chunk's first row. */
  readonly base: number;
  readonly rows: number;
  readonly read: ReadTexts;
  texts: SealedTexts;
  /** Whether the chunk was deleted from storage. Its runs are then indexed again. */
  isDropped: boolean;
}

/** A chunk to store. */
export interface NewChunk {
  readonly value: StoredChunk;
  readonly ids: readonly string[];
  readonly texts: readonly (readonly string[])[];
}

export class IndexedRuns {
  readonly #table = new RunTable();
  readonly #sealed: Sealed[] = [];
  /** Folded texts (see `foldText`) of the tail, by row minus `#tailStart`. */
  #texts: string[] = [];
  #tailStart = 0;
  #version = 0;

  /** Increases with every change of the rows. */
  get version(): number {
    return this.#version;
  }

  get size(): number {
    return this.#table.size;
  }

  get table(): RunTable {
    return this.#table;
  }

  get sealed(): readonly Sealed[] {
    return this.#sealed;
  }

  /** Number of rows in the tail, including rows that are out of date. */
  get tailRows(): number {
    return this.#table.runs.length - this.#tailStart;
  }

  /** A copy of the selection of all rows that are up to date. */
  live(): Selection {
    return this.#table.live();
  }

  /** The row of a run. `null`: the run is not indexed. */
  rowOf(id: string): number | null {
    return this.#table.rowOf(id);
  }

  placeOf(row: number): RunPlace {
    return { id: this.idOf(row), startedAt: this.#table.runs.numbers.startedAt[row] ?? 0 };
  }

  idOf(row: number): string {
    return this.#table.ids[row] ?? '';
  }

  /** The texts of the tail, each with its row. */
  *tailTexts(): Generator<readonly [row: number, text: string], void, undefined> {
    for (const [index, text] of this.#texts.entries()) yield [this.#tailStart + index, text];
  }

  /** Adds a stored chunk. @param dead marks its rows that are out of date */
  addChunk(number: number, { table, segment }: StoredChunk, dead: Uint8Array, read: ReadTexts): void {
    if (this.tailRows > 0) throw new RangeError('Chunks come before the tail.');
    const base = this.#tailStart;
    this.#table.addChunk(table, dead);
    this.#tailStart = this.#table.runs.length;
    this.#push({ number, base, rows: table.runs.length }, segment, read);
    this.#version += 1;
  }

  put({ run, text, questionHash }: Entry): void {
    const row = this.#table.add(run, questionHash);
    this.#texts[row - this.#tailStart] = text;
    this.#version += 1;
  }

  remove(id: string): void {
    const row = this.#table.remove(id);
    if (row === null) return;
    if (row >= this.#tailStart) this.#texts[row - this.#tailStart] = '';
    this.#version += 1;
  }

  /** The number of the chunk that holds a run. `null`: the run is in the tail, or not indexed. */
  chunkOf(id: string): number | null {
    const row = this.#table.rowOf(id);
    const sealed = row === null ? undefined : this.#sealed.findLast(({ base }) => base <= row);
    return row === null || !sealed || row >= this.#tailStart ? null : sealed.number;
  }

  /** One byte for each row of a chunk: 1 if the row is out of date, 0 if not. */
  deadOf(number: number): Uint8Array<ArrayBuffer> {
    const { base, rows } = this.#require(number);
    return Uint8Array.from({ length: rows }, (_, row) => (this.#table.isLive(base + row) ? 0 : 1));
  }

  /** The ids of the runs whose row in a chunk is up to date. */
  idsOf(number: number): string[] {
    const { base, rows } = this.#require(number);
    const all = Array.from({ length: rows }, (_, row) => base + row);
    return all.filter((row) => this.#table.isLive(row)).map((row) => this.#table.ids[row] ?? '');
  }

  /** The numbers of the stored chunks in which fewer than half of the rows are up to date. */
  worn(): readonly number[] {
    return this.#numbersOf((sealed) => this.idsOf(sealed.number).length * 2 < sealed.rows);
  }

  /** Marks a chunk as no longer stored. */
  drop(number: number): void {
    this.#require(number).isDropped = true;
  }

  /** The numbers of the stored chunks that hold texts of runs that are no longer indexed. */
  holdingDeleted(): readonly number[] {
    return this.#numbersOf(({ base, rows }) => {
      for (let row = base; row < base + rows; row++)
        if (this.#isDeleted(row) && this.#table.ids[row] !== '') return true;
      return false;
    });
  }

  /**
   * Prepares a chunk without the texts of runs that are no longer indexed. The rows of the chunk keep their
   * numbers. The caller must not change any run before it calls `replace`.
   * @param pause see `buildSegment`
   * @returns `null` if some stored texts of the chunk are missing. Its runs must then be indexed again
   */
  async withoutDeleted(number: number, pause: () => Promise<void>): Promise<NewChunk | null> {
    const { base, rows, read } = this.#require(number);
    const all = Array.from({ length: rows }, (_, row) => base + row);
    const deleted = all.filter((row) => this.#isDeleted(row));
    const blocks = Array.from({ length: Math.ceil(rows / TEXT_BLOCK) }, (_, block) => block);
    const stored = await read(blocks);
    const isWhole = blocks.every((block) => stored[block]?.length === Math.min(TEXT_BLOCK, rows - block * TEXT_BLOCK));
    if (!isWhole) return null;
    const texts = all.map((_, row) => stored[Math.floor(row / TEXT_BLOCK)]?.[row % TEXT_BLOCK] ?? '');
    for (const row of deleted) {
      this.#table.blank(row);
      texts[row - base] = '';
    }
    const value = { table: this.#table.chunk(all), segment: await buildSegment(texts, pause) };
    return { value, ids: value.table.ids, texts: inBlocks(texts) };
  }

  /** Makes searches use the new texts of a stored chunk. The second argument comes from `withoutDeleted`. */
  replace(number: number, { value }: NewChunk): void {
    const sealed = this.#require(number);
    sealed.texts = new SealedTexts(value.segment, sealed.read);
    this.#version += 1;
  }

  #isDeleted(row: number): boolean {
    return this.#table.rowOf(this.#table.ids[row] ?? '') === null;
  }

  #numbersOf(isMeant: (sealed: Sealed) => boolean): readonly number[] {
    return this.#sealed.filter((sealed) => !sealed.isDropped && isMeant(sealed)).map(({ number }) => number);
  }

  #push(place: Pick<Sealed, 'number' | 'base' | 'rows'>, segment: StoredChunk['segment'], read: ReadTexts): void {
    this.#sealed.push({ ...place, read, texts: new SealedTexts(segment, read), isDropped: false });
  }

  /** Removes the out-of-date rows of the tail. */
  tidy(): void {
    const rows = this.#liveTail();
    const texts = rows.map((row) => this.#texts[row - this.#tailStart] ?? '');
    const chunk = this.#table.chunk(rows);
    this.#table.cut(this.#tailStart);
    this.#table.addChunk(chunk, null);
    this.#texts = texts;
    this.#version += 1;
  }

  /**
   * Prepares a chunk of the whole tail. The caller must not change any run before it calls `seal`.
   * @param pause see `buildSegment`
   */
  async chunkTail(pause: () => Promise<void>): Promise<NewChunk> {
    this.tidy();
    const rows = this.#liveTail();
    const table = this.#table.chunk(rows);
    const segment = await buildSegment(this.#texts, pause);
    return { value: { table, segment }, ids: table.ids, texts: inBlocks(this.#texts) };
  }

  /** Turns the tail into a chunk. The second argument comes from `chunkTail`. */
  seal(number: number, { value }: NewChunk, read: ReadTexts): void {
    const { rows } = value.segment;
    this.#push({ number, base: this.#tailStart, rows }, value.segment, read);
    this.#tailStart += rows;
    this.#texts = [];
    this.#version += 1;
  }

  #liveTail(): number[] {
    const rows = Array.from({ length: this.tailRows }, (_, index) => this.#tailStart + index);
    return rows.filter((row) => this.#table.isLive(row));
  }

  #require(number: number): Sealed {
    const sealed = this.#sealed.find((each) => each.number === number);
    if (!sealed) throw new RangeError(`There is no chunk ${number}.`);
    return sealed;
  }
}

function inBlocks(texts: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(texts.length / TEXT_BLOCK) }, (_, block) =>
    texts.slice(block * TEXT_BLOCK, (block + 1) * TEXT_BLOCK),
  );
}
