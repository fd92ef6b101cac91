/** @file Computes results of a measurement in a Web Worker, one after another. States that are replaced while it computes are skipped. */
import { fault, type Fault } from '../../../core/contract';
import type { MeasurementState } from '../../../core/contract/measurement/measurement-state';
import type { FamilyFacts } from '../../../core/measurement/ability/observation';
import type { Report } from '../../../core/measurement/report/report';
import { startWorker } from '../../../platform/start-worker';
import type { ReportRequest } from './report-messages';
import program from './report-worker?worker&url';

interface Listener {
  readonly onReport: (report: Report, state: MeasurementState) => void;
  readonly onFault: (fault: Fault) => void;
}

const FAILED = fault('internal', 'Couldn’t compute the result. Check your connection and reload the page.', {
  retryable: true,
});

export class ReportClient {
  readonly #families: readonly FamilyFacts[];
  readonly #listener: Listener;
  #worker: Worker | null = null;
  /** The state that is computed now, and the newest one that waits. */
  #current: MeasurementState | null = null;
  #next: MeasurementState | null = null;

  constructor(families: readonly FamilyFacts[], listener: Listener) {
    this.#families = families;
    this.#listener = listener;
  }

  compute(state: MeasurementState): void {
    if (this.#current) {
      this.#next = state;
      return;
    }
    this.#current = state;
    this.#worker ??= this.#open();
    const request: ReportRequest = { state: withoutTexts(state), families: this.#families };
    this.#worker.postMessage(request);
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#current = null;
    this.#next = null;
  }

  #open(): Worker {
    const worker = startWorker(program, 'measurement');
    worker.addEventListener('message', ({ data }: MessageEvent<Report>) => {
      const [done, next] = [this.#current, this.#next];
      this.#current = null;
      this.#next = null;
      if (done) this.#listener.onReport(data, done);
      if (next) this.compute(next);
    });
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.close();
      this.#listener.onFault(FAILED);
    });
    return worker;
  }
}

/** The result does not depend on the texts of the answers, which are large. */
function withoutTexts({ items, ...state }: MeasurementState): MeasurementState {
  return { ...state, items: items.map((each) => ({ ...each, answer: each.answer && { ...each.answer, text: '' } })) };
}
