/**
 * @file Reads a provider's reply, as chunks or as a whole. The schemas contain only the fields that Podium uses, in the formats
 * of all known providers. A chunk is unreadable if its choices or its text have an unexpected type. Then the whole reply is
 * rejected, because a part of the answer would be missing.
 */
import * as z from 'zod/mini';
import { boundsProblem, type ProviderPreset, type ReasoningPlace, type Usage } from '../../core/contract';
import { usd } from '../../core/contract/storage/schema-parts';
import { isErrorBody } from './provider-words';

z.config({ jitless: true });

/** An optional field. Unreadable values count as missing. */
const optional = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.nullish(schema), null);

const textPart = z.union([z.string(), z.object({ text: z.nullish(z.string()) })]);
const part = z.union([
  z.string(),
  z.object({
    type: optional(z.string()),
    text: z.nullish(z.string()),
    thinking: z.nullish(z.union([z.string(), z.array(textPart)])),
  }),
]);
const message = z.object({
  content: z.nullish(z.union([z.string(), z.array(part), part])),
  refusal: optional(z.string()),
  reasoning_content: optional(z.string()),
  reasoning_details: optional(z.array(z.object({ text: z.nullish(z.string()), summary: z.nullish(z.string()) }))),
  reasoning: optional(z.string()),
  /** Other names for `reasoning`. */
  thinking: optional(z.string()),
  reasoning_text: optional(z.string()),
});
const tokens = z.number().check(z.nonnegative());
const usageShape = z.object({
  /** A stream may report the tokens of the prompt and those of the answer in different chunks. */
  prompt_tokens: optional(tokens),
  completion_tokens: optional(tokens),
  /** Anthropic's names for `prompt_tokens` and `completion_tokens`. */
  input_tokens: optional(tokens),
  output_tokens: optional(tokens),
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
  choices: z.nullish(
    z.array(
      z.object({
        delta: z.nullish(message),
        message: z.nullish(message),
        finish_reason: optional(z.string()),
        /** Moonshot reports the usage here. */
        usage: optional(usageShape),
        /** OpenRouter: an error of the model's host. */
        error: z.optional(z.unknown()),
      }),
    ),
  ),
  usage: optional(usageShape),
  x_groq: optional(z.object({ usage: optional(usageShape) })),
  error: z.optional(z.unknown()),
});

/** One chunk, or a whole reply. */
export interface Piece {
  readonly reasoning: string;
  readonly content: string;
  /** The finish reason in the provider's wording. `null`: none is reported yet. */
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
  if (!parsed.success) return isErrorBody(data) ? { ...EMPTY, error: data } : null;
  const reply = parsed.data;
  const choice = reply.choices?.[0];
  const message = choice?.delta ?? choice?.message;
  const usage = reply.usage ?? choice?.usage ?? reply.x_groq?.usage ?? null;
  const error = choice ? (reply.error ?? choice.error) : isErrorBody(data) ? data : null;
  return {
    reasoning: message ? reasoningOf(message, preset.reasoning.places) : '',
    content: message ? contentOf(message) : '',
    finish: finishOf(choice?.finish_reason),
    usage: usage && readUsage(usage),
    cost: preset.usage.cost && usage ? costOf(usage) : null,
    hasChoice: choice !== undefined,
    ...(isEmpty(error) ? {} : { error }),
  };
}

const EMPTY: Piece = { reasoning: '', content: '', finish: null, usage: null, cost: null, hasChoice: false };

function isEmpty(error: unknown): boolean {
  return error === undefined || error === null || error === '' || error === false;
}

/** The finish reason. Some servers send an empty one with every chunk, or the name of an empty value. */
function finishOf(word: string | null | undefined): string | null {
  const trimmed = word?.trim() ?? '';
  return /^(?:|null|none|undefined|finish_reason_unspecified)$/i.test(trimmed) ? null : trimmed;
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
      return message.reasoning ?? message.thinking ?? message.reasoning_text ?? '';
    case 'content-parts':
      return partsOf(message).map(thoughtsOf).join('');
    case 'think-tags':
      return '';
    default:
      return place satisfies never;
  }
}

type Part = z.infer<typeof part>;

/** The parts of the content. A content that is one text has none. */
function partsOf({ content }: ReplyMessage): readonly Part[] {
  if (content === null || content === undefined || typeof content === 'string') return [];
  return Array.isArray(content) ? content : [content];
}

function isThought(each: Part): boolean {
  return typeof each !== 'string' && /^(?:thinking|reasoning)$/.test(each.type ?? '');
}

function thoughtsOf(each: Part): string {
  if (typeof each === 'string') return '';
  const { text, thinking } = each;
  if (typeof thinking === 'string') return thinking;
  if (thinking) return thinking.map((inner) => (typeof inner === 'string' ? inner : (inner.text ?? ''))).join('');
  return isThought(each) ? (text ?? '') : '';
}

/** If the model refuses to answer, the text of its refusal counts as its answer. */
function contentOf(message: ReplyMessage): string {
  const { content, refusal } = message;
  if (content === null || content === undefined) return refusal ?? '';
  if (typeof content === 'string') return content;
  const answered = partsOf(message).filter((each) => !isThought(each));
  return answered.map((each) => (typeof each === 'string' ? each : (each.text ?? ''))).join('');
}

/**
 * Counts all output tokens that are charged. Some providers include reasoning tokens only in `total_tokens`. A missing number
 * counts as 0.
 */
function readUsage(reported: z.infer<typeof usageShape>): Usage {
  const input = reported.prompt_tokens ?? reported.input_tokens ?? 0;
  const counted = reported.completion_tokens ?? reported.output_tokens ?? 0;
  // The total says nothing about the answer if the tokens of the prompt are unknown.
  const output = input > 0 ? Math.max(counted, (reported.total_tokens ?? 0) - input) : counted;
  const reasoning = reported.completion_tokens_details?.reasoning_tokens;
  const cached = reported.prompt_tokens_details?.cached_tokens ?? reported.prompt_cache_hit_tokens ?? 0;
  return {
    input,
    output,
    ...(reasoning === null || reasoning === undefined ? {} : { reasoning: Math.min(reasoning, output) }),
    ...(cached > 0 ? { cached: Math.min(cached, input) } : {}),
  };
}
