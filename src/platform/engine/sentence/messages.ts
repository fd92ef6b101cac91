/** @file The messages between the page and a sentence model's Web Worker, validated on arrival. */
import * as z from 'zod/mini';
import { MODEL_REPORTS, type ModelReport } from '../reports';
import type { Named } from '../engine-faults';

const command = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('load'),
    manifestId: z.string(),
    label: z.string(),
    source: z.object({ host: z.string(), id: z.string(), revision: z.nullable(z.string()) }),
    /** Whether missing files may be downloaded. */
    fetches: z.boolean(),
  }),
  z.object({ type: z.literal('embed'), texts: z.array(z.string()) }),
]);

export type Command = z.infer<typeof command>;
export type LoadCommand = Extract<Command, { type: 'load' }>;
export type EmbedCommand = Extract<Command, { type: 'embed' }>;

/**
 * The reply to an `embed` command. `numbers` concatenates the embeddings in the order of the texts.
 * `size` is the number of dimensions of each embedding.
 */
export interface EmbedReport {
  readonly type: 'embedded';
  readonly size: number;
  readonly numbers: Float32Array;
}

const report = z.discriminatedUnion('type', [
  ...MODEL_REPORTS,
  z.object({
    type: z.literal('embedded'),
    size: z.int().check(z.positive()),
    numbers: z.instanceof(Float32Array),
  }),
]);

/** The names of the model and its host, for error messages. */
export function namedOf({ label, source }: LoadCommand): Named {
  return { label, host: new URL(source.host).host };
}

/** Parses a command. Throws a `ZodError` for any other data. */
export const readCommand = (data: unknown): Command => command.parse(data);
/** Parses a report. Throws a `ZodError` for any other data. */
export const readReport = (data: unknown): ModelReport | EmbedReport => report.parse(data);
