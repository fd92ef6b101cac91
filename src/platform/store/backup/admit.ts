/**
 * @file Restores workers as unconfirmed, and holds back settings with which Podium would send more data or spend more money. Both
 * wait for the user's confirmation. Someone else may have made the file, and could redirect questions and keys with it.
 * Batches from someone else's backup can be viewed, but not continued.
 */
import { admitSettings } from '../../../core/contract/storage/restored-settings';
import { parsePreferences } from '../../../core/contract/storage/setup-schema';
import { isSame } from '../compare-runs';

/** Marks a worker of a file as unconfirmed. If an identical worker (`here`) is already stored, returns the stored worker. */
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
 * Marks a batch of someone else's backup as imported, so that it is not continued here. If an identical batch (`here`) is already
 * stored, returns the stored batch.
 */
export function admitBatch(value: unknown, here: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return here !== undefined && isSame(value, here) ? here : { ...value, isImported: true };
}

function unmarked(setup: object): object {
  return { ...setup, unconfirmed: undefined };
}
