/**
 * @file Trained or imported policies that are saved in this browser: their origin, their comparison results and their weights.
 */

/** A policy's checkpoint as stored in its file. Read the weights with `readCheckpoint` (core/policy). */
export interface PolicyFile {
  readonly format: 'podium-policy';
  /** Id of the weights. Every training run creates a new id, and runs record the id. */
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

/** The result of one policy or baseline over all items of a comparison. */
export interface HeldOutResult {
  /** Share of correct answers, from 0 to 1. */
  readonly right: Interval;
  /** Worker calls per question. */
  readonly calls: number;
}

/** A policy or baseline that was compared with the candidate, which is the saved policy. */
export interface HeldOutRival extends HeldOutResult {
  /** The candidate's correctness minus this rival's correctness, as a mean over all items, from -1 to 1. */
  readonly lead: Interval;
}

/** A comparison on held-out items. The candidate and its rivals get the same items. */
export interface HeldOut {
  readonly items: number;
  readonly candidate: HeldOutResult;
  readonly heuristic: HeldOutRival;
  /** The policy that was in use at the time, with its revision. */
  readonly inUse: HeldOutRival & { readonly revision: string };
}

/** How the policy was obtained. */
export type PolicyOrigin =
  | {
      readonly kind: 'trained';
      readonly seed: number;
      readonly loss: string;
      /** Number of updates that the training planned, and number of updates after which these weights were saved. */
      readonly planned: number;
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
  /** Whether the policy has been in use, so that the user can return to it. Absent: never in use. */
  readonly wasUsed?: boolean | undefined;
  readonly checkpoint: PolicyFile;
}

/** Storage for the user's own policies. */
export interface KeptPolicies {
  /** The saved policies, newest first, without unreadable policies. */
  list(): Promise<readonly KeptPolicy[]>;
  /** `null` if the policy is missing or unreadable. */
  get(id: string): Promise<KeptPolicy | null>;
  /** Rejects with a `FaultError` (`storage-full`, `storage-failed`). */
  put(policy: KeptPolicy): Promise<void>;
  delete(id: string): Promise<void>;
}
