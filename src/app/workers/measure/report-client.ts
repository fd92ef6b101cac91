/** @file Computes results of a measurement in a Web Worker, one after another. States that are replaced while it computes are skipped. */
import * as z from 'zod/mini';
import { isAbort, toFault, type Fault } from '../../../core/contract';
import type { MeasurementState } from '../../../core/contract/measurement/measurement-state';
import type { FamilyFacts } from '../../../core/measurement/ability/observation';
import type { Report } from '../../../core/measurement/report/report';
import { startWorker } from '../../../platform/start-worker';
import { failingWith, WorkerLink } from '../../../platform/worker-link';
import type { ReportOrder } from './report-worker';
import program from './report-worker?worker&url';

interface Listener {
  readonly onReport: (report: Report, state: MeasurementState) => void;
  readonly onFault: (fault: Fault) => void;
}

/**
 * The fields of a report are not validated: the Web Worker is a part of this build, and its inputs are validated when they are
 * read from the storage.
 */
const report = z.custom<Report>((value) => typeof value === 'object' && value !== null);

const FAILED = 'Couldn’t compute the result. Check your connection and reload the page.';
const errorOf = failingWith({ notLoaded: FAILED, crashed: FAILED });

export class ReportClient {
  readonly #families: readonly FamilyFacts[];
  readonly #listener: Listener;
  readonly #link = new WorkerLink<ReportOrder, Report>({
    start: () => startWorker(program, 'measurement'),
    read: (data) => report.parse(data),
    errorOf,
    keep: Infinity,
  });
  #isBusy = false;
  /** The newest state that waits. */
  #next: MeasurementState | null = null;

  constructor(families: readonly FamilyFacts[], listener: Listener) {
    this.#families = families;
    this.#listener = listener;
  }

  compute(state: MeasurementState): void {
    this.#next = state;
    if (!this.#isBusy) void this.#computeAll();
  }

  close(): void {
    this.#next = null;
    this.#link.close();
  }

  async #computeAll(): Promise<void> {
    this.#isBusy = true;
    for (let state = this.#next; state; state = this.#next) {
      this.#next = null;
      try {
        const order = { state: withoutTexts(state), families: this.#families };
        this.#listener.onReport(await this.#link.ask(order, new AbortController().signal), state);
      } catch (thrown) {
        if (isAbort(thrown)) continue;
        this.#next = null;
        // The fault of an error in `reportOf` would have a sentence about a run.
        this.#listener.onFault(errorOf({ kind: 'crashed', detail: toFault(thrown).detail ?? '' }).fault);
      }
    }
    this.#isBusy = false;
  }
}

/** The result does not depend on the texts of the answers, which are large. */
function withoutTexts({ items, ...state }: MeasurementState): MeasurementState {
  return { ...state, items: items.map((each) => ({ ...each, answer: each.answer && { ...each.answer, text: '' } })) };
}
