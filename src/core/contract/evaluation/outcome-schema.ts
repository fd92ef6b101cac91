/** @file The schema of a batch's outcomes in storage, backups and exported files. */
import * as z from 'zod/mini';
import { cost, fault, index, role, shortText, usd } from '../storage/schema-parts';
import { LONGEST_ELAPSED, MOST_ROUNDS, MOST_STEPS } from '../storage/bounds';
import { VERDICTS } from '../workflow/verdict';
import { unitShape } from './batch-schema';
import { OUTCOME_STATUSES, type Outcome } from './outcome';

/** Upper limits, far above real values, so that sums stay exact integers. */
const MOST_CALLS = 1e6;
const MOST_TOKENS = 1e12;
const tokens = z.number().check(z.gte(0), z.lte(MOST_TOKENS));
const verdict = z.looseObject({ correct: z.boolean(), detail: z.string(), version: z.optional(index) });

const calls = index.check(z.lte(MOST_CALLS));

const storedOutcome = z.looseObject({
  ...unitShape,
  batchId: shortText.check(z.minLength(1)),
  runId: z.optional(shortText),
  isReused: z.optional(z.literal(true)),
  status: z.enum(OUTCOME_STATUSES),
  verdicts: z.looseObject({ strict: z.optional(verdict), 'paper-artefact': z.optional(verdict) }),
  format: z.nullable(z.boolean()),
  isUninformed: z.optional(z.literal(true)),
  steps: z.array(z.looseObject({ workerId: shortText, role })).check(z.maxLength(MOST_STEPS * MOST_ROUNDS)),
  rounds: index.check(z.lte(MOST_ROUNDS)),
  calls,
  inputTokens: tokens,
  outputTokens: tokens,
  usd: cost,
  unpriced: z.optional(calls),
  checks: z.optional(
    z
      .array(
        z.looseObject({
          checker: shortText,
          solver: z.optional(shortText),
          verdict: z.enum(VERDICTS),
          isRight: z.boolean(),
        }),
      )
      .check(z.maxLength(MOST_STEPS * MOST_ROUNDS)),
  ),
  leftOut: z.optional(calls),
  paid: z.optional(z.looseObject({ usd, unpriced: calls })),
  judge: z.optional(z.looseObject({ usd, unpriced: calls })),
  elapsed: z.number().check(z.gte(0), z.lte(LONGEST_ELAPSED)),
  fault: z.optional(fault),
});

/**
 * Reads outcomes of this version and of older versions. Older versions stored `usd: null` if the cost of any
 * call was unknown, and the known part of the cost is lost. Such an outcome gets `usd: 0` and at least one
 * call of unknown cost.
 */
export const outcomeSchema: z.ZodMiniType<Outcome> = z.pipe(
  storedOutcome,
  z.transform((found): Outcome => {
    const { usd: known, ...rest } = found;
    return known === null ? { ...rest, usd: 0, unpriced: Math.max(1, found.unpriced ?? 0) } : { ...rest, usd: known };
  }),
);
