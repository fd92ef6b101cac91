/**
 * @file Creates the body of a call with the settings that a provider supports. Many "OpenAI-compatible" servers reject some
 * settings or use other names. The provider's preset contains the known differences. Others are learned from error responses.
 */
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { ProviderSetting, ReasoningRequest, Sampling, WorkerSampling } from '../../core/contract';
import { chatMessage, type SentMessage } from './sent-message';
import { originOfTarget, type Target } from './target';

const LIMITS = ['max_tokens', 'max_completion_tokens'] as const;
/** The settings that a server may reject. Its error message is searched for them in this order. */
const SETTINGS = [...LIMITS, 'temperature', 'top_p', 'top_k', 'presence_penalty', 'seed', 'stream_options'] as const;
/** Fields that every call requires, so they are never left out. */
const FIXED: readonly string[] = ['model', 'messages', 'stream'];

/** Settings that servers have rejected in this tab, by origin and model. */
export interface RefusedSettings {
  has(target: Target, setting: string): boolean;
  /**
   * Learns from the error response (status 400 or 422) to a call.
   * @param words the text of the error response
   * @param sent the settings of the call
   * @returns the rejected setting, which is left out from now on. `null` if the response rejects no setting,
   * or if the rejected setting can't be left out
   */
  learn(target: Target, status: number, words: string, sent: readonly string[]): string | null;
}

/** Matches error messages that reject a setting or a combination of settings, but not messages that reject only a value. */
const REFUSAL =
  /unsupported|not support|unrecognized|unrecognised|unknown|unexpected|extra|not permitted|not allowed|forbidden|only the default|deprecated|no longer|cannot both be/i;

export function createRefusedSettings(): RefusedSettings {
  const refused = new Set<string>();
  const nameOf = (target: Target, setting: string) => `${originOfTarget(target)} ${target.model} ${setting}`;
  const has = (target: Target, setting: string) =>
    isKnownRefusal(target, setting) || refused.has(nameOf(target, setting));

  return {
    has,
    learn(target, status, words, sent) {
      if (status !== 400 && status !== 422) return null;
      const named = sent.find((setting) => new RegExp(`\\b${setting}\\b`).test(words));
      if (named === undefined || (named !== 'stream_options' && !REFUSAL.test(words))) return null;
      // The token limit must be sent under one of its two names (`LIMITS`). A call without the limit could cost more than the run
      // allows. If both names are rejected, there is no fallback.
      if (isLimit(named) && LIMITS.some((limit) => refused.has(nameOf(target, limit)))) return null;
      refused.add(nameOf(target, named));
      return named;
    },
  };
}

function isLimit(setting: string): boolean {
  return LIMITS.some((limit) => limit === setting);
}

function isKnownRefusal({ preset }: Target, setting: string): boolean {
  return preset.refuses.some((refused) => refused === setting);
}

/** The largest seed that every provider accepts. */
const SEED_BITS = 0x7fffffff;
const NOTHING: ReasoningRequest = { fields: {} };

/** The body of a call, without the settings that the server rejects. */
export function completionBody(
  target: Target,
  messages: readonly SentMessage[],
  sampling: Sampling,
  refused: RefusedSettings,
): ChatCompletionCreateParamsStreaming {
  const { temperature, maxTokens, seed, topP, topK, presencePenalty } = sampling;
  const reasoning = reasoningOf(target, maxTokens);
  const fields = Object.entries(reasoning.fields).filter(([field]) => !refused.has(target, field));
  const without = fields.length > 0 ? (reasoning.without ?? []) : [];
  const accepts = (setting: ProviderSetting) => !refused.has(target, setting) && !without.includes(setting);
  return {
    model: target.model,
    messages: messages.map(chatMessage),
    stream: true,
    [limitOf(target, refused)]: maxTokens,
    ...(accepts('temperature') ? { temperature } : {}),
    ...(topP !== undefined && accepts('top_p') ? { top_p: topP } : {}),
    ...(topK !== undefined && accepts('top_k') ? { top_k: topK } : {}),
    ...(presencePenalty !== undefined && accepts('presence_penalty') ? { presence_penalty: presencePenalty } : {}),
    ...(seed !== undefined && accepts('seed') ? { seed: seed & SEED_BITS } : {}),
    ...(accepts('stream_options') ? { stream_options: { include_usage: true } } : {}),
    ...Object.fromEntries(fields),
  };
}

/** The name of the token limit: the preset's name, or the other name if the server has rejected the preset's. */
function limitOf(target: Target, refused: RefusedSettings): (typeof LIMITS)[number] {
  const { limit } = target.preset;
  if (!refused.has(target, limit)) return limit;
  return limit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
}

/** The fields for thinking. A token budget replaces the level if the provider accepts a budget. */
function reasoningOf(
  { preset, reasoning: level, reasoningTokens, model }: Target,
  maxTokens: number,
): ReasoningRequest {
  const { request: ask, budget, minimal } = preset.reasoning;
  if (reasoningTokens !== undefined && budget !== null) return budget(reasoningTokens, { model, maxTokens });
  if (level === null || ask === null) return NOTHING;
  return ask(level === 'minimal' && !minimal ? 'low' : level, { model, maxTokens });
}

/** The rejected fields for thinking. They are left out, so the model's default applies. */
export function refusedReasoning(target: Target, maxTokens: number, refused: RefusedSettings): readonly string[] {
  return Object.keys(reasoningOf(target, maxTokens).fields).filter((field) => refused.has(target, field));
}

const SAMPLING_SETTINGS = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  presencePenalty: 'presence_penalty',
} as const satisfies Partial<Record<keyof WorkerSampling, ProviderSetting>>;

/** The rejected settings among the worker's own sampling settings, by their names in a call. */
export function refusedSampling(target: Target, own: WorkerSampling, refused: RefusedSettings): readonly string[] {
  return Object.entries(SAMPLING_SETTINGS).flatMap(([field, setting]) =>
    field in own && refused.has(target, setting) ? setting : [],
  );
}

/** The names of the settings in a body, without the fields that every call requires. */
export function settingsIn(body: ChatCompletionCreateParamsStreaming): string[] {
  const names = Object.keys(body).filter((name) => !FIXED.includes(name));
  const rank = (name: string) => {
    const place = SETTINGS.findIndex((setting) => setting === name);
    return place < 0 ? SETTINGS.length : place;
  };
  return names.toSorted((one, other) => rank(one) - rank(other));
}
