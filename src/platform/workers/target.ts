/** @file The target of a call: its address, model, key and settings. */
import { originOf, type ProviderPreset, type RateLimits, type ReasoningLevel } from '../../core/contract';

export interface Target {
  /** The worker's name that the user sees. */
  readonly name: string;
  /** The base URL, without a trailing slash. */
  readonly baseUrl: string;
  readonly model: string;
  /** The key, which is sent in one header only. `null`: the call has no key. */
  readonly key: string | null;
  readonly preset: ProviderPreset;
  /** How much the model should think. `null`: not set. */
  readonly reasoning: ReasoningLevel | null;
  /** Maximum number of tokens for thinking. Replaces the level if the provider accepts a budget. Absent: not set. */
  readonly reasoningTokens?: number;
  /** Limits that the user entered. */
  readonly limits: RateLimits;
}

export function originOfTarget(target: Target): string {
  return originOf(target.baseUrl);
}

/** The server's name in faults, for example `localhost:11434`. */
export function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}

/** Whether an address is on this machine. */
export function isThisMachine(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const { hostname } = new URL(baseUrl);
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\./.test(hostname);
}
