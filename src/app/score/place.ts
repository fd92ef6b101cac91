/**
 * @file Positions of a score's parts, in percent of the score's width. Positions follow time, or they follow the order of the
 * steps. In the second case, all columns have the same width. A note is the bar of a step.
 */
import type { Part, Parts, Planning } from './parts';

export interface Span {
  readonly left: number;
  readonly width: number;
}

/** The positions of all parts of a score. */
export interface Placing {
  readonly notes: readonly Span[];
  readonly plans: readonly Span[];
  readonly roundEnds: readonly number[];
  readonly rounds: readonly Span[];
  /** Gives the position of a moment. `null` if positions don't follow time. */
  readonly at: ((time: number) => number) | null;
  /** The moment at the end of the time axis, ms. 0 if there is no time axis. */
  readonly whole: number;
  /**
   * Width of the time axis, in percent of the score's width. The axis ends at the run's last moment so far. The
   * rest of the width is for steps that haven't started, or empty. 100 if there is no time axis.
   */
  readonly played: number;
}

/** Percent of the width that stays empty after the last moment if there are no more steps. */
const TAIL = 6.25;
/** Percent of the width for each level that `levelsAhead` returns. */
const AHEAD = 12;
/** Maximum percent of the width for all steps that haven't started. */
const AHEAD_MOST = 50;
/** Shortest time axis, ms, so that the first milliseconds of a run don't fill the width. */
const SHORTEST = 500;

export function placeInTime(source: Parts): Placing {
  const ahead = levelsAhead(source.parts);
  const columns = Math.max(-1, ...ahead.map((level) => level ?? -1)) + 1;
  const reserved = columns === 0 ? TAIL : Math.min(AHEAD_MOST, columns * AHEAD + 2);
  const played = 100 - reserved;
  const whole = Math.max(source.until, source.isLive ? SHORTEST : 1);
  const at = (time: number) => (Math.min(time, whole) / whole) * played;
  const pitch = columns === 0 ? 0 : (reserved - 2) / columns;
  const notes = source.parts.map((part, index): Span => {
    const level = ahead[index];
    if (level !== null && level !== undefined) return { left: played + 2 + level * pitch, width: pitch * 0.55 };
    const left = at(part.begin ?? 0);
    return { left, width: at(part.end ?? part.begin ?? 0) - left };
  });
  const plans = source.planning.map(({ begin, end }) => ({ left: at(begin), width: at(end) - at(begin) }));
  const rounds = source.rounds.map(({ begin, end }) => ({ left: at(begin), width: at(end) - at(begin) }));
  return { notes, plans, roundEnds: source.roundEnds.map(({ time }) => at(time)), rounds, at, whole, played };
}

/**
 * The level of each part that hasn't started: 0 if every part that it sees has started, else one more than
 * the highest level that it sees. `null` for parts that have started.
 */
function levelsAhead(parts: readonly Part[]): (number | null)[] {
  const levels: (number | null)[] = [];
  for (const part of parts) {
    levels.push(
      part.begin !== null ? null : part.sees.reduce((most, seen) => Math.max(most, levels[seen] ?? -1), -1) + 1,
    );
  }
  return levels;
}

/** Distance from the start of a plan's bar to the first note of its round. This and the next three lengths are in columns. */
const OFFSET = 0.3;
/** Width of a note. */
const NOTE = 0.8;
/** Free space after the last note. */
const MARGIN = 0.15;
/** Width of a plan's bar. */
const PLAN = 0.12;

export function placeInOrder(source: Parts): Placing {
  const rounds = [
    ...new Set([...source.parts.map((part) => part.place.round), ...source.planning.map((p) => p.round)]),
  ];
  const offset = source.hasConductor ? OFFSET : 0;
  const starts = new Map<number, number>();
  let columns = 0;
  for (const round of rounds.sort((a, b) => a - b)) {
    starts.set(round, columns);
    const levels = source.parts.filter((part) => part.place.round === round).map((part) => part.level);
    columns += offset + Math.max(0, ...levels.map((level) => level + 1));
  }
  const pitch = 100 / Math.max(1, columns - (1 - NOTE) + MARGIN);
  const startOf = (round: number) => starts.get(round) ?? 0;
  const notes = source.parts.map((part): Span => {
    return { left: (startOf(part.place.round) + offset + part.level) * pitch, width: NOTE * pitch };
  });
  const plans = source.planning.map((planning: Planning): Span => ({
    left: startOf(planning.round) * pitch,
    width: PLAN * pitch,
  }));
  const roundEnds = source.roundEnds.map(({ round }) => (startOf(round + 1) - (1 - NOTE) / 2) * pitch);
  const spans = source.rounds.map(({ round }): Span => {
    const left = startOf(round) * pitch;
    return { left, width: (starts.get(round + 1) ?? columns) * pitch - left - (1 - NOTE) * pitch };
  });
  return { notes, plans, roundEnds, rounds: spans, at: null, whole: 0, played: 100 };
}

/** Notes that follow each other in one row. `end`: where the last of them ends, in percent. */
interface Voice {
  end: number;
  readonly notes: number[];
}

/** Minimum width of a note in percent, because the circle with its number takes space. */
const HEAD = 2.5;

/**
 * Assigns rows to the notes of workers. Notes of the same worker that would overlap are in different rows. Each row of a worker
 * is a voice.
 * @param firstRow the first row for workers
 */
export function placeInRows(
  parts: readonly Part[],
  notes: readonly Span[],
  firstRow: number,
): { rows: number[]; staves: { part: Part; voice: number }[] } {
  const lanes = new Map<string, { part: Part; voices: Voice[] }>();
  const order = parts.map((_, index) => index).sort((a, b) => (notes[a]?.left ?? 0) - (notes[b]?.left ?? 0));
  for (const index of order) {
    const part = parts[index];
    const span = notes[index];
    if (!part || !span || part.byConductor) continue;
    const lane = part.worker?.id ?? '';
    const known = lanes.get(lane);
    const voices: Voice[] = known?.voices ?? [];
    if (!known) lanes.set(lane, { part, voices });
    const end = span.left + Math.max(span.width, HEAD);
    const voice = voices.find((each) => each.end <= span.left + 0.05);
    if (voice) {
      voice.end = end;
      voice.notes.push(index);
    } else voices.push({ end, notes: [index] });
  }
  const rows: number[] = parts.map(() => 0);
  const staves: { part: Part; voice: number }[] = [];
  const inPlan = [...lanes.values()].sort((a, b) => a.part.number - b.part.number);
  for (const { part, voices } of inPlan) {
    for (const [voice, { notes: placed }] of voices.entries()) {
      for (const index of placed) rows[index] = firstRow + staves.length;
      staves.push({ part, voice });
    }
  }
  return { rows, staves };
}

/** Rounds to two decimals, because a hundredth of a percent is less than a pixel. */
export function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
