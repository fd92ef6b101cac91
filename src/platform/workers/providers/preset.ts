/**
 * @file What most providers have in common, so that each preset says only what is its own.
 */
import type { ProviderPreset, ReasoningLevel, ReasoningRequest } from '../../../core/contract';

type Own = Partial<ProviderPreset> & Pick<ProviderPreset, 'id' | 'label' | 'baseUrl'>;

/**
 * Browsers open about six HTTP/1.1 connections to one host, and a stream holds its own until it ends; calls beyond that would
 * wait unseen inside the browser, with our own time limits already running. One is left free for a list of models.
 */
const HTTP_1_STREAMS = 5;
/** Services speak HTTP/2, where many streams share a connection. As many as the longest workflow has steps. */
const HTTP_2_STREAMS = 16;

/** A service on the internet that wants a key. */
export function service(keysFrom: string, own: Own): ProviderPreset {
  return {
    ...COMMON,
    place: 'service',
    key: { needed: 'yes', from: keysFrom },
    limits: SERVICE_LIMITS,
    ...own,
  };
}

/** A server that the user runs. It lists its models to everyone, unless it was started with a key. */
export function ownServer(own: Own): ProviderPreset {
  return {
    ...COMMON,
    place: 'own',
    key: { needed: 'no', from: null },
    models: OPEN_LIST,
    limits: { headers: 'x-ratelimit', per: 'key', streams: HTTP_1_STREAMS },
    ...own,
  };
}

/** OpenAI's field, which most others have taken over; `none` switches thinking off. */
export function askByEffort(level: ReasoningLevel): ReasoningRequest {
  return { fields: { reasoning_effort: level === 'off' ? 'none' : level } };
}

/** What the chat templates of open models call it, each by its own name; a template ignores names it does not know. */
export function askByTemplate(level: ReasoningLevel): ReasoningRequest {
  const on = level !== 'off';
  return {
    fields: {
      chat_template_kwargs: { enable_thinking: on, thinking: on, ...(on ? { reasoning_effort: level } : {}) },
    },
  };
}

const LIST: ProviderPreset['models'] = { open: false, prefix: '', keyHeader: 'authorization', headers: {} };
export const OPEN_LIST: ProviderPreset['models'] = { ...LIST, open: true };

/** Most services use OpenAI's names, whether or not they let a page read them. */
export const SERVICE_LIMITS: ProviderPreset['limits'] = {
  headers: 'x-ratelimit',
  per: 'key',
  streams: HTTP_2_STREAMS,
};

const COMMON: Omit<ProviderPreset, 'id' | 'label' | 'baseUrl' | 'place' | 'key' | 'limits'> = {
  headers: {},
  limit: 'max_tokens',
  refuses: [],
  reasoning: { ask: askByEffort, places: ['reasoning_content', 'reasoning'] },
  models: LIST,
  usage: { cost: false },
  hidesRefusals: false,
  allowPage: null,
};
