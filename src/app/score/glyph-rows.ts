/** @file Computes the row of each bar in the small picture of a run, so that bars that overlap in time don't hide each other. */
import type { GlyphBar } from '../../core/contract';

export interface GlyphRows {
  /** The row of each bar, in the order of the bars. The top row is 0. */
  readonly rows: readonly number[];
  /** The lane of each row. Lanes are in ascending order. A lane has several rows if its bars overlap. */
  readonly lanes: readonly number[];
}

/** Gives each bar the first row of its lane that is free at that time. */
export function glyphRows(glyph: readonly GlyphBar[]): GlyphRows {
  /** For each lane, the end of the last bar in each of its rows. */
  const ends = new Map<number, number[]>();
  const places = new Map<GlyphBar, number>();
  for (const bar of [...glyph].sort((a, b) => a.start - b.start)) {
    const own = ends.get(bar.lane) ?? [];
    const free = own.findIndex((end) => end <= bar.start);
    const place = free < 0 ? own.length : free;
    own[place] = bar.end;
    ends.set(bar.lane, own);
    places.set(bar, place);
  }
  const lanes = [...ends].sort(([a], [b]) => a - b).flatMap(([lane, own]) => own.map(() => lane));
  return { rows: glyph.map((bar) => lanes.indexOf(bar.lane) + (places.get(bar) ?? 0)), lanes };
}
