/** @file The target of a call: its address, model, key and settings. */
import {
  keyKindOf,
  originOf,
  type Extras,
  type ProviderPreset,
  type RateLimits,
  type ReasoningLevel,
  type SetupNumbers,
} from '../../core/contract';

export interface Target extends SetupNumbers {
  /** The worker's name in messages to the user. */
  readonly name: string;
  /** The base URL, without a trailing slash. */
  readonly baseUrl: string;
  readonly model: string;
  /** The API key. `null`: calls are sent without a key. */
  readonly key: string | null;
  /** Extra headers and query parameters of the connection. Absent: none. */
  readonly extras?: Extras;
  readonly preset: ProviderPreset;
  /** The requested level of thinking. `null`: not set. */
  readonly reasoning: ReasoningLevel | null;
  /** Fields that the user has added to the call. */
  readonly extraFields?: Readonly<Record<string, unknown>>;
  /** Rate limits that the user entered. */
  readonly limits: RateLimits;
}

export function originOfTarget(target: Target): string {
  return originOf(target.baseUrl);
}

/**
 * What must not appear in replies: the key and the extras. Short extras are no secrets. For example, the version of an API may be a
 * date that also stands in answers.
 */
export function secretsOf({ key, extras = {} }: Target): readonly string[] {
  const long = Object.values(extras).filter((value) => keyKindOf(value) === 'long');
  return [...(key === null ? [] : [key]), ...long];
}

/** The server's name in error messages, for example `localhost:11434`. */
export function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}

/** Whether an address is a loopback address, such as `http://localhost:11434`. */
export function isThisMachine(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const { hostname } = new URL(baseUrl);
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\./.test(hostname);
}
