/** @file The `localStorage` entry that lists deleted runs until the time to undo their deletion is over. */

export const DELETED_RUNS_KEY = 'podium.deleted-runs';

/** Whether runs wait for their deletion. The deletion may be from another tab or an earlier visit. */
export function hasDeletedRuns(): boolean {
  try {
    return localStorage.getItem(DELETED_RUNS_KEY) !== null;
  } catch {
    // Storage is off, so nothing was stored.
    return false;
  }
}
