/**
 * @file A reporter that prints a table of the hostile texts and files that tests placed in the
 * page, and of their effects. The tests assert the counts, but not the durations.
 */
import type { TestInfo } from '@playwright/test';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import * as z from 'zod/mini';

const countsShape = z.object({
  /** The kind of content and where it is placed, such as "model texts as answers". */
  corpus: z.string(),
  /** Number of texts or files. */
  placed: z.number(),
  /** Forbidden requests that left the page. */
  requests: z.number(),
  /** Hostile scripts that ran. */
  scripts: z.number(),
  dialogs: z.number(),
  navigations: z.number(),
  /** Longest task of the main thread, ms. Tasks below 50 ms count as 0. */
  longestBlock: z.number(),
  /** Pages visited with hostile content. */
  pages: z.number(),
  /** Number of these pages that still worked afterwards. */
  recovered: z.number(),
});

export type CorpusCounts = z.infer<typeof countsShape>;

const ANNOTATION = 'corpus';
const HEAD = 'corpus | placed | requests | scripts | dialogs | navigations | longest block | recovered';

/**
 * Adds a row to the table. Call it before asserting the counts, so that a failing test also has its
 * row.
 */
export function recordCorpus(info: Pick<TestInfo, 'annotations'>, counts: CorpusCounts): void {
  info.annotations.push({ type: ANNOTATION, description: JSON.stringify(counts) });
}

function lineOf(counts: CorpusCounts): string {
  const { corpus, placed, requests, scripts, dialogs, navigations, longestBlock, pages, recovered } = counts;
  const block = `${Math.round(longestBlock)} ms`;
  return [corpus, placed, requests, scripts, dialogs, navigations, block, `${recovered} of ${pages}`].join(' | ');
}

export default class CorpusTable implements Reporter {
  /** The rows by the id of their test, so that a retry replaces the first attempt. */
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
