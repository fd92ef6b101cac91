/**
 * @file Whom a call goes to: what every part of a call needs to address it, and to speak of it in a fault.
 */
import { originOf, type ProviderPreset, type RateLimits, type ReasoningLevel } from '../../core/contract';

export interface Target {
  /** The worker's name, as the user knows it. */
  readonly name: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly model: string;
  /** `null`: the call carries none. It goes into one header and nowhere else. */
  readonly key: string | null;
  /** What is known of the other side. */
  readonly preset: ProviderPreset;
  /** How much the model is asked to think; `null`: nothing is said about it. */
  readonly reasoning: ReasoningLevel | null;
  /** What the user says of the limits there. */
  readonly limits: RateLimits;
}

export function originOfTarget(target: Target): string {
  return originOf(target.baseUrl);
}

/** How a fault names the other side, e.g. `localhost:11434`. */
export function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}

/** Whether an address stays on this machine. */
export function isThisMachine(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const { hostname } = new URL(baseUrl);
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\./.test(hostname);
}
