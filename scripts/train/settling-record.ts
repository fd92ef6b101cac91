/**
 * @file The record of what skipping settled steps does to the answers of the shipped policy, `models/policy/settling.json`.
 * `npm run bench -- settling` measures it, and the model card shows it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { points } from '../../src/core/training/evaluation/gate';
import { settledPrecision } from '../../src/core/training/evaluation/settling';

const count = z.int().check(z.nonnegative());
const settling = z.object({ cutShort: count, right: count, repaired: count, broken: count });
const recordSchema = z.object({
  /** The revision of the measured weights. */
  revision: z.string(),
  planners: z.array(z.object({ name: z.string(), questions: count, settling })),
});
export type SettlingRecord = z.infer<typeof recordSchema>;

const FILE = 'settling.json';

/** Writes the record to a folder such as `models/policy/`. */
export function writeSettlingRecord(folder: string, record: SettlingRecord): void {
  writeFileSync(join(folder, FILE), `${JSON.stringify(record)}\n`);
}

/** Reads the record of a folder. `null`: it has none. Throws a `ZodError` if the file is no such record. */
export function readSettlingRecord(folder: string): SettlingRecord | null {
  const path = join(folder, FILE);
  return existsSync(path) ? recordSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) : null;
}

/** The section of the model card. Empty if other weights were measured. @param revision of the shipped weights */
export function settlingSection(record: SettlingRecord | null, revision: string): string {
  if (record?.revision !== revision) return '';
  const rows = record.planners.map(({ name, questions, settling: of }) => {
    const precision = `${(100 * (settledPrecision(of) ?? 0)).toFixed(1)} %`;
    const gain = points((of.repaired - of.broken) / Math.max(1, questions));
    return `| ${name} | ${questions} | ${of.cutShort} | ${precision} | ${of.repaired} | ${of.broken} | ${gain} |`;
  });
  return `
## Settled steps

A plan is *cut short* if its last step is not called, because a check found the answer right. For these plans, the skipped steps were called anyway,
on puzzles with simulated workers whose checks and repairs err, and that are in no training item. \`npm run bench -- settling\` measures this again.
The last column is the share of all questions that calling the skipped steps would have made right, minus those that it would have made wrong, in points.

| | questions | cut short | of these right | would be repaired | would be broken | gain of calling |
|---|---|---|---|---|---|---|
${rows.join('\n')}
`;
}
