/**
 * @file Trained coordination policies that are kept in this browser: where each came from, how it stood when it was compared,
 * and its weights.
 */

/** A checkpoint as its file has it: whoever needs the weights reads them with `readCheckpoint` (core/policy). */
export interface PolicyFile {
  readonly format: 'podium-policy';
  /** Changes with every training; runs record it. */
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

/** Someone over all items of a comparison. */
export interface HeldOutStanding {
  /** Share of right answers, from 0 to 1. */
  readonly right: Interval;
  /** Calls to workers for each question. */
  readonly calls: number;
}

/** Someone the candidate was compared with. */
export interface HeldOutRival extends HeldOutStanding {
  /** How much more often the candidate is right, item by item: from -1 to 1. */
  readonly lead: Interval;
}

/** A candidate compared on items that it was not trained on: all who were compared met the same items. */
export interface HeldOut {
  readonly items: number;
  readonly candidate: HeldOutStanding;
  readonly heuristic: HeldOutRival;
  /** The policy that was in use then, by its revision. */
  readonly inUse: HeldOutRival & { readonly revision: string };
}

/** How a policy came here. */
export type PolicyOrigin =
  | {
      readonly kind: 'trained';
      readonly seed: number;
      readonly loss: string;
      /** Updates that were planned, and the one after which these weights were taken. */
      readonly planned: number;
      readonly updates: number;
      /** Revision of the policy that it went on from; `null`: drawn from the seed. */
      readonly from: string | null;
      /** Saved runs that it learned from as well. */
      readonly runs: number;
    }
  | { readonly kind: 'imported'; readonly file: string };

export interface KeptPolicy {
  readonly id: string;
  readonly name: string;
  /** ms since the epoch. */
  readonly madeAt: number;
  readonly origin: PolicyOrigin;
  /** `null` until it has been compared. */
  readonly heldOut: HeldOut | null;
  /** It has been in use, so it may be gone back to. Absent: it has not. */
  readonly wasUsed?: boolean | undefined;
  readonly checkpoint: PolicyFile;
}

/** The user's own policies. */
export interface KeptPolicies {
  /** Newest first; what cannot be read is left out. */
  list(): Promise<readonly KeptPolicy[]>;
  /** `null` where there is none, or none that can be read. */
  get(id: string): Promise<KeptPolicy | null>;
  /** Rejects with a `FaultError` (`storage-full`, `storage-failed`). */
  put(policy: KeptPolicy): Promise<void>;
  delete(id: string): Promise<void>;
}
