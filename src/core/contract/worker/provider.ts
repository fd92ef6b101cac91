/**
 * @file What sets one provider of language models apart from the next: "OpenAI-compatible" leaves room. A preset is one file
 * in platform/workers/providers; nothing else knows providers by name.
 *
 * Presets are read from public documentation. They are a beginning and not a promise: the worker test tells what holds.
 */

/** How much a model is asked to think before it answers. */
export type ReasoningLevel = 'off' | 'low' | 'medium' | 'high';

export const REASONING_LEVELS = ['off', 'low', 'medium', 'high'] as const satisfies readonly ReasoningLevel[];

/** The call that thinking is asked for. */
export interface ReasoningCall {
  readonly model: string;
  /** Most tokens of the answer, thinking included. */
  readonly maxTokens: number;
}

/** How thinking is asked for: fields of the request's body, and settings that may not stand beside them. */
export interface ReasoningRequest {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly without?: readonly ProviderSetting[];
}

/** Where a reply holds what the model thought. `content-parts`: parts of type `thinking`; `think-tags`: in the content itself. */
export type ReasoningPlace = 'reasoning_content' | 'reasoning_details' | 'reasoning' | 'content-parts' | 'think-tags';

/** Settings that some providers refuse. */
export type ProviderSetting = 'temperature' | 'seed' | 'stream_options';

export interface ProviderPreset {
  /** Stable, kept with a worker. */
  readonly id: string;
  readonly label: string;
  /** Without a trailing slash. `''`: the user types it. */
  readonly baseUrl: string;
  /** `service`: always at that address. `own`: a server of the user's, there by default. */
  readonly place: 'service' | 'own';
  readonly key: {
    /** `optional`: only where the server was started with one. */
    readonly needed: 'yes' | 'no' | 'optional';
    /** The page that gives one out. */
    readonly from: string | null;
  };
  /** Sent with every call, beside authorization, content-type and accept; no other header passes. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The name under which it takes the most tokens of an answer. */
  readonly limit: 'max_tokens' | 'max_completion_tokens';
  /** What it is known to refuse; the rest is learnt from its refusals. */
  readonly refuses: readonly ProviderSetting[];
  readonly reasoning: {
    /** `null`: cannot be asked for in a call. */
    readonly ask: ((level: ReasoningLevel, call: ReasoningCall) => ReasoningRequest) | null;
    /** Where it comes back, the likeliest first; other places are looked at after these. Empty: it is kept back. */
    readonly places: readonly ReasoningPlace[];
  };
  /** Its list of models, at `/models` below the address. */
  readonly models: {
    /** Whether it is shown without a key. */
    readonly open: boolean;
    /** Stands before each id in the list and is not part of it. */
    readonly prefix: string;
    /** Carries the key when the list is asked for. */
    readonly keyHeader: 'authorization' | 'x-api-key';
    /** Sent when the list is asked for, beside `headers`. */
    readonly headers: Readonly<Record<string, string>>;
    /** Whether it tells what each costs, as `pricing` in US dollars for one token. */
    readonly prices?: boolean;
  };
  readonly usage: {
    /** Whether its usage tells what a call cost, in US dollars as `cost`. */
    readonly cost: boolean;
  };
  readonly limits: {
    /**
     * Under which names its answers tell what is left, as far as it lets a page read them; `null`: it does not. A
     * `retry-after` is read wherever there is one.
     */
    readonly headers: 'x-ratelimit' | 'anthropic-ratelimit' | null;
    /** Whether each model has limits of its own, or all that a key calls share them. */
    readonly per: 'key' | 'model';
    /** Calls that may be under way at once before the browser itself would hold them back. */
    readonly streams: number;
  };
  /** Whether its refusals lack what a page needs to read them, so that a refused key looks like no answer. */
  readonly hidesRefusals: boolean;
  /** How it is told to accept calls from a page of that origin, as sentences; `null` where a user cannot. */
  readonly allowPage: ((origin: string) => string) | null;
}

/** Under whose name a key is kept that was given for a provider and not yet for one of its workers. */
export function providerKeyId(providerId: string): string {
  return `provider:${providerId}`;
}
