/**
 * @file The counts of the hostile corpora: a test records what it placed and what came of it, and the reporter prints one table
 * at the end of the run. Tests assert the counts themselves; a duration is printed only.
 */
import type { TestInfo } from '@playwright/test';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import * as z from 'zod/mini';

const countsShape = z.object({
  /** What was placed and where, such as "model texts as answers". */
  corpus: z.string(),
  /** Texts or files placed. */
  placed: z.number(),
  /** Requests that left the page and should not have. */
  requests: z.number(),
  /** Hostile scripts that ran. */
  scripts: z.number(),
  dialogs: z.number(),
  navigations: z.number(),
  /** ms that the main thread was busy at a stretch, at most. Shorter stretches than 50 ms count as 0. */
  longestBlock: z.number(),
  /** Pages visited with hostile content. */
  pages: z.number(),
  /** How many of those pages worked afterwards. */
  recovered: z.number(),
});

export type CorpusCounts = z.infer<typeof countsShape>;

const ANNOTATION = 'corpus';
const HEAD = 'corpus | placed | requests | scripts | dialogs | navigations | longest block | recovered';

/** Adds a row to the table. Call it before asserting the counts, so that a failing test has its row as well. */
export function recordCorpus(info: Pick<TestInfo, 'annotations'>, counts: CorpusCounts): void {
  info.annotations.push({ type: ANNOTATION, description: JSON.stringify(counts) });
}

function lineOf(counts: CorpusCounts): string {
  const { corpus, placed, requests, scripts, dialogs, navigations, longestBlock, pages, recovered } = counts;
  const block = `${Math.round(longestBlock)} ms`;
  return [corpus, placed, requests, scripts, dialogs, navigations, block, `${recovered} of ${pages}`].join(' | ');
}

export default class CorpusTable implements Reporter {
  /** By test, so that a second try replaces the first. */
  readonly #rows = new Map<string, CorpusCounts[]>();

  onTestEnd({ id }: TestCase, { annotations }: TestResult): void {
    const rows = annotations.flatMap(({ type, description }) =>
      type === ANNOTATION && description !== undefined ? [countsShape.parse(JSON.parse(description))] : [],
    );
    if (rows.length > 0) this.#rows.set(id, rows);
  }

  onEnd(): void {
    const rows = [...this.#rows.values()].flat();
    if (rows.length === 0) return;
    const placed = rows.reduce((sum, row) => sum + row.placed, 0);
    const rule = HEAD.replaceAll(/[^|]+/g, ' --- ');
    console.log(['', `| ${HEAD} |`, `|${rule}|`, ...rows.map((row) => `| ${lineOf(row)} |`)].join('\n'));
    console.log(`\n${placed} hostile texts and files placed`);
  }
}
