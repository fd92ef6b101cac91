/**
 * @file A reporter that prints totals of the checks with axe, an accessibility checker. Each test
 * records the states of the page that it has checked.
 */
import type { TestInfo } from '@playwright/test';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import * as z from 'zod/mini';

const recordShape = z.object({
  state: z.string(),
  /** Number of views in which the state was checked. */
  views: z.number(),
  /** Rules of axe that applied, summed over the views. */
  rules: z.number(),
  /** Number of these rules that axe could not decide for some element. */
  undecided: z.number(),
  /** Violations of axe's rules, overflows, and plots without a table. */
  problems: z.number(),
});

type AxeRecord = z.infer<typeof recordShape>;

const ANNOTATION = 'axe';

/** Adds a checked state to the totals. */
export function recordAxe(info: Pick<TestInfo, 'annotations'>, record: AxeRecord): void {
  info.annotations.push({ type: ANNOTATION, description: JSON.stringify(record) });
}

export default class AxeTable implements Reporter {
  /** The records by the id of their test, so that a retry replaces the first attempt. */
  readonly #records = new Map<string, AxeRecord[]>();

  onTestEnd({ id }: TestCase, { annotations }: TestResult): void {
    const records = annotations.flatMap(({ type, description }) =>
      type === ANNOTATION && description !== undefined ? [recordShape.parse(JSON.parse(description))] : [],
    );
    if (records.length > 0) this.#records.set(id, records);
  }

  onEnd(): void {
    const records = [...this.#records.values()].flat();
    if (records.length === 0) return;
    const sum = (key: 'views' | 'rules' | 'undecided' | 'problems') =>
      records.reduce((total, record) => total + record[key], 0);
    console.log(
      `\naxe: ${records.length} states in ${sum('views')} views, ${sum('rules')} rules checked, ` +
        `${sum('problems')} violations, ${sum('undecided')} undecided`,
    );
  }
}
