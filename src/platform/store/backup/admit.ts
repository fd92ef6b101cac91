/**
 * @file Protects the user from harmful backups. Restored workers are not called until the user confirms them, because a worker
 * from someone else could redirect questions and keys. Settings that would send more data or spend more money also wait for
 * confirmation. Batches from someone else's backup can be viewed, but not continued.
 */
import { admitSettings } from '../../../core/contract/storage/restored-settings';
import { parsePreferences } from '../../../core/contract/storage/setup-schema';
import { isSame } from '../compare-runs';

/**
 * Marks a worker from a backup as unconfirmed. If the stored worker (`here`) is equal to it apart from this
 * mark, returns the stored worker instead.
 */
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
 * Marks a batch from someone else's backup as imported. If the stored batch (`here`) is identical, returns the stored batch.
 */
export function admitBatch(value: unknown, here: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return here !== undefined && isSame(value, here) ? here : { ...value, isImported: true };
}

function unmarked(setup: object): object {
  return { ...setup, unconfirmed: undefined };
}
