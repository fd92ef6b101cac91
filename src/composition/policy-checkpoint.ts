/**
 * @file Loads the weights of the policy in use (its *checkpoint*). The weights that come with Podium are fetched from a file
 * beside the page's scripts, when they are first needed.
 */
import { loadOnce } from '../core/contract';
import checkpointFile from '../../models/policy/checkpoint.json?url';
import type { KeptPolicy } from '../core/contract';
import type { Checkpoint } from '../core/policy/checkpoint';

/**
 * Time limit of the download, ms. If the download takes longer, it fails. The Conductor that needs no language
 * model then plans with the built-in rules.
 */
const PATIENCE = 20_000;

/** Policies that the user has trained or imported. */
export interface OwnPolicies {
  /** Id of the policy in use. `null`: the policy that comes with Podium. */
  inUse(): string | null;
  get(id: string): Promise<KeptPolicy | null>;
}

let own: OwnPolicies | null = null;
/** The user's policy that was read last. It is cached, so that callers get the same object each time. */
let latest: { readonly id: string; readonly checkpoint: Checkpoint } | null = null;

/** Call once. From then on, `loadPolicyCheckpoint` returns the user's own policy if such a policy is in use. */
export function useOwnPolicies(policies: OwnPolicies): void {
  own = policies;
  latest = null;
}

/**
 * The checkpoint in use: the user's own policy, or the shipped checkpoint. If the user's policy was deleted or is not a valid
 * checkpoint, the shipped checkpoint replaces it. Throws if the storage or the download fails. The next call tries again.
 */
export async function loadPolicyCheckpoint(): Promise<Checkpoint> {
  const id = own?.inUse() ?? null;
  if (!own || id === null) return loadShippedCheckpoint();
  if (latest?.id === id) return latest.checkpoint;
  const [{ parseCheckpoint, readCheckpoint }, kept] = await Promise.all([
    import('../core/policy/checkpoint'),
    own.get(id),
  ]);
  const checkpoint = kept && readCheckpoint(kept.checkpoint) && parseCheckpoint(kept.checkpoint);
  if (!checkpoint) return loadShippedCheckpoint();
  latest = { id, checkpoint };
  return checkpoint;
}

/** The checkpoint that comes with Podium, even if another policy is in use. Throws a retryable `FaultError` if loading fails. */
export const loadShippedCheckpoint: () => Promise<Checkpoint> = loadOnce(async () => {
  const [{ parseCheckpoint }, response] = await Promise.all([
    import('../core/policy/checkpoint'),
    fetch(checkpointFile, { signal: AbortSignal.timeout(PATIENCE) }),
  ]);
  if (!response.ok)
    throw new Error(`The server answered the request for ${checkpointFile} with status ${response.status}.`);
  const checkpoint = parseCheckpoint(await response.json());
  if (!checkpoint) throw new Error(`${checkpointFile} does not contain valid weights for this policy.`);
  return checkpoint;
}, 'the trained policy');
