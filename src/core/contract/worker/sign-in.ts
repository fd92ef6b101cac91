/** @file The interface for signing in with a provider, so that the provider gives this page a key. */
import type { Fault } from '../fault';

export type SignInOutcome = { readonly ok: true } | { readonly ok: false; readonly fault: Fault };

export interface SignIn {
  /** Leaves this page for the provider's page. Rejects with a `FaultError` if sign-in is not possible. */
  start(): Promise<void>;
  /** The result of the sign-in from which the user returned to this page. `null` if there was no sign-in. Never rejects. */
  readonly outcome: Promise<SignInOutcome | null>;
}
