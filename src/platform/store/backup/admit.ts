/**
 * @file Restores workers as unconfirmed, and holds back settings with which Podium would send more data or spend more money. Both
 * wait for the user's confirmation. A backup by someone else could redirect questions and keys. Its batches can be viewed, but
 * not continued.
 */
import { admitSettings } from '../../../core/contract/storage/restored-settings';
import { parsePreferences } from '../../../core/contract/storage/setup-schema';
import { isSame } from '../compare-runs';

/** Marks a worker from a backup as unconfirmed. If the stored worker (`here`) is identical, returns that one unchanged. */
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

/**
 * Marks a batch from someone else's backup as imported. If the stored batch (`here`) is identical, returns that one unchanged.
 */
export function admitBatch(value: unknown, here: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return here !== undefined && isSame(value, here) ? here : { ...value, isImported: true };
}

function unmarked(setup: object): object {
  return { ...setup, unconfirmed: undefined };
}
