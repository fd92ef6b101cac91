/**
 * @file Prints the fault matrix from the annotations of its tests. With `--update-snapshots`, also writes
 * docs/fault-matrix.md. This is a Playwright reporter because Playwright ends the process of a failed test. Data in that
 * process would be lost.
 */
import { writeFileSync } from 'node:fs';
import type { FullConfig, FullResult, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter';
import { isUpdate, rowLine, rowsOf, TABLE_PATH, tableLine } from './fault-row';

const INTRODUCTION = `# What goes wrong, and what happens then

\`npm run faults\` causes each of these faults in the built page, in a real Chromium, and writes this table from what happens. \`npm run test:all\` fails if something else happens.

Each row is a run with two steps. Unless the row names another moment, the first step gets its answer, and the fault occurs in the second step. *Called automatically* counts the calls of the second step that Podium makes without a click: 4 × is one call and three repetitions.

- A paid call is never repeated without a click.
- Podium repeats a call automatically only if no word of the answer has arrived, and only if the fault may pass with time. It repeats the call at most three times, or eleven times if a rate limit or a busy server refused it.

[Troubleshooting](troubleshooting.md) has the common cases.`;

const HEAD = ['Fault', 'What you read', 'What is kept', 'Called automatically', 'Called after your click'];

export default class FaultTable implements Reporter {
  /** Lines of the table by test id, so that a retried test has only one line. */
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
