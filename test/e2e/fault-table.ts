/**
 * @file A reporter that prints the fault matrix from what its tests saw, and writes it to `test-results/fault-matrix.md`.
 * A reporter and no test, because a test that fails takes the memory of its process with it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { rowsOf, type FaultRow } from './fault-row';

const PATH = 'test-results/fault-matrix.md';
const HEAD = ['fault', 'what you read', 'what is kept', 'called by itself', 'called again on your click'];

export default class FaultTable implements Reporter {
  readonly #rows: FaultRow[] = [];

  onTestEnd(_test: TestCase, { status, annotations }: TestResult): void {
    if (status === 'passed') this.#rows.push(...rowsOf(annotations));
  }

  onEnd(): void {
    if (this.#rows.length === 0) return;
    const rows = this.#rows.map(({ fault, read, kept, called, again }) => [fault, read, kept, called, again]);
    const table = [HEAD, HEAD.map(() => '---'), ...rows].map(lineOf).join('\n');
    mkdirSync(dirname(PATH), { recursive: true });
    writeFileSync(PATH, `${table}\n`);
    console.log(`\n${table}\n\n${rows.length} rows, also in ${PATH}`);
  }
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim()).join(' | ')} |`;
}
