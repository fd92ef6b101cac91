/**
 * @file Training as state: what is asked for, how far it is, what came of it, and the policies that are kept. It outlives the
 * page that shows it, so a training goes on while the user is elsewhere in Podium.
 */
import { fault, FaultError, isAbort, toFault, type Fault, type KeptPolicy, type PolicyFile } from '../../core/contract';
import { emptyCurves, withUpdate, withValidated, type Curves } from '../../core/training/curves';
import { mayReplace } from '../../core/training/gate';
import {
  DESK_SCALE,
  TRIAL_SCALE,
  type LOSS_NAMES,
  type TrainingReport,
  type TrainingScale,
  type TrialScale,
} from '../../core/training/orders';
import type { OwnLesson } from '../../core/training/own-runs';
import type { Services, TrainingServices } from '../services';
import type { Frames } from './live-run.svelte';
import type { PreferencesState } from './preferences.svelte';
import { exportPolicy, importPolicy } from './policy-files';
import { dateInName } from './save-file';

export interface TrainingSettings {
  readonly from: 'in-use' | 'seed';
  readonly seed: number;
  readonly updates: number;
  readonly loss: (typeof LOSS_NAMES)[number];
  /** Learn from the user's own graded runs as well. */
  readonly own: boolean;
}

/** What is going on. `left`: about so many ms, `null` while nobody can tell. */
export type TrainingWork =
  | { readonly kind: 'training'; readonly phase: 'drawing' | 'shapes' | 'updates'; readonly left: number | null }
  | { readonly kind: 'comparing'; readonly id: string; readonly done: number; readonly of: number };

export interface TrainingOptions {
  readonly frames?: Frames;
  readonly now?: () => number;
  readonly newId?: () => string;
  /** For tests, which train little. */
  readonly scale?: TrainingScale;
  readonly trial?: TrialScale;
}

export class TrainingState {
  settings: TrainingSettings = $state.raw({ from: 'in-use', seed: 1, updates: 200, loss: 'default', own: false });
  work: TrainingWork | null = $state.raw(null);
  /** Of the newest training, as of the newest frame. */
  curves: Curves | null = $state.raw(null);
  /** Id of what the newest training made, until it is used or discarded. */
  candidate: string | null = $state(null);
  /** Why a training or a comparison ended, or why something could not be kept. */
  fault: Fault | null = $state.raw(null);
  /** The newest training was stopped by the user. */
  wasStopped = $state(false);
  /** The user's own policies, newest first. */
  kept: readonly KeptPolicy[] = $state.raw([]);
  shipped: PolicyFile | null = $state.raw(null);

  readonly #services: TrainingServices;
  readonly #store: Services['store'];
  readonly #preferences: PreferencesState;
  readonly #options: Required<TrainingOptions>;
  #controller: AbortController | null = null;
  /** The curves with what has come since the newest frame. */
  #newest: Curves | null = null;
  #frame: number | null = null;
  #firstUpdateAt = 0;

  constructor(
    { training, store }: { training: TrainingServices; store: Services['store'] },
    preferences: PreferencesState,
    options: TrainingOptions = {},
  ) {
    this.#services = training;
    this.#store = store;
    this.#preferences = preferences;
    this.#options = {
      frames: window,
      now: () => Date.now(),
      newId: () => crypto.randomUUID(),
      scale: DESK_SCALE,
      trial: TRIAL_SCALE,
      ...options,
    };
  }

  /** The user's own policy that is in use; `null`: the one that comes with Podium. */
  get inUse(): KeptPolicy | null {
    const id = this.#preferences.current.policy;
    return this.kept.find((policy) => policy.id === id) ?? null;
  }

  /** What the newest training made, as far as it is kept. */
  get made(): KeptPolicy | null {
    return this.kept.find(({ id }) => id === this.candidate) ?? null;
  }

  async load(): Promise<void> {
    const [kept, shipped] = await Promise.all([this.#services.kept.list(), this.#services.shipped()]);
    this.kept = kept;
    this.shipped = shipped;
  }

  change(fields: Partial<TrainingSettings>): void {
    this.settings = { ...this.settings, ...fields };
  }

  /** Trains, then compares what came of it. Resolves when both have ended, or were stopped. */
  async start(): Promise<void> {
    if (this.work) return;
    const { from, own: learnsFromOwn, ...settings } = this.settings;
    const { now, newId, scale } = this.#options;
    const madeAt = now();
    const id = newId();
    this.candidate = null;
    this.#newest = emptyCurves(settings.updates);
    this.curves = this.#newest;
    this.work = { kind: 'training', phase: 'drawing', left: null };
    await this.#carryOut(async (signal) => {
      const start = from === 'in-use' ? await this.#fileInUse() : null;
      const own = learnsFromOwn ? await this.#ownLessons(signal) : [];
      const revision = `${dateInName(madeAt)}-own-${id.slice(0, 6)}-seed${settings.seed}-${settings.loss}`;
      const order = { kind: 'train' as const, ...settings, start, own, revision, scale };
      for await (const report of this.#services.desk.carryOut(order, signal)) {
        this.#hear(report);
        if (report.type !== 'improved') continue;
        const origin = {
          kind: 'trained' as const,
          seed: settings.seed,
          loss: settings.loss,
          planned: settings.updates,
          updates: report.update,
          from: start?.revision ?? null,
          runs: own.length,
        };
        const name = `Seed ${settings.seed}, after update ${report.update}`;
        await this.#keep({ id, name, madeAt, origin, heldOut: null, checkpoint: report.checkpoint });
        this.candidate = id;
      }
    });
    if (this.candidate === id && !this.fault) await this.compare(id);
  }

  /** Compares one of the kept policies with the one in use and the heuristic. */
  async compare(id: string): Promise<void> {
    const policy = this.kept.find((each) => each.id === id);
    if (this.work || !policy) return;
    const { trial } = this.#options;
    const seed = policy.origin.kind === 'trained' ? policy.origin.seed : 1;
    this.work = { kind: 'comparing', id, done: 0, of: trial.items };
    await this.#carryOut(async (signal) => {
      const inUse = await this.#fileInUse();
      const order = { kind: 'compare' as const, seed, candidate: policy.checkpoint, inUse, scale: trial };
      for await (const report of this.#services.desk.carryOut(order, signal)) {
        if (report.type === 'played') this.work = { kind: 'comparing', id, done: report.done, of: report.of };
        if (report.type === 'compared') await this.#keep({ ...policy, heldOut: report.heldOut });
      }
    });
    this.wasStopped = false;
  }

  /** Ends what is going on. The best so far stays. */
  stop(): void {
    this.#controller?.abort();
  }

  /** Whether a kept policy may take the place of the one in use. */
  mayUse(policy: KeptPolicy): boolean {
    const inUse = this.inUse?.checkpoint ?? this.shipped;
    return inUse !== null && mayReplace(policy, inUse.revision);
  }

  /** Plans by a kept policy from the next plan on; `null`: by the one that comes with Podium. */
  use(id: string | null): void {
    const policy = this.kept.find((each) => each.id === id);
    if (id !== null && !(policy && this.mayUse(policy))) return;
    this.#preferences.change({ policy: id });
    if (policy && !policy.wasUsed) void this.#try(() => this.#keep({ ...policy, wasUsed: true }));
    if (id === this.candidate) this.candidate = null;
  }

  /** Deletes one for good. Where it is in use, the one that comes with Podium takes its place. */
  async delete(id: string): Promise<void> {
    if (this.#preferences.current.policy === id) this.use(null);
    if (this.candidate === id) this.candidate = null;
    await this.#try(async () => {
      await this.#services.kept.delete(id);
      this.kept = this.kept.filter((policy) => policy.id !== id);
    });
  }

  /** Writes a policy to a file. */
  async export(policy: PolicyFile): Promise<void> {
    await this.#try(() => exportPolicy(policy, new AbortController().signal));
  }

  /** Keeps the policy of a file. It can be used once it has been compared. */
  async import(file: File): Promise<void> {
    const { now, newId } = this.#options;
    await this.#try(async () => {
      const read = (content: unknown) => this.#services.read(content);
      await this.#keep(await importPolicy(file, read, { id: newId(), madeAt: now() }));
    });
  }

  async #try(work: () => Promise<void>): Promise<void> {
    this.fault = null;
    try {
      await work();
    } catch (thrown) {
      if (!isAbort(thrown)) this.fault = toFault(thrown);
    }
  }

  /** Throws a `FaultError` where there is nothing to learn from. */
  async #ownLessons(signal: AbortSignal): Promise<OwnLesson[]> {
    const { readOwnLessons } = await import('../../core/training/own-runs');
    const lessons = await readOwnLessons(this.#store, signal);
    if (lessons.length > 0) return lessons;
    const message =
      'None of your saved runs can be learned from yet. It takes runs of one round that were graded right and whose steps have the usual roles. Grade some on Runs, or switch this off.';
    throw new FaultError(fault('nothing-to-grade', message));
  }

  async #fileInUse(): Promise<PolicyFile> {
    return this.inUse?.checkpoint ?? (this.shipped ??= await this.#services.shipped());
  }

  async #carryOut(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    this.#controller = controller;
    this.fault = null;
    this.wasStopped = false;
    try {
      await work(controller.signal);
    } catch (thrown) {
      if (controller.signal.aborted || isAbort(thrown)) this.wasStopped = true;
      else this.fault = toFault(thrown);
    } finally {
      this.#show();
      this.work = null;
      this.#controller = null;
    }
  }

  async #keep(policy: KeptPolicy): Promise<void> {
    await this.#services.kept.put(policy);
    this.kept = [policy, ...this.kept.filter(({ id }) => id !== policy.id)].toSorted(
      (one, other) => other.madeAt - one.madeAt,
    );
  }

  #hear(report: TrainingReport): void {
    if (!this.#newest) return;
    switch (report.type) {
      case 'began':
        this.work = { kind: 'training', phase: report.phase, left: null };
        return;
      case 'updated':
        if (this.#newest.update === 0) this.#firstUpdateAt = this.#options.frames.performance.now();
        this.#newest = withUpdate(this.#newest, report.figures);
        return this.#askForFrame();
      case 'validated':
        this.#newest = withValidated(this.#newest, report);
        return this.#askForFrame();
      case 'improved':
      case 'played':
      case 'compared':
      case 'finished':
      case 'failed':
        return;
      default:
        report satisfies never;
    }
  }

  /** Updates may come faster than the screen can show them. */
  #askForFrame(): void {
    this.#frame ??= this.#options.frames.requestAnimationFrame(() => this.#show());
  }

  #show(): void {
    if (this.#frame !== null) this.#options.frames.cancelAnimationFrame(this.#frame);
    this.#frame = null;
    this.curves = this.#newest;
    if (this.work?.kind === 'training' && this.#newest && this.#newest.update > 0) {
      this.work = { kind: 'training', phase: 'updates', left: this.#left(this.#newest) };
    }
  }

  #left({ update, planned }: Curves): number | null {
    if (update < 3) return null;
    const each = (this.#options.frames.performance.now() - this.#firstUpdateAt) / (update - 1);
    return each * (planned - update);
  }
}

/** Opens the training of a page. */
export async function openTraining(
  services: Pick<Services, 'training' | 'store'>,
  preferences: PreferencesState,
): Promise<TrainingState> {
  const state = new TrainingState({ training: await services.training(), store: services.store }, preferences);
  await state.load();
  return state;
}
