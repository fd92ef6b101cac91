/**
 * @file A reporter that prints the fault matrix from what its tests saw and, with `--update-snapshots`, writes the table in
 * docs/fault-matrix.md. A reporter and no test, because a test that fails takes the memory of its process with it.
 */
import { writeFileSync } from 'node:fs';
import type { FullConfig, FullResult, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter';
import { isUpdate, rowLine, rowsOf, TABLE_PATH, tableLine } from './fault-row';

const INTRODUCTION = `# What goes wrong, and what happens then

\`npm run faults\` makes each of these happen to the built page in a real Chromium and writes this table from what it saw; \`npm test\` fails
where anything differs. Each run has two steps: the first is answered, the second meets what goes wrong. No call that was paid for is made again
without a click. A call is made again by itself only before its first word, at most three times, or eleven where it
came too soon, and only where time may cure what is wrong.`;

const HEAD = ['what goes wrong', 'what you read', 'what is kept', 'called by itself', 'called again on your click'];

export default class FaultTable implements Reporter {
  /** By test, so that a second try counts once. */
  readonly #lines = new Map<string, string>();
  #order: readonly string[] = [];
  #writes = false;

  onBegin(config: FullConfig, suite: Suite): void {
    this.#writes = isUpdate(config);
    this.#order = suite.allTests().map(({ id }) => id);
  }

  onTestEnd({ id }: TestCase, { status, annotations }: TestResult): void {
    if (status === 'passed') for (const row of rowsOf(annotations)) this.#lines.set(id, rowLine(row));
  }

  onEnd({ status }: FullResult): void {
    const lines = this.#order.flatMap((id) => this.#lines.get(id) ?? []);
    if (lines.length === 0) return;
    const table = [tableLine(HEAD), tableLine(HEAD.map(() => '---')), ...lines].join('\n');
    console.log(`\n${table}\n\n${lines.length} rows`);
    if (this.#writes && status === 'passed') writeFileSync(TABLE_PATH, `${INTRODUCTION}\n\n${table}\n`);
  }
}
