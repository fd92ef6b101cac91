/** @file The state of the page that measures workers: the stored measurements, the shown one, and its result. */
import { picked, toFault, type Fault, type WorkerSetup } from '../../../core/contract';
import type { MeasurementPlan, WorkerFigures } from '../../../core/contract/measurement/measurement';
import type { MeasurementState } from '../../../core/contract/measurement/measurement-state';
import type { LogHead } from '../../../core/contract/storage/event-logs';
import type { Report } from '../../../core/measurement/report/report';
import type { OfferedDataset } from '../../../core/measurement/session/dataset-tasks';
import type { LiveMeasurement } from '../../../core/measurement/session/live';
import type { MeasuringDesk } from '../../services';
import type { WorkersState } from '../../state/workers.svelte';
import { ReportClient } from './report-client';

export class MeasuringState {
  /** All stored measurements, newest first. */
  heads: readonly LogHead[] = $state.raw([]);
  /** The shown measurement. `null`: there is none. */
  shown: MeasurementState | null = $state.raw(null);
  /** The newest result of the shown measurement. `null`: not computed yet. */
  report: Report | null = $state.raw(null);
  /** The imported datasets that can take part. */
  datasets: readonly OfferedDataset[] = $state.raw([]);
  isLoaded = $state(false);
  /** Whether the shown measurement runs in this tab. */
  isLive = $state(false);
  /** Whether a measurement is being started, continued or stopped. */
  isBusy = $state(false);
  fault: Fault | null = $state.raw(null);
  readonly #desk: MeasuringDesk;
  readonly #reports: ReportClient;
  #live: LiveMeasurement | null = null;
  #unsubscribe: () => void = () => undefined;

  constructor(desk: MeasuringDesk) {
    this.#desk = desk;
    this.#reports = new ReportClient(desk.tasks.families, {
      onReport: (report, { id }) => {
        if (id === this.shown?.id) this.report = report;
      },
      onFault: (fault) => (this.fault = fault),
    });
  }

  /** Lists the measurements, and shows the one that runs in this tab, or else the newest. */
  async load(): Promise<void> {
    await this.#try(async () => {
      this.heads = await this.#desk.logs.list();
      const head = this.heads.find(({ id }) => this.#desk.measurer.live(id)) ?? this.heads[0];
      await this.show(head?.id ?? null);
    });
    this.isLoaded = true;
    await this.#try(async () => void (this.datasets = await this.#desk.datasets()));
  }

  async show(id: string | null): Promise<void> {
    const live = id === null ? null : this.#desk.measurer.live(id);
    if (live) return this.#follow(live);
    await this.#try(async () => this.#set(id === null ? null : await this.#desk.measurer.read(id)));
  }

  async start(plan: MeasurementPlan): Promise<void> {
    await this.#begin(() => this.#desk.measurer.start(plan));
    if (!this.fault) await this.#try(async () => void (this.heads = await this.#desk.logs.list()));
  }

  /** Continues the shown measurement. Repeats no call. */
  async resume(): Promise<void> {
    const { shown } = this;
    if (shown) await this.#begin(() => this.#desk.measurer.resume(shown.id));
  }

  /** Stops the shown measurement. Its answers stay. */
  stop(): void {
    this.isBusy = true;
    this.#live?.stop();
  }

  /** Gives figures to the setups of workers. What the setups had before is stored first, so that this can be undone. */
  async use(figures: readonly WorkerFigures[], workers: WorkersState): Promise<void> {
    const { shown } = this;
    if (!shown) return;
    const known = shown.before ?? [];
    const changes = figures.flatMap((own) => {
      const setup = workers.setups.find(({ id }) => id === own.id);
      return setup && !setup.unconfirmed ? [{ setup, own }] : [];
    });
    const added = changes.filter(({ setup }) => known.every(({ id }) => id !== setup.id));
    const before = [...known, ...added.map(({ setup }) => picked(setup, ['id', 'domains', 'strengths']))];
    await this.#try(async () => {
      this.shown = await this.#desk.measurer.record(shown.id, { type: 'used', before });
      for (const { setup, own } of changes) {
        await workers.save({
          ...setup,
          ...(own.domains ? { domains: { ...setup.domains, ...own.domains } } : {}),
          ...(own.strengths ? { strengths: { ...setup.strengths, ...own.strengths } } : {}),
        });
      }
    });
  }

  /** Gives the setups of workers what they had before `use`. */
  async undo(workers: WorkersState): Promise<void> {
    const { shown } = this;
    if (!shown?.before) return;
    const { before, id } = shown;
    await this.#try(async () => {
      for (const figures of before) {
        const setup = workers.setups.find((each) => each.id === figures.id);
        if (!setup) continue;
        const { domains: _domains, strengths: _strengths, ...others } = setup;
        const restored: WorkerSetup = { ...others, ...picked(figures, ['domains', 'strengths']) };
        await workers.save(restored);
      }
      this.shown = await this.#desk.measurer.record(id, { type: 'undone' });
    });
  }

  /** Deletes the shown measurement, and shows the newest of the others. */
  async remove(): Promise<void> {
    const { shown } = this;
    if (!shown) return;
    await this.#try(() => this.#desk.logs.remove(shown.id));
    await this.load();
  }

  close(): void {
    this.#unsubscribe();
    this.#reports.close();
  }

  async #begin(open: () => Promise<LiveMeasurement>): Promise<void> {
    this.isBusy = true;
    await this.#try(async () => this.#follow(await open()));
    this.isBusy = false;
  }

  #follow(live: LiveMeasurement): void {
    this.#set(live.state);
    this.#live = live;
    this.isLive = true;
    this.#unsubscribe = live.subscribe((state) => this.#update(state));
    void live.done.then(({ state, fault }) => {
      if (this.#live !== live) return;
      this.#set(state);
      this.fault = fault;
      this.isBusy = false;
    });
  }

  #set(state: MeasurementState | null): void {
    this.#leave();
    if (state?.id !== this.shown?.id) this.report = null;
    this.shown = state;
    if (state) this.#reports.compute(state);
  }

  #update(state: MeasurementState): void {
    const isAnswered = state.at !== this.shown?.at;
    this.shown = state;
    if (isAnswered) this.#reports.compute(state);
  }

  #leave(): void {
    this.#unsubscribe();
    this.#live = null;
    this.isLive = false;
  }

  async #try(action: () => Promise<void>): Promise<void> {
    this.fault = null;
    try {
      await action();
    } catch (thrown) {
      this.fault = toFault(thrown);
    }
  }
}
