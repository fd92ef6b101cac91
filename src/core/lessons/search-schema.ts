/** @file The schema of a search's events in a file of JSON lines. */
import * as z from 'zod/mini';
import { LOST_OUTCOMES, REFLECTION_MODES, type SearchEvent } from './search-events';

// By default, zod generates code at runtime, which a strict Content-Security-Policy forbids.
z.config({ jitless: true });

const index = z.int().check(z.nonnegative());
const amount = z.number().check(z.nonnegative());
const texts = z.array(z.string());
const cost = { usd: amount, unpriced: index, calls: index };
const score = z.nullable(z.number().check(z.gte(0), z.lte(1)));

const caps = z.object({ runs: index, usd: z.nullable(amount) });

const plan = z.object({
  id: z.string(),
  seed: z.number(),
  split: z.object({ train: texts, validation: texts, test: texts, testTasks: z.enum(['own', 'generated']) }),
  start: texts,
  minibatch: z.int().check(z.positive()),
  lessonTokens: z.int().check(z.positive()),
  caps,
  mode: z.enum(REFLECTION_MODES),
});

const eventSchema: z.ZodMiniType<SearchEvent> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('search-started'), plan }),
  z.object({
    type: z.literal('run-graded'),
    candidate: index,
    task: z.string(),
    score,
    ...cost,
    feedback: z.exactOptional(z.string()),
  }),
  z.object({ type: z.literal('iteration-started'), iteration: index, parent: index, minibatch: texts }),
  z.object({ type: z.literal('reflection-answered'), iteration: index, text: z.string(), ...cost }),
  z.object({ type: z.literal('candidate-proposed'), iteration: index, parent: index, lessons: texts }),
  z.object({
    type: z.literal('iteration-ended'),
    iteration: index,
    outcome: z.enum([...LOST_OUTCOMES, 'accepted']),
    reason: z.exactOptional(z.string()),
  }),
  z.object({ type: z.literal('search-ended') }),
  z.object({
    type: z.literal('proof-started'),
    candidate: index,
    tasks: texts,
    isUnseen: z.boolean(),
    lessons: z.exactOptional(texts),
  }),
  z.object({ type: z.literal('ablation-started') }),
  z.object({ type: z.literal('caps-changed'), caps }),
]);

/** Reads an event. `null`: the value is no event of a search. */
export function parseSearchEvent(value: unknown): SearchEvent | null {
  return eventSchema.safeParse(value).data ?? null;
}
