/**
 * @file Signing in at a provider, which then gives this page a key of its own.
 */
import type { Fault } from '../fault';

export type SignInOutcome = { readonly ok: true } | { readonly ok: false; readonly fault: Fault };

export interface SignIn {
  /** Leaves the page for the provider's. Rejects with a `FaultError` where that cannot work. */
  start(): Promise<void>;
  /** What came of the sign-in that this page was opened from; `null` if it was opened otherwise. Never rejects. */
  readonly outcome: Promise<SignInOutcome | null>;
}
