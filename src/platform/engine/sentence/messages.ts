/** @file What page and worker say to each other of a sentence model, parsed on arrival. */
import * as z from 'zod/mini';
import { MODEL_REPORTS, type ModelReport } from '../reports';
import type { Named } from '../engine-faults';

const command = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('load'),
    manifestId: z.string(),
    label: z.string(),
    source: z.object({ host: z.string(), id: z.string(), revision: z.nullable(z.string()) }),
    /** Whether what is not on this machine may be fetched. */
    fetches: z.boolean(),
  }),
  z.object({ type: z.literal('embed'), call: z.int(), texts: z.array(z.string()) }),
  z.object({ type: z.literal('stop'), call: z.int() }),
]);

export type Command = z.infer<typeof command>;
export type LoadCommand = Extract<Command, { type: 'load' }>;
export type EmbedCommand = Extract<Command, { type: 'embed' }>;

/** All that is said of a call: one vector after the other, in the order of the texts, each of so many numbers. */
export interface EmbedReport {
  readonly type: 'embedded';
  readonly call: number;
  readonly size: number;
  readonly numbers: Float32Array;
}

const report = z.discriminatedUnion('type', [
  ...MODEL_REPORTS,
  z.object({
    type: z.literal('embedded'),
    call: z.int(),
    size: z.int().check(z.positive()),
    numbers: z.instanceof(Float32Array),
  }),
]);

/** What sentences about this model name. */
export function namedOf({ label, source }: LoadCommand): Named {
  return { label, host: new URL(source.host).host };
}

/** Both throw on what is not one of ours. */
export const readCommand = (data: unknown): Command => command.parse(data);
export const readReport = (data: unknown): ModelReport | EmbedReport => report.parse(data);
