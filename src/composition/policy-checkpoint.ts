/**
 * @file The trained policy in use: the one place from which every Conductor that needs the policy has its weights. They are
 * a file of their own beside the page's scripts, fetched when a policy is first asked for.
 */
import { loadOnce } from '../core/contract';
import checkpointFile from '../../models/policy/checkpoint.json?url';
import type { KeptPolicy } from '../core/contract';
import type { Checkpoint } from '../core/policy';

/** ms that the weights may take. Whoever waits for a plan gets one by rules then. */
const PATIENCE = 20_000;

/** Where policies lie that were trained or imported here. */
export interface OwnPolicies {
  /** Id of the one in use; `null`: the one that comes with Podium. */
  inUse(): string | null;
  get(id: string): Promise<KeptPolicy | null>;
}

let own: OwnPolicies | null = null;
/** The newest of the user's own that was asked for, so that it is read once, and the same object as long as it is in use. */
let latest: { readonly id: string; readonly checkpoint: Checkpoint } | null = null;

/** From now on a policy of the user's own that is in use is given out. */
export function giveOutOwnPolicies(policies: OwnPolicies): void {
  own = policies;
  latest = null;
}

/**
 * The checkpoint in use: one of the user's own, or the one that comes with Podium, also where their own is gone or cannot
 * be read. Throws a retryable `FaultError` where it cannot be had; the next call tries again.
 */
export async function loadPolicyCheckpoint(): Promise<Checkpoint> {
  const id = own?.inUse() ?? null;
  if (!own || id === null) return loadShippedCheckpoint();
  if (latest?.id === id) return latest.checkpoint;
  const [{ parseCheckpoint, readCheckpoint }, kept] = await Promise.all([import('../core/policy'), own.get(id)]);
  const checkpoint = kept && readCheckpoint(kept.checkpoint) && parseCheckpoint(kept.checkpoint);
  if (!checkpoint) return loadShippedCheckpoint();
  latest = { id, checkpoint };
  return checkpoint;
}

/** The checkpoint that comes with Podium, whatever is in use. */
export const loadShippedCheckpoint: () => Promise<Checkpoint> = loadOnce(async () => {
  const [{ parseCheckpoint }, response] = await Promise.all([
    import('../core/policy'),
    fetch(checkpointFile, { signal: AbortSignal.timeout(PATIENCE) }),
  ]);
  if (!response.ok) throw new Error(`${checkpointFile} was answered with ${response.status}.`);
  const checkpoint = parseCheckpoint(await response.json());
  if (!checkpoint) throw new Error(`${checkpointFile} is no checkpoint of this policy.`);
  return checkpoint;
}, 'the trained policy');
