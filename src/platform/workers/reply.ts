/**
 * @file Reads a provider's reply, as chunks or as a whole. The schemas contain only the fields that Podium uses, in the formats
 * of all known providers. A chunk is unreadable if its choices or its text have an unexpected type. Then the whole reply is
 * rejected, because a part of the answer would be missing.
 */
import * as z from 'zod/mini';
import {
  boundsProblem,
  type FinishReason,
  type ProviderPreset,
  type ReasoningPlace,
  type Usage,
} from '../../core/contract';
import { usd } from '../../core/contract/storage/schema-parts';

z.config({ jitless: true });

/** An optional field. Unreadable values count as missing. */
const optional = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.nullish(schema), null);

const part = z.object({
  type: optional(z.string()),
  text: z.nullish(z.string()),
  thinking: z.nullish(z.union([z.string(), z.array(z.object({ text: z.nullish(z.string()) }))])),
});
const message = z.object({
  content: z.nullish(z.union([z.string(), z.array(part)])),
  refusal: optional(z.string()),
  reasoning_content: optional(z.string()),
  reasoning_details: optional(z.array(z.object({ text: z.nullish(z.string()), summary: z.nullish(z.string()) }))),
  reasoning: optional(z.string()),
});
const tokens = z.number().check(z.nonnegative());
const usageShape = z.object({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  total_tokens: optional(tokens),
  completion_tokens_details: optional(z.object({ reasoning_tokens: z.nullish(tokens) })),
  prompt_tokens_details: optional(z.object({ cached_tokens: z.nullish(tokens) })),
  /** DeepSeek's name for the cached tokens. */
  prompt_cache_hit_tokens: optional(tokens),
  cost: optional(usd),
  /** OpenRouter: whether the call was charged to the user's own key at the provider. If so, `cost` is only OpenRouter's fee. */
  is_byok: optional(z.boolean()),
  cost_details: optional(z.object({ upstream_inference_cost: z.nullish(usd) })),
});
const replyShape = z.object({
  object: optional(z.string()),
  choices: z.nullish(
    z.array(
      z.object({
        delta: z.nullish(message),
        message: z.nullish(message),
        finish_reason: optional(z.string()),
      }),
    ),
  ),
  usage: optional(usageShape),
  x_groq: optional(z.object({ usage: optional(usageShape) })),
  error: z.optional(z.unknown()),
  message: optional(z.string()),
});

/** One chunk, or a whole reply. */
export interface Piece {
  readonly reasoning: string;
  readonly content: string;
  /** The finish reason in the provider's wording. `null` until the end. */
  readonly finish: string | null;
  readonly usage: Usage | null;
  /** Cost in US dollars. `null` if the provider does not report it. */
  readonly cost: number | null;
  /** Whether the piece has an entry in `choices`. A reply that is not streamed must have one. */
  readonly hasChoice: boolean;
  /** The error that the provider sent instead of an answer. `readProviderWords` reads it. */
  readonly error?: unknown;
}

/** Reads decoded JSON in this provider's format. Returns `null` if the data is not a reply. */
export function readPiece(data: unknown, preset: Pick<ProviderPreset, 'reasoning' | 'usage'>): Piece | null {
  // Schema validation collects all problems, so a hostile list with a million entries would block the page.
  if (boundsProblem(data) !== null) return null;
  const parsed = replyShape.safeParse(data);
  if (!parsed.success) return null;
  const reply = parsed.data;
  const choice = reply.choices?.[0];
  const message = choice?.delta ?? choice?.message;
  const usage = reply.usage ?? reply.x_groq?.usage ?? null;
  const isError = (reply.error !== undefined && reply.error !== null) || reply.object === 'error';
  return {
    reasoning: message ? reasoningOf(message, preset.reasoning.places) : '',
    content: message ? contentOf(message) : '',
    finish: choice?.finish_reason ?? null,
    usage: usage && readUsage(usage),
    cost: preset.usage.cost && usage ? costOf(usage) : null,
    hasChoice: choice !== undefined,
    ...(isError ? { error: reply.error ?? { message: reply.message } } : {}),
  };
}

/** The reported cost. `null` if no cost or only a part of it is reported. */
function costOf({ cost, is_byok: isOwnKey, cost_details: details }: z.infer<typeof usageShape>): number | null {
  if (!isOwnKey) return cost ?? null;
  const upstream = details?.upstream_inference_cost ?? null;
  return upstream === null ? null : (cost ?? 0) + upstream;
}

type ReplyMessage = z.infer<typeof message>;

/**
 * The fields that may contain reasoning if the preset's fields are empty. `think-tags` is missing, because `ReplyReader` finds
 * think tags in the content.
 */
const PLACES: readonly ReasoningPlace[] = ['reasoning_content', 'reasoning_details', 'reasoning', 'content-parts'];

/** Reads only the first non-empty field, because several providers send the same text in two fields. */
function reasoningOf(message: ReplyMessage, places: readonly ReasoningPlace[]): string {
  for (const place of [...places, ...PLACES]) {
    const text = reasoningAt(place, message);
    if (text !== '') return text;
  }
  return '';
}

function reasoningAt(place: ReasoningPlace, message: ReplyMessage): string {
  switch (place) {
    case 'reasoning_content':
      return message.reasoning_content ?? '';
    case 'reasoning_details':
      return message.reasoning_details?.map(({ text, summary }) => text ?? summary ?? '').join('') ?? '';
    case 'reasoning':
      return message.reasoning ?? '';
    case 'content-parts':
      return Array.isArray(message.content) ? message.content.map(thoughtsOf).join('') : '';
    case 'think-tags':
      return '';
    default:
      return place satisfies never;
  }
}

function thoughtsOf({ thinking }: z.infer<typeof part>): string {
  if (typeof thinking === 'string') return thinking;
  return thinking?.map(({ text }) => text ?? '').join('') ?? '';
}

/** If the model refuses to answer, the text of its refusal counts as its answer. */
function contentOf({ content, refusal }: ReplyMessage): string {
  if (Array.isArray(content))
    return content.map(({ type, text }) => (type === 'thinking' ? '' : (text ?? ''))).join('');
  return content ?? refusal ?? '';
}

/** Counts all output tokens that are charged. Some providers include reasoning tokens only in `total_tokens`. */
function readUsage(reported: z.infer<typeof usageShape>): Usage {
  const input = reported.prompt_tokens;
  const output = Math.max(reported.completion_tokens, (reported.total_tokens ?? 0) - input);
  const reasoning = reported.completion_tokens_details?.reasoning_tokens;
  const cached = reported.prompt_tokens_details?.cached_tokens ?? reported.prompt_cache_hit_tokens ?? 0;
  return {
    input,
    output,
    ...(reasoning === null || reasoning === undefined ? {} : { reasoning: Math.min(reasoning, output) }),
    ...(cached > 0 ? { cached: Math.min(cached, input) } : {}),
  };
}

/** Converts a provider's finish reason to Podium's. */
export function readFinishReason(word: string): FinishReason {
  switch (word.toLowerCase()) {
    case 'stop':
    case 'eos':
    case 'end_turn':
    case 'stop_sequence':
      return 'stop';
    case 'length':
    case 'max_tokens':
    case 'model_length':
      return 'length';
    case 'content_filter':
    case 'safety':
      return 'content-filter';
    default:
      return 'other';
  }
}

/** Whether the provider's finish reason means that the provider aborted the answer. */
export function isStoppedEarly(word: string): boolean {
  return word === 'error' || word === 'insufficient_system_resource';
}
