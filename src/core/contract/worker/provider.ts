/**
 * @file The preset of a provider. It describes how the provider differs from other OpenAI-compatible
 * providers. Each preset is one file in `platform/workers/providers`. The code that makes calls reads the
 * preset and never compares the provider's id. Only two features are specific to one provider, OpenRouter:
 * the sign-in, and the pool with the paper's workers.
 *
 * Presets are based on public documentation. The worker test checks what actually works.
 */

/**
 * Families of providers by the request fields that users may add, see `extra-fields.ts`. `service`: a service that documents no
 * fields of its own. `own`: a server of the user's own, which may forward calls to any service.
 */
export type ExtraFamily = 'service' | 'openai' | 'router' | 'groq' | 'xai' | 'mistral' | 'own';

/** How much a model should think before it answers. */
export const REASONING_LEVELS = ['off', 'minimal', 'low', 'medium', 'high'] as const;
export type ReasoningLevel = (typeof REASONING_LEVELS)[number];

/** The largest thinking budget that a user may set, in tokens. */
export const MOST_THINKING = 1_000_000;

/** The call for which thinking is requested. */
export interface ReasoningCall {
  readonly model: string;
  /** Maximum tokens of the answer, including thinking. */
  readonly maxTokens: number;
}

/**
 * How to request thinking. `fields`: fields of the request body. `without`: settings that cannot be combined
 * with these fields.
 */
export interface ReasoningRequest {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly without?: readonly ProviderSetting[];
}

/**
 * Where a reply contains the model's thinking. `content-parts`: in parts of type `thinking`. `think-tags`: in the content,
 * between tags. Other values: in the field of this name.
 */
export type ReasoningPlace = 'reasoning_content' | 'reasoning_details' | 'reasoning' | 'content-parts' | 'think-tags';

/** Settings that some providers reject. */
export type ProviderSetting = 'temperature' | 'top_p' | 'top_k' | 'presence_penalty' | 'seed' | 'stream_options';

export interface ProviderPreset {
  /** Must never change, because stored workers refer to it. */
  readonly id: string;
  readonly label: string;
  /** The provider's name in the semantic conventions of OpenTelemetry. Absent: equal to `id`. */
  readonly telemetryName?: string;
  /** The address, without a trailing slash. `''`: the user enters it. */
  readonly baseUrl: string;
  /** `service`: the address is fixed. `own`: the address is the default for the user's own server. */
  readonly place: 'service' | 'own';
  readonly key: {
    /** Whether calls need a key. `optional`: only if the server was started with a key. */
    readonly needed: 'yes' | 'no' | 'optional';
    /** The page where users get a key. */
    readonly from: string | null;
  };
  /**
   * Headers sent with every call, in addition to `authorization`, `content-type` and `accept`. Names are in lower case.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** The field for the maximum tokens of an answer. */
  readonly limit: 'max_tokens' | 'max_completion_tokens';
  /** Settings that the provider is known to reject. Podium learns other rejected settings from error responses. */
  readonly refuses: readonly ProviderSetting[];
  readonly reasoning: {
    /** Builds a request for a level of thinking. `null`: calls cannot request a level. */
    readonly request: ((level: ReasoningLevel, call: ReasoningCall) => ReasoningRequest) | null;
    /** Whether the provider has the level `minimal`. If not, `minimal` is sent as `low`. */
    readonly minimal: boolean;
    /** Builds a request for at most this many tokens of thinking. `null`: calls cannot carry such a budget. */
    readonly budget: ((tokens: number, call: ReasoningCall) => ReasoningRequest) | null;
    /**
     * The places where replies may contain the thinking, most likely place first. If a reply has no thinking
     * there, Podium also checks the other places. `[]`: the provider is known to return no thinking.
     */
    readonly places: readonly ReasoningPlace[];
  };
  /** The list of models, at `/models` below the address. */
  readonly models: {
    /** Whether the list is available without a key. */
    readonly open: boolean;
    /** A prefix that the list puts before each model id, such as `models/`. Podium removes the prefix. */
    readonly prefix: string;
    /** The header with the key in requests for the list. */
    readonly keyHeader: 'authorization' | 'x-api-key';
    /** Headers sent with requests for the list, in addition to the headers of calls. */
    readonly headers: Readonly<Record<string, string>>;
  };
  /** The family of request fields that the provider accepts in addition, see `extra-fields.ts`. */
  readonly extraFields: ExtraFamily;
  readonly usage: {
    /** Whether the usage includes the cost of a call, as `cost` in US dollars. */
    readonly cost: boolean;
  };
  readonly limits: {
    /**
     * The family of response headers with the remaining limits. `null`: there are none, or pages can't read them. `retry-after`
     * is always read.
     */
    readonly headers: 'x-ratelimit' | 'anthropic-ratelimit' | null;
    /**
     * - `key`: all calls with a key share the limits
     * - `model`: each model has its own limits
     * - `unknown`: a limit that the user entered applies to the key. A learned limit applies to the model.
     *   But if the provider's error names the account, the learned limit applies to the key instead
     */
    readonly per: 'key' | 'model' | 'unknown';
    /**
     * Maximum number of concurrent calls. Podium holds further calls back, because a wait inside the browser
     * would count towards Podium's time limits.
     */
    readonly streams: number;
  };
  /**
   * Whether error responses lack CORS headers. A page can't read such a response, so a rejected key looks
   * like a failed connection.
   */
  readonly hidesRefusals: boolean;
  /**
   * Sentences that tell the user how to make the server accept calls from a page at the given origin.
   * `null`: the user cannot configure the server.
   */
  readonly allowPage: ((origin: string) => string) | null;
}
