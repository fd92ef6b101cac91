/**
 * @file Creates the body of a call with the settings that a provider supports. Many "OpenAI-compatible" servers reject some
 * settings or use other names. The provider's preset contains the known differences. Others are learned from error responses
 * (`setting-refusals.ts`).
 */
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import {
  estimateInput,
  isRecord,
  type Message,
  type ProviderSetting,
  type ReasoningRequest,
  type Sampling,
  type WorkerSampling,
} from '../../core/contract';
import { extraFieldsOf } from '../../core/contract/worker/extra-fields';
import { chatMessage, withoutSystem, type SentMessage } from './sent-message';
import { outputRefusal, refusedSetting, SYSTEM_ROLE } from './setting-refusals';
import { originOfTarget, type Target } from './target';

const LIMITS = ['max_tokens', 'max_completion_tokens'] as const;
/**
 * The settings that a server may reject. Its error message is searched for them in this order, then for the fields for
 * thinking, and then for `stream`.
 */
const SETTINGS = [...LIMITS, 'temperature', 'top_p', 'top_k', 'presence_penalty', 'seed', 'stream_options'] as const;
/** Fields that every call requires, so they are never left out. */
const FIXED: readonly string[] = ['model', 'messages'];

/** The longest possible answers of a model, in tokens, as reported in error responses. `null`: unknown. */
interface OutputBounds {
  readonly output: number | null;
  /** The context window, which the prompt and the answer share. */
  readonly context: number | null;
}

/** Settings that servers have rejected in this tab, by origin and model. */
export interface RefusedSettings {
  has(target: Target, setting: string): boolean;
  /** The output limit to send: the requested limit, or what the server has reported as possible if that is less. */
  outputLimit(target: Target, messages: readonly Pick<Message, 'role' | 'content'>[], requested: number): number;
  /**
   * Learns from the error response to a call.
   * @param body the decoded JSON of the error response, or its text
   * @param sent the settings of the call
   * @returns the rejected setting, which is left out from now on. `null` if the response rejects no setting,
   * or if the rejected setting can't be left out
   */
  learn(target: Target, status: number, body: unknown, sent: readonly string[]): string | null;
  /**
   * Learns from the error response to a call how long an answer can be.
   * @returns the output limit for the repeated call. `null`: the response reports none
   */
  learnOutput(target: Target, status: number, body: unknown, maxTokens: number): number | null;
}

export function createRefusedSettings(): RefusedSettings {
  const refused = new Set<string>();
  const bounds = new Map<string, OutputBounds>();
  const modelOf = (target: Target) => `${originOfTarget(target)} ${target.model}`;
  const nameOf = (target: Target, setting: string) => `${modelOf(target)} ${setting}`;
  const boundsOf = (target: Target) => bounds.get(modelOf(target)) ?? { output: null, context: null };
  const has = (target: Target, setting: string) =>
    isKnownRefusal(target, setting) || refused.has(nameOf(target, setting));

  return {
    has,
    outputLimit(target, messages, requested) {
      const { output, context } = boundsOf(target);
      const left = context === null ? requested : context - estimateInput(messages);
      // If nothing seems to be left, the estimate of the prompt may be wrong, so the server decides.
      return Math.min(requested, output ?? requested, left < 1 ? requested : left);
    },
    learn(target, status, body, sent) {
      const named = refusedSetting(status, body, sent);
      // The token limit must be sent under one of its two names (`LIMITS`). A call without the limit could cost more than the run
      // allows. If both names are rejected, there is no fallback.
      if (
        named === null ||
        LIMITS.some((limit) => isLimit(named) && limit !== named && refused.has(nameOf(target, limit)))
      )
        return null;
      refused.add(nameOf(target, named));
      return named;
    },
    learnOutput(target, status, body, maxTokens) {
      const found = outputRefusal(status, body, maxTokens);
      if (!found) return null;
      const known = boundsOf(target);
      bounds.set(
        modelOf(target),
        found.of === 'model' ? { ...known, output: found.fits } : { ...known, context: found.context },
      );
      return found.fits;
    },
  };
}

function isLimit(setting: string): boolean {
  return LIMITS.some((limit) => limit === setting);
}

/** Settings that a call needs, or that lists of accepted fields leave out. */
const UNLISTED: readonly string[] = [...LIMITS, 'stream', 'stream_options', SYSTEM_ROLE];

/** Whether the preset or the provider's list of models says that a setting is not supported. */
function isKnownRefusal({ preset, listed: { parameters = [] } = {} }: Target, setting: string): boolean {
  if (preset.refuses.some((refused) => refused === setting)) return true;
  return parameters.length > 0 && !UNLISTED.includes(setting) && !parameters.includes(setting);
}

/** The largest seed that every provider accepts. */
const SEED_BITS = 0x7fffffff;
const NOTHING: ReasoningRequest = { fields: {} };

/**
 * The body of a call, without the settings that the server rejects.
 * @param most an output limit for this call alone, if it is lower than the requested one
 */
export function completionBody(
  target: Target,
  messages: readonly SentMessage[],
  sampling: Sampling,
  refused: RefusedSettings,
  most = Number.POSITIVE_INFINITY,
): ChatCompletionCreateParams {
  const { temperature, seed, topP, topK, presencePenalty } = sampling;
  const listed = target.listed?.maxOutput ?? Number.POSITIVE_INFINITY;
  const maxTokens = Math.min(most, listed, refused.outputLimit(target, messages, sampling.maxTokens));
  const reasoning = reasoningOf(target, maxTokens);
  const fields = Object.entries(reasoning.fields).filter(([field]) => !refused.has(target, field));
  const without = fields.length > 0 ? (reasoning.without ?? []) : [];
  const accepts = (setting: ProviderSetting) => !refused.has(target, setting) && !without.includes(setting);
  const stream = !refused.has(target, 'stream');
  return {
    model: target.model,
    messages: (refused.has(target, SYSTEM_ROLE) ? withoutSystem(messages) : messages).map(chatMessage),
    stream,
    [limitOf(target, refused)]: maxTokens,
    ...(accepts('temperature') ? { temperature } : {}),
    ...(topP !== undefined && accepts('top_p') ? { top_p: topP } : {}),
    ...(topK !== undefined && accepts('top_k') ? { top_k: topK } : {}),
    ...(presencePenalty !== undefined && accepts('presence_penalty') ? { presence_penalty: presencePenalty } : {}),
    ...(seed !== undefined && accepts('seed') ? { seed: seed & SEED_BITS } : {}),
    ...(stream && accepts('stream_options') ? { stream_options: { include_usage: true } } : {}),
    ...Object.fromEntries(fields),
    ...extraFields(target, Object.fromEntries(fields)),
  };
}

/** The fields that the user has added. Fields for a model's chat template are added to those for its thinking. */
function extraFields({ preset, extraFields: own = {} }: Target, thinking: Readonly<Record<string, unknown>>): object {
  const known = extraFieldsOf(preset.extraFields);
  const added = Object.entries(own).filter(([name]) => known.includes(name));
  return Object.fromEntries(
    added.map(([name, value]) => {
      const before = thinking[name];
      return [name, isRecord(before) && isRecord(value) ? { ...before, ...value } : value];
    }),
  );
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

/** The output limit in a body. */
export function outputLimitIn({ max_tokens, max_completion_tokens }: ChatCompletionCreateParams): number {
  return max_tokens ?? max_completion_tokens ?? Number.POSITIVE_INFINITY;
}

/** The names of the settings in a body that the server may reject. A rejected field of the user's own is an error. */
export function settingsIn(body: ChatCompletionCreateParams, { extraFields: own = {} }: Target): string[] {
  const names = Object.keys(body).filter(
    (name) => !FIXED.includes(name) && !(name in own) && (name !== 'stream' || body.stream === true),
  );
  const rank = (name: string) => {
    const place = SETTINGS.findIndex((setting) => setting === name);
    // Messages about other settings often mention streaming.
    return place >= 0 ? place : SETTINGS.length + Number(name === 'stream');
  };
  const role = body.messages.some((message) => message.role === 'system') ? [SYSTEM_ROLE] : [];
  return [...names.toSorted((one, other) => rank(one) - rank(other)), ...role];
}
