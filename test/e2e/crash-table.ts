/**
 * @file A Playwright reporter for the crash tests. Prints how many runs survived their crashes, and the random seed. Also counts
 * crashes by the kind of their moment and by the type of the last stored event.
 */
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { crashesRecorded, type CrashRecord } from './crash-record';
import { CRASH_SEED } from './crash-room';

export default class CrashTable implements Reporter {
  readonly #crashes: CrashRecord[] = [];
  #runs = 0;
  #passed = 0;

  onTestEnd(_test: TestCase, { status, annotations }: TestResult): void {
    const crashes = crashesRecorded(annotations);
    if (crashes.length === 0) return;
    this.#crashes.push(...crashes);
    this.#runs += 1;
    if (status === 'passed') this.#passed += 1;
  }

  onEnd(): void {
    if (this.#runs === 0) return;
    const count = (values: readonly string[]) =>
      [...new Set(values)].map((value) => `${value} ${values.filter((each) => each === value).length}`).join(', ');
    console.log(
      [
        `\n${this.#passed} of ${this.#runs} runs survived ${this.#crashes.length} crashes, CRASH_SEED=${CRASH_SEED}`,
        `crashes by kind of moment: ${count(this.#crashes.map(({ when }) => when))}`,
        `last event on disk: ${count(this.#crashes.map(({ last }) => last || 'none'))}`,
      ].join('\n'),
    );
  }
}
