/**
 * @file The messages between the page and the Web Worker that runs units of a batch. This Web Worker calls only simulated
 * workers and recorded workers, whose answers come from an imported table. The page can load this file early, because this
 * file does not import the executor.
 */
import * as z from 'zod/mini';
import { VERDICTS, type GradedRun, type Outcome } from '../../contract';
import { outcomeSchema } from '../../contract/evaluation/outcome-schema';
import * as part from '../../contract/storage/schema-parts';

const count = z.int().check(z.nonnegative());

const gradedRun: z.ZodMiniType<GradedRun> = z.object({
  runId: z.string(),
  startedAt: z.number(),
  question: z.string(),
  right: z.boolean(),
  played: z.array(z.object({ workerId: z.string(), role: part.role })),
  group: z.optional(z.string()),
  checks: z.optional(
    z.array(
      z.object({
        checker: z.string(),
        solver: z.optional(z.string()),
        verdict: z.enum(VERDICTS),
        isRight: z.boolean(),
      }),
    ),
  ),
  isOfBatch: z.optional(z.literal(true)),
});

const playOrder = z.object({
  batchId: z.string(),
  /** Indexes into the units of the batch, in the order of `unitsOf`. */
  units: z.array(count),
  /** The earlier graded runs that Conductors may use to plan. */
  history: z.array(gradedRun),
  /** Whether the user retries these units. In a retry, failed runs are resumed. */
  isRetry: z.boolean(),
  /**
   * The checkpoint of the policy. `null`: no method needs a policy, or the policy couldn't be loaded. The code that reads the
   * policy validates the checkpoint.
   */
  checkpoint: z.nullable(z.unknown()),
});
export type PlayOrder = z.infer<typeof playOrder>;

/** The report of a Web Worker. These outcomes are already stored. */
const report: z.ZodMiniType<readonly Outcome[]> = z.array(outcomeSchema);

/** Parses an order. Throws a `ZodError` if it is invalid. */
export const readPlayOrder = (data: unknown): PlayOrder => playOrder.parse(data);
/** Parses a report. Throws a `ZodError` if it is invalid. */
export const readPlayReport = (data: unknown): readonly Outcome[] => report.parse(data);
