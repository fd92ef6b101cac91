/** @file Starts, resumes and observes measurements. A lock prevents two tabs from continuing the same measurement. */
import { fault, FaultError, isLocal, runLock } from '../../contract';
import type { MeasurementBody, MeasurementPlan } from '../../contract/measurement/measurement';
import { applyMeasurement, foldMeasurement, type MeasurementState } from '../../contract/measurement/measurement-state';
import { ledgerId, type LiveMeasurement, type MeasurerParts } from './live';
import { MeasuringRun } from './measuring-run';

export class Measurer {
  readonly #parts: MeasurerParts;
  readonly #live = new Map<string, MeasuringRun>();

  constructor(parts: MeasurerParts) {
    this.#parts = parts;
  }

  /** Stores a new measurement and starts it. Rejects with a `FaultError`. */
  async start(plan: MeasurementPlan): Promise<LiveMeasurement> {
    const id = this.#parts.newId();
    return this.#run(id, async () => {
      await this.#keepPrivate(plan);
      const event = { id, seq: 0, at: this.#parts.clock.now(), type: 'started', plan } as const;
      await this.#parts.store.append(event);
      return applyMeasurement(null, event);
    });
  }

  /** Continues a stopped or interrupted measurement. Repeats no call. Rejects with a `FaultError`. */
  async resume(id: string): Promise<LiveMeasurement> {
    return this.#run(id, async () => {
      const state = await this.read(id);
      if (!state) return null;
      if (state.plan.revision !== this.#parts.tasks.revision) throw new FaultError(OTHER_TASKS);
      await this.#keepPrivate(state.plan);
      const { spending } = this.#parts;
      // The calls that the page was making when it closed may have been charged.
      await spending.abandon(ledgerId(id));
      return this.#append(state, { type: 'resumed' });
    });
  }

  /** The measurement, if it runs in this tab. */
  live(id: string): LiveMeasurement | null {
    return this.#live.get(id) ?? null;
  }

  /** The stored state. `null`: there is no such measurement. */
  async read(id: string): Promise<MeasurementState | null> {
    return foldMeasurement(await this.#parts.store.read(id));
  }

  /** Records that the workers were given the figures, or that this was undone. Rejects with a `FaultError`. */
  async record(id: string, body: Extract<MeasurementBody, { type: 'used' | 'undone' }>): Promise<MeasurementState> {
    const release = await this.#lock(id);
    try {
      const state = await this.read(id);
      const next = state && (await this.#append(state, body));
      if (!next) throw new FaultError(MISSING);
      return next;
    } finally {
      release();
    }
  }

  /** Adds an event to a measurement that doesn't run. */
  async #append(state: MeasurementState, body: MeasurementBody): Promise<MeasurementState | null> {
    const event = { ...body, id: state.id, seq: state.events, at: this.#parts.clock.now() };
    await this.#parts.store.append(event);
    return applyMeasurement(state, event);
  }

  async #run(id: string, open: () => Promise<MeasurementState | null>): Promise<LiveMeasurement> {
    const release = await this.#lock(id);
    try {
      const state = await open();
      if (!state) throw new FaultError(MISSING);
      const run = new MeasuringRun(state, this.#parts, () => {
        this.#live.delete(id);
        release();
      });
      this.#live.set(id, run);
      return run;
    } catch (thrown) {
      release();
      throw thrown;
    }
  }

  /** Rejects with a `FaultError` (`run-busy`) while another tab measures. */
  async #lock(id: string): Promise<() => void> {
    const release = await this.#parts.locks.acquire(runLock(ledgerId(id)));
    if (release) return release;
    throw new FaultError(
      fault('run-busy', 'This measurement runs in another tab. Stop it there first.', { retryable: true }),
    );
  }

  async #keepPrivate({ workers }: MeasurementPlan): Promise<void> {
    const outside = workers.find(({ worker }) => !isLocal(worker));
    if (!outside || !(await this.#parts.isPrivate())) return;
    const message = `Private is on, and ${outside.worker.name} runs on a server. Turn Private off to measure it.`;
    throw new FaultError(fault('no-workers', message));
  }
}

const MISSING = fault('run-missing', 'This measurement no longer exists. It may have been deleted in another tab.');
const OTHER_TASKS = fault(
  'run-missing',
  'This measurement was made with tasks of another version of Podium, so it can’t be continued. Start a new one.',
);
