/**
 * @file The trained policy in use: the one place from which every Conductor that needs the policy has its weights. They are
 * a file of their own beside the page's scripts, fetched when a policy is first asked for.
 */
import checkpointFile from '../models/policy/checkpoint.json?url';
import type { Checkpoint } from './core/policy';
import { once } from './once';

/** ms that the weights may take. Whoever waits for a plan gets one by rules then. */
const PATIENCE = 20_000;

/**
 * The checkpoint in use. Throws a retryable `FaultError` where its file cannot be had; the next call tries again. A policy
 * that was trained here and taken into use is to be given out from here.
 */
export function loadPolicyCheckpoint(): Promise<Checkpoint> {
  return loadShippedCheckpoint();
}

/** The checkpoint that comes with Podium, whatever is in use. */
export const loadShippedCheckpoint: () => Promise<Checkpoint> = once(async () => {
  const [{ parseCheckpoint }, response] = await Promise.all([
    import('./core/policy'),
    fetch(checkpointFile, { signal: AbortSignal.timeout(PATIENCE) }),
  ]);
  if (!response.ok) throw new Error(`${checkpointFile} was answered with ${response.status}.`);
  const checkpoint = parseCheckpoint(await response.json());
  if (!checkpoint) throw new Error(`${checkpointFile} is no checkpoint of this policy.`);
  return checkpoint;
}, 'The trained policy');
