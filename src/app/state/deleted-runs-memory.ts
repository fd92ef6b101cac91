/** @file The `localStorage` entry that lists the runs to delete. For a few seconds, the user can still undo the deletion. */

export const DELETED_RUNS_KEY = 'podium.deleted-runs';

/** Whether any deletion is pending. It may come from another tab or an earlier visit. */
export function hasDeletedRuns(): boolean {
  try {
    return localStorage.getItem(DELETED_RUNS_KEY) !== null;
  } catch {
    // Storage is off, so nothing was stored.
    return false;
  }
}
