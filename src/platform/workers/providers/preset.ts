/** @file Default settings of providers. Each provider's preset contains only its differences from these defaults. */
import type { ProviderPreset, ReasoningCall, ReasoningLevel, ReasoningRequest } from '../../../core/contract';

type Own = Partial<ProviderPreset> & Pick<ProviderPreset, 'id' | 'label' | 'baseUrl'>;

/**
 * Browsers open about six HTTP/1.1 connections to one host, and a stream uses one connection until it ends.
 * Further calls would wait inside the browser, and this wait would count towards Podium's time limits. The
 * sixth connection stays free for a request for the list of models, or for a call to a model that has no
 * running call (see `limits/gate.ts`).
 */
const HTTP_1_STREAMS = 5;
/** Services support HTTP/2, where many streams share a connection. A workflow has at most 16 steps. */
const HTTP_2_STREAMS = 16;

/** A service on the internet that needs a key. */
export function service(keysFrom: string, own: Own): ProviderPreset {
  return {
    ...COMMON,
    place: 'service',
    key: { needed: 'yes', from: keysFrom },
    limits: SERVICE_LIMITS,
    ...own,
  };
}

/** A server that the user runs. It lists its models without a key, unless the server was started with a key. */
export function ownServer(own: Own): ProviderPreset {
  return {
    ...COMMON,
    place: 'own',
    key: { needed: 'no', from: null },
    models: OPEN_LIST,
    limits: OWN_LIMITS,
    extraFields: 'own',
    ...own,
  };
}

const MOST_OF_ANSWER = 0.75;

/** Returns the thinking budget in tokens. A budget that would leave no room for the answer becomes 75 % of `maxTokens`. */
export function fitBudget(tokens: number, { maxTokens }: ReasoningCall): number {
  return tokens < maxTokens ? tokens : Math.floor(maxTokens * MOST_OF_ANSWER);
}

/** OpenAI's field for thinking, which most other providers support. `none` turns thinking off. */
export function reasoningEffort(level: ReasoningLevel): ReasoningRequest {
  return { fields: { reasoning_effort: level === 'off' ? 'none' : level } };
}

/** Most providers accept an effort, but neither the effort `minimal` nor a number of tokens. */
export const BY_EFFORT = { request: reasoningEffort, minimal: false, budget: null } as const;

/**
 * Chat templates of open models have different names for the thinking setting, so the setting is sent under
 * all these names. Templates ignore unknown names.
 */
function templateReasoning(level: ReasoningLevel): ReasoningRequest {
  const on = level !== 'off';
  return {
    fields: {
      chat_template_kwargs: { enable_thinking: on, thinking: on, ...(on ? { reasoning_effort: level } : {}) },
    },
  };
}
/** For servers of open models, which pass the setting to the model's chat template. */
export const BY_TEMPLATE = { request: templateReasoning, minimal: false, budget: null } as const;

const LIST: ProviderPreset['models'] = { open: false, prefix: '', keyHeader: 'authorization', headers: {} };
export const OPEN_LIST: ProviderPreset['models'] = { ...LIST, open: true };

/** Most services use OpenAI's header names, even if pages cannot read them. */
export const SERVICE_LIMITS: ProviderPreset['limits'] = {
  headers: 'x-ratelimit',
  per: 'key',
  streams: HTTP_2_STREAMS,
};

export const OWN_LIMITS: ProviderPreset['limits'] = { headers: 'x-ratelimit', per: 'key', streams: HTTP_1_STREAMS };

const COMMON: Omit<ProviderPreset, 'id' | 'label' | 'baseUrl' | 'place' | 'key' | 'limits'> = {
  headers: {},
  limit: 'max_tokens',
  refuses: [],
  reasoning: { ...BY_EFFORT, places: ['reasoning_content', 'reasoning'] },
  models: LIST,
  extraFields: 'service',
  usage: { cost: false },
  hidesRefusals: false,
  allowPage: null,
};
