/**
 * @file What of a backup may lie here before the user confirms it: workers come in unconfirmed, and settings that send or
 * spend more wait. A file says where questions and keys go, and whoever made it may not be the user.
 */
import { admitSettings } from '../../../core/contract/storage/restored-settings';
import { parsePreferences } from '../../../core/contract/storage/schema';
import { isSame } from '../compare-runs';

/** A worker that is here already in the same words stays as it is, confirmed or not. */
export function admitWorker(value: unknown, here: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (typeof here === 'object' && here !== null && isSame(unmarked(value), unmarked(here))) return here;
  return { ...value, unconfirmed: true };
}

export function admitPreferences(value: unknown, here: unknown): unknown {
  const now = parsePreferences(here);
  const admitted = admitSettings(parsePreferences(value), now);
  return here !== undefined && isSame(now, admitted) ? here : admitted;
}

function unmarked(setup: object): object {
  return { ...setup, unconfirmed: undefined };
}
