/**
 * @file The messages between the page and the Web Worker that owns the index of runs. Each side validates what it receives.
 */
import * as z from 'zod/mini';
import {
  DOMAINS,
  GRADES,
  PURPOSES,
  ROLES,
  SHAPES,
  SORT_KEYS,
  VALIDITIES,
  type IndexState,
  type Nearness,
  type RunFacets,
  type RunSummary,
  type RunTotals,
} from '../../contract';
import type { MissingVectors, SearchFilter, SearchQuery } from './search-filter';

z.config({ jitless: true });

const range = z.object({ least: z.nullable(z.number()), most: z.nullable(z.number()) });
const texts = z.array(z.string());
const flag = z.nullable(z.boolean());

const near = z.object({ model: z.string(), by: z.string(), least: z.number(), vector: z.array(z.number()) });

const filter: z.ZodMiniType<SearchFilter> = z.object({
  words: z.string(),
  byMeaning: z.boolean(),
  near: z.optional(near),
  conductors: texts,
  workers: texts,
  providers: texts,
  shapes: z.array(z.enum(SHAPES)),
  roles: z.array(z.enum(ROLES)),
  steps: z.array(
    z.object({
      worker: z.nullable(z.string()),
      otherThan: texts,
      provider: z.nullable(z.string()),
      role: z.nullable(z.enum(ROLES)),
      isFinished: z.boolean(),
      hasContent: z.boolean(),
    }),
  ),
  domains: z.array(z.enum(DOMAINS)),
  grades: z.array(z.enum(GRADES)),
  rewards: z.array(z.literal([0, 0.5, 1])),
  validities: z.array(z.enum(VALIDITIES)),
  statuses: z.array(z.enum(['running', 'finished', 'failed', 'cancelled', 'interrupted'])),
  labels: texts,
  batches: texts,
  grammar: flag,
  decided: flag,
  priced: flag,
  spentOn: z.array(z.enum(PURPOSES)),
  simulated: flag,
  imported: flag,
  starred: flag,
  usd: range,
  time: range,
  rounds: range,
  startedAt: range,
  similarity: range,
  without: texts,
});
const query: z.ZodMiniType<SearchQuery> = z.object({
  filter,
  sort: z.object({ by: z.enum(SORT_KEYS), descending: z.boolean() }),
});

const early = z.optional(z.boolean());
const question = z.discriminatedUnion('type', [
  z.object({ type: z.literal('totals'), filter, early }),
  z.object({ type: z.literal('rows'), query, from: z.number(), most: z.number(), early }),
  z.object({ type: z.literal('ids'), query }),
  z.object({ type: z.literal('facets') }),
  z.object({ type: z.literal('sameQuestion'), runId: z.string(), most: z.number() }),
  z.object({ type: z.literal('thread'), runId: z.string() }),
  z.object({ type: z.literal('figures'), name: z.string(), filter }),
  z.object({ type: z.literal('nearness'), filter }),
  z.object({ type: z.literal('missing'), filter, most: z.number() }),
]);
export type IndexQuestion = z.infer<typeof question>;

/** `question`: null to receive the states of the index, without end. The first order opens the index of the database. */
const order = z.object({ database: z.string(), question: z.nullable(question) });
export type IndexOrder = z.infer<typeof order>;

/** Throws a `ZodError` for an invalid order. */
export const readIndexOrder = (data: unknown): IndexOrder => order.parse(data);

const count = z.number();
const facet = z.array(z.object({ value: z.string(), runs: count }));
/**
 * The shapes of the answers. A summary can be any object. Its fields are not validated, because the Web Worker reads summaries
 * from Podium's own database.
 */
export const ANSWERS = {
  state: z.object({ indexed: count, of: count }) satisfies z.ZodMiniType<IndexState>,
  totals: z.object({
    runs: count,
    right: count,
    wrong: count,
    ungraded: count,
    valid: count,
    invalid: count,
    rewarded: count,
    rewards: count,
    usd: count,
    madeUpUsd: count,
    judgeUsd: count,
    unpriced: count,
    tokens: count,
    time: count,
    simulated: count,
    unsearched: count,
  }) satisfies z.ZodMiniType<RunTotals>,
  summaries: z.array(z.custom<RunSummary>((value) => typeof value === 'object' && value !== null)),
  ids: texts,
  facets: z.object({
    conductors: facet,
    workers: facet,
    providers: facet,
    labels: facet,
    batches: facet,
  }) satisfies z.ZodMiniType<RunFacets>,
  figures: z.unknown(),
  nearness: z.object({
    by: z.string(),
    similarities: z.record(z.string(), z.number()),
    beyond: count,
    missing: count,
  }) satisfies z.ZodMiniType<Nearness>,
  missing: z.object({ questions: texts, runs: count }) satisfies z.ZodMiniType<MissingVectors>,
};
