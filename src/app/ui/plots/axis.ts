/** @file Geometry of axes and labels: ticks, positions, and labels that don't overlap. All lengths in px. */

export interface Axis {
  readonly isLog: boolean;
  readonly ticks: readonly number[];
  place(value: number): number;
  words(value: number): string;
}

/** Minimum distance of two ticks of a logarithmic axis. */
const TICK = 72;
/** Above this ratio of the largest to the smallest value, the axis is logarithmic. */
const LOG_FROM = 8;

/** A linear axis from 0. Logarithmic if all values are positive and the largest exceeds `LOG_FROM` times the smallest. */
export function axisOf(values: readonly number[], words: (value: number) => string, width: number): Axis {
  const least = Math.min(...values, Infinity);
  const most = Math.max(...values, 0);
  if (least > 0 && Number.isFinite(least) && most / least > LOG_FROM) {
    const low = Math.log10(least) - 0.1;
    const high = Math.log10(most) + 0.1;
    const first = Math.ceil(low);
    const powers = Array.from(
      { length: Math.max(0, Math.floor(high) - first + 1) },
      (_, index) => 10 ** (first + index),
    );
    const shown = evenly(powers.length - 1, Math.floor(width / TICK)).flatMap((index) => powers[index] ?? []);
    const ticks = shown.length >= 2 ? shown : [10 ** low, 10 ** ((low + high) / 2), 10 ** high];
    return { isLog: true, ticks, words, place: (value) => (width * (Math.log10(value) - low)) / (high - low) };
  }
  const high = most > 0 ? most * 1.08 : 1;
  return { isLog: false, ticks: [0, high / 2, high], words, place: (value) => (width * value) / high };
}

/** Round numbers from 0 to at least `most`, in about `count` equal steps. `[0, 1]` if `most` is not positive. */
export function roundTicks(most: number, count = 4): readonly number[] {
  if (!(most > 0)) return [0, 1];
  const rough = most / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough * 0.999) ?? 10) * power;
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, index) => index * step);
}

/** At most `most` evenly spread indexes from 0 to `last`. */
export function evenly(last: number, most: number): readonly number[] {
  const count = Math.max(1, Math.min(most, last + 1));
  if (count === 1) return [0];
  return [...new Set(Array.from({ length: count }, (_, index) => Math.round((index * last) / (count - 1))))];
}

/** Approximate width of a text in px, at a font size of 12 px. */
export function widthOf(text: string): number {
  return text.length * LETTER;
}

/** The text, or its beginning with an ellipsis if the text is wider than `width`. */
export function clipped(text: string, width: number): string {
  const letters = Math.max(1, Math.floor(width / LETTER));
  return text.length <= letters ? text : `${text.slice(0, Math.max(1, letters - 1)).trimEnd()}…`;
}

interface Spot {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

interface PlacedLabel {
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'end';
}

const LETTER = 6.4;
const LINE = 16;
const BESIDE = 9;
/** Vertical offsets of a label from its point, in px, in the order in which they are tried. */
const OFFSETS = [-10, 10, 0, ...Array.from({ length: 11 }, (_, index) => 16 + 8 * index).flatMap((by) => [-by, by])];

/**
 * Places each label near its point, without overlapping earlier labels. `null`: no place is free, so that the label would
 * cover others.
 */
export function placeLabels(spots: readonly Spot[], within: Box): readonly (PlacedLabel | null)[] {
  const used: Box[] = [];
  return spots.map(({ x, y, text }) => {
    const width = widthOf(text);
    const fits = x + BESIDE + width <= within.right;
    const sides = fits ? (['start', 'end'] as const) : (['end', 'start'] as const);
    const tries = OFFSETS.flatMap((offset) =>
      sides.map((anchor) => ({ x: anchor === 'start' ? x + BESIDE : x - BESIDE, y: y + offset, anchor })),
    );
    const boxOf = (label: PlacedLabel): Box => {
      const left = label.anchor === 'start' ? label.x : label.x - width;
      return { left, right: left + width, top: label.y - LINE / 2, bottom: label.y + LINE / 2 };
    };
    const isFree = (label: PlacedLabel) => {
      const box = boxOf(label);
      const isInside = box.left >= within.left - 30 && box.right <= within.right && box.top >= 0;
      return isInside && box.bottom <= within.bottom && !used.some((other) => overlaps(box, other));
    };
    const free = tries.find(isFree) ?? null;
    if (free) used.push(boxOf(free));
    return free;
  });
}

function overlaps(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
