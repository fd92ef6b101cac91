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
  type Fault,
  type IndexState,
  type Nearness,
  type RunFacets,
  type RunSummary,
  type RunTotals,
} from '../../contract';
import * as part from '../../contract/storage/schema-parts';
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

const order = z.discriminatedUnion('type', [
  z.object({ type: z.literal('open'), database: z.string() }),
  z.object({ type: z.literal('ask'), id: z.number(), question }),
  z.object({ type: z.literal('cancel'), id: z.number() }),
]);
export type IndexOrder = z.infer<typeof order>;

export type IndexReport =
  | { readonly type: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly type: 'failed'; readonly id: number; readonly fault: Fault }
  /** Runs were added, changed, removed or indexed. */
  | { readonly type: 'changed'; readonly state: IndexState };

const report: z.ZodMiniType<IndexReport> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('answer'), id: z.number(), answer: z.unknown() }),
  z.object({ type: z.literal('failed'), id: z.number(), fault: part.fault }),
  z.object({ type: z.literal('changed'), state: z.object({ indexed: z.number(), of: z.number() }) }),
]);

/** `readIndexOrder` and `readIndexReport` throw a `ZodError` for an invalid message. */
export const readIndexOrder = (data: unknown): IndexOrder => order.parse(data);
export const readIndexReport = (data: unknown): IndexReport => report.parse(data);

const count = z.number();
const facet = z.array(z.object({ value: z.string(), runs: count }));
/**
 * The shapes of the answers. A summary can be any object. Its fields are not validated, because the Web Worker reads summaries
 * from Podium's own database.
 */
export const ANSWERS = {
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
