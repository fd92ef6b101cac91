/** @file Formats an estimate of the remaining time. Separate from `figures.ts` to keep the first page small. */

/** Formats a time in ms: `about 40 s left` or `about 3 min left`. */
export function timeLeft(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 55) return `about ${Math.max(5, Math.round(seconds / 5) * 5)} s left`;
  return seconds < 5_400
    ? `about ${Math.round(seconds / 60)} min left`
    : `about ${(seconds / 3_600).toFixed(1)} h left`;
}
