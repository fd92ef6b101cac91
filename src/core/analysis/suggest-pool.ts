/**
 * @file Suggests a pool: three to six models of different families whose calls for one question cost less than the user's limit.
 * Models that did well in the user's graded runs come first, then models with published results. Of the others nothing is known,
 * so they are chosen by family and price, the most expensive that the limit allows.
 */
import { plainModelId, type Price, type PublishedRecord } from '../contract';

/** A model that the pool could have. */
export interface PoolCandidate {
  readonly model: string;
  /** `null`: unknown. Such a model can't be suggested, because its cost can't be limited. */
  readonly price: Price | null;
  readonly published: PublishedRecord | null;
  /** The user's graded runs in which the model was called. `null`: none. */
  readonly graded: { readonly right: number; readonly runs: number } | null;
}

/** Why a model was chosen: the user's own grades, else published results, else only its family and price. */
export type ChoiceReason =
  | { readonly by: 'grades'; readonly right: number; readonly runs: number }
  | { readonly by: 'published'; readonly record: PublishedRecord }
  | { readonly by: 'unknown' };

export interface SuggestedWorker {
  readonly model: string;
  readonly family: string;
  /** The estimated cost of the model's part of a question, in US dollars. */
  readonly usd: number;
  readonly reason: ChoiceReason;
}

/** The estimate assumes that each worker is called once for a question, with this many tokens. */
export const CALL_TOKENS = { input: 3000, output: 1500 } as const;
export const POOL_SIZE = { least: 3, most: 6 } as const;

/** Ids of models that do not answer questions in text. */
const NO_CHAT =
  /embed|rerank|moderation|guard|whisper|transcribe|tts|speech|audio|realtime|dall-e|image|imagen|sora|veo|video|ocr/;

/** The maker of a model, by the beginning of the model's name. */
const MAKERS: readonly (readonly [maker: string, name: RegExp])[] = [
  ['openai', /^(chatgpt|gpt|o\d)/],
  ['anthropic', /^claude/],
  ['google', /^(gemini|gemma)/],
  ['qwen', /^(qwen|qwq|qvq)/],
  ['mistral', /^(mi[sx]tral|ministral|magistral|codestral|devstral|pixtral)/],
  ['meta', /^(meta-)?llama/],
  ['moonshot', /^(kimi|moonshot)/],
  ['cohere', /^(command|aya)/],
];

/** The family of a model: its maker, else the first part of an id such as `acme/rocket`, else the first word of its name. */
export function modelFamily(model: string): string {
  const plain = plainModelId(model);
  const maker = MAKERS.find(([, name]) => name.test(plain))?.[0] ?? /^([^/]+)\/[^/]+$/.exec(model.toLowerCase())?.[1];
  return maker ?? /^[a-z]+/.exec(plain)?.[0] ?? plain;
}

/** The estimated cost of one call, in US dollars. */
export function callUsd({ input, output }: Price): number {
  return (input * CALL_TOKENS.input + output * CALL_TOKENS.output) / 1e6;
}

interface Ranked extends SuggestedWorker {
  readonly tier: number;
  readonly value: number;
}

/** @param usd the limit for the calls of all suggested workers, in US dollars */
export function suggestPool(candidates: readonly PoolCandidate[], usd: number): readonly SuggestedWorker[] {
  const ranked = candidates
    .flatMap(rank)
    .filter((each) => each.usd <= usd)
    .toSorted(byRank);
  const cheapest = new Map<string, number>();
  for (const each of ranked) cheapest.set(each.family, Math.min(each.usd, cheapest.get(each.family) ?? Infinity));
  const wanted = affordable([...cheapest.values()], usd);
  const chosen: Ranked[] = [];
  let left = usd;
  for (;;) {
    const free = ranked.filter(({ family }) => chosen.every((each) => each.family !== family));
    const fits = (each: Ranked) => {
      const others = [...new Set(free.map(({ family }) => family))].filter((family) => family !== each.family);
      const costs = others.map((family) => cheapest.get(family) ?? 0).toSorted((one, other) => one - other);
      const missing = costs.slice(0, Math.max(0, wanted - chosen.length - 1));
      return sum([each.usd, ...missing]) <= left;
    };
    const next = chosen.length < POOL_SIZE.most ? free.find(fits) : undefined;
    if (!next) break;
    chosen.push(next);
    left = usd - sum(chosen.map((each) => each.usd));
  }
  return chosen.map(({ model, family, usd: cost, reason }) => ({ model, family, usd: cost, reason }));
}

/** How many of the smallest pool's families the limit allows. */
function affordable(costs: readonly number[], usd: number): number {
  const sorted = costs.toSorted((one, other) => one - other).slice(0, POOL_SIZE.least);
  return sorted.filter((_, index) => sum(sorted.slice(0, index + 1)) <= usd).length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function rank({ model, price, published, graded }: PoolCandidate): Ranked[] {
  if (price === null || NO_CHAT.test(model.toLowerCase())) return [];
  const found = { model, family: modelFamily(model), usd: callUsd(price) };
  if (graded && graded.runs > 0) {
    // Laplace's rule, so that one lucky run is no proof. Models that mostly failed here come after all others.
    const value = (graded.right + 1) / (graded.runs + 2);
    return [{ ...found, reason: { by: 'grades', ...graded }, tier: value >= 0.5 ? 0 : 3, value }];
  }
  if (published) {
    const abilities = Object.values(published.domains).map(({ ability }) => ability);
    const value = sum(abilities) / Math.max(1, abilities.length);
    return [{ ...found, reason: { by: 'published', record: published }, tier: 1, value }];
  }
  return [{ ...found, reason: { by: 'unknown' }, tier: 2, value: found.usd }];
}

function byRank(one: Ranked, other: Ranked): number {
  return one.tier - other.tier || other.value - one.value || one.usd - other.usd || (one.model < other.model ? -1 : 1);
}
