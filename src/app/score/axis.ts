/** @file The time axis under a score: ticks at round times, and the playhead. */
import { duration } from '../ui/figures';
import type { Tick } from './drawing';
import type { Parts } from './parts';
import { round2, type Placing } from './place';

const TICK_STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600];
const TICKS_MOST = 5;
/** Minimum distance between the label of a tick and the playhead, in percent of the width. Closer labels would overlap. */
const TICK_CLEAR = 6;

export function ticksOf(parts: Parts, placing: Placing): Tick[] {
  const { at, whole } = placing;
  if (!at) return [];
  const seconds = whole / 1000;
  const step = TICK_STEPS.find((each) => seconds / each <= TICKS_MOST) ?? 3600 * Math.ceil(seconds / 3600 / TICKS_MOST);
  const playhead = parts.playhead === null ? null : at(parts.playhead);
  const ticks: Tick[] = [];
  for (let index = 0; index * step <= seconds + 1e-9; index++) {
    const left = round2(at(index * step * 1000));
    const hidden = index > 0 && playhead !== null && Math.abs(left - playhead) < TICK_CLEAR;
    ticks.push({ left, label: hidden ? '' : tickLabel(index * step) });
  }
  return ticks;
}

function tickLabel(seconds: number): string {
  if (seconds < 60) return `${Number(seconds.toFixed(1))} s`;
  const rest = Math.round(seconds % 60);
  return rest === 0 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 60)} min ${rest} s`;
}

export function playheadOf(parts: Parts, placing: Placing): Tick | null {
  if (parts.playhead === null || !placing.at) return null;
  return { left: round2(placing.at(parts.playhead)), label: duration(parts.playhead) };
}
