/**
 * @file Policies that the user has trained or imported, with their origin, comparison results and weights. A policy is a small
 * model that writes workflows.
 */

/** A policy's checkpoint, as stored in its file. `readCheckpoint` (core/policy) decodes the weights. */
export interface PolicyFile {
  readonly format: 'podium-policy';
  /** Id of the weights. Each training creates a new id. Runs record the id of the policy that planned them. */
  readonly revision: string;
  /** Half-precision numbers in base64. */
  readonly weights: string;
  readonly [field: string]: unknown;
}

/** A mean and its 95 % interval. */
export interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** The result of one policy or baseline in a comparison, as a mean over all items of the comparison. */
export interface HeldOutResult {
  /** Share of correct answers, from 0 to 1. */
  readonly right: Interval;
  /** Worker calls per question. */
  readonly calls: number;
  /**
   * What skipping settled steps did to the answers. For the heuristic: with its plans of three steps, which it writes at the efforts
   * that skip settled steps. Absent: not measured.
   */
  readonly settling?: SettlingResult | undefined;
}

/** How skipping settled steps affected the answers, in numbers of questions. */
export interface SettlingResult {
  /** Questions whose plan was cut short: its last step was not called, because a check had found the answer right. */
  readonly cutShort: number;
  /** Of these, those with a right answer. */
  readonly right: number;
  /** Of these, those whose wrong answer the skipped steps would have repaired. */
  readonly repaired: number;
  /** Of these, those whose right answer the skipped steps would have broken. */
  readonly broken: number;
}

/**
 * The result of a rival: a policy or baseline with which the saved policy was compared. The saved policy is
 * the candidate.
 */
export interface HeldOutRival extends HeldOutResult {
  /** Mean difference in correctness over all items: the candidate minus this rival, from -1 to 1. */
  readonly lead: Interval;
}

/**
 * A comparison on held-out items. Each item is a question and a pool. The candidate and its rivals get the
 * same items.
 */
export interface HeldOut {
  readonly items: number;
  readonly candidate: HeldOutResult;
  readonly heuristic: HeldOutRival;
  /** The policy that was in use at the time of the comparison. */
  readonly inUse: HeldOutRival & { readonly revision: string };
}

/** How the policy was obtained. */
export type PolicyOrigin =
  | {
      readonly kind: 'trained';
      readonly seed: number;
      readonly loss: string;
      /** Number of updates that the training was to make. */
      readonly planned: number;
      /** Number of updates after which these weights were saved. */
      readonly updates: number;
      /** Revision of the policy that training started from. `null`: random weights from the seed. */
      readonly from: string | null;
      /** Number of the user's saved runs that training used in addition to simulated runs. */
      readonly runs: number;
    }
  | { readonly kind: 'imported'; readonly file: string };

export interface KeptPolicy {
  readonly id: string;
  readonly name: string;
  /** Ms since the epoch. */
  readonly madeAt: number;
  readonly origin: PolicyOrigin;
  /** The last comparison. `null` until the policy has been compared. */
  readonly heldOut: HeldOut | null;
  /**
   * Whether the policy was ever in use. If so, the user may return to it without a new comparison. Absent:
   * never in use.
   */
  readonly wasUsed?: boolean | undefined;
  readonly checkpoint: PolicyFile;
}

/** Storage for the user's own policies. */
export interface KeptPolicies {
  /** Lists the saved policies, newest first. Skips unreadable policies. */
  list(): Promise<readonly KeptPolicy[]>;
  /** `null` if the policy is missing or unreadable. */
  get(id: string): Promise<KeptPolicy | null>;
  /** Rejects with a `FaultError` (`storage-full`, `storage-failed`). */
  put(policy: KeptPolicy): Promise<void>;
  delete(id: string): Promise<void>;
}
