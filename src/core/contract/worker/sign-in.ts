/** @file The interface for signing in with a provider to get an API key. */
import type { Fault } from '../fault';

export type SignInOutcome = { readonly ok: true } | { readonly ok: false; readonly fault: Fault };

export interface SignIn {
  /** Redirects to the provider's page. Rejects with a `FaultError` if sign-in is not possible. */
  start(): Promise<void>;
  /**
   * The result of a sign-in, after the provider has redirected back to this page. `null`: the page was
   * opened in another way. Never rejects.
   */
  readonly outcome: Promise<SignInOutcome | null>;
}
