/** @file Reads real answers of models with the verdicts of their source: one JSON object on each line. */
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';

const row = z.object({
  question: z.string(),
  reference: z.string(),
  model: z.string(),
  response: z.string(),
  /** The verdict of the source. */
  right: z.boolean(),
});

export type RealAnswer = z.infer<typeof row>;

export function readAnswers(path: string): readonly RealAnswer[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => row.parse(JSON.parse(line)));
}
