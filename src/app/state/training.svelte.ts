/**
 * @file The state of training: settings, progress, result and policies. This state is kept while the user
 * visits other pages, so that training continues.
 */
import {
  fault,
  FaultError,
  isAbort,
  toFault,
  unlessAborted,
  type Fault,
  type KeptPolicy,
  type PolicyFile,
} from '../../core/contract';
import { TRIAL_SCALE, trialSeed } from '../../core/training/evaluation/gate';
import type { LossName } from '../../core/training/learning/course-options';
import { emptyCurves, withUpdate, withValidated, type Curves } from '../../core/training/learning/curves';
import { FINE_TUNING_SCALE, TRAINING_SCALE, type TrainingReport } from '../../core/training/orders';
import type { OwnLesson } from '../../core/training/learning/own-runs';
import type { PolicyTraining, StorageServices, TrainingServices } from '../services';
import type { Frames } from './redraw';
import type { PreferencesState } from './preferences.svelte';
import { PoliciesState } from './policies.svelte';
import { exportPolicy } from './policy-files';
import { dateInName } from './save-file';

export interface TrainingSettings {
  readonly from: 'in-use' | 'seed';
  readonly seed: number;
  readonly updates: number;
  readonly loss: LossName;
  /** Whether to learn from the user's own graded runs, too. */
  readonly own: boolean;
}

/** The current work. `left`: estimated remaining time in ms, `null` while unknown. */
export type TrainingWork =
  | { readonly kind: 'training'; readonly phase: 'drawing' | 'pretraining' | 'updates'; readonly left: number | null }
  | { readonly kind: 'comparing'; readonly id: string; readonly done: number; readonly of: number };

export interface TrainingOptions {
  readonly frames?: Frames;
  readonly now?: () => number;
  readonly newId?: () => string;
}

export class TrainingState {
  settings: TrainingSettings = $state.raw({ from: 'in-use', seed: 1, updates: 200, loss: 'default', own: false });
  work: TrainingWork | null = $state.raw(null);
  /** The curves of the newest training run, as of the last frame. */
  curves: Curves | null = $state.raw(null);
  /** Id of the policy from the newest training run, until it is used or discarded. */
  candidate: string | null = $state(null);
  /** Why a training run or a comparison failed, or why its result could not be stored. */
  fault: Fault | null = $state.raw(null);
  /** Whether the user stopped the newest training run. */
  wasStopped = $state(false);
  /** Whether the newest training run was completed, but did not improve its starting policy. */
  foundNothing = $state(false);
  readonly policies: PoliciesState;

  readonly #desk: PolicyTraining['desk'];
  readonly #store: StorageServices['store'];
  readonly #preferences: PreferencesState;
  readonly #options: Required<TrainingOptions>;
  #controller: AbortController | null = null;
  /** Id of the policy that is being trained or compared. */
  #about: string | null = null;
  /** The curves, including updates since the last frame. */
  #newest: Curves | null = null;
  #frame: number | null = null;
  #firstUpdateAt = 0;

  constructor(
    { training, store, notices }: { training: PolicyTraining } & Pick<StorageServices, 'store' | 'notices'>,
    preferences: PreferencesState,
    options: TrainingOptions = {},
  ) {
    this.#desk = training.desk;
    this.#store = store;
    this.#preferences = preferences;
    this.policies = new PoliciesState(training, notices, preferences);
    this.#options = {
      frames: window,
      now: () => Date.now(),
      newId: () => crypto.randomUUID(),
      ...options,
    };
  }

  /** The policy from the newest training run, if it is stored. */
  get made(): KeptPolicy | null {
    return this.policies.find(this.candidate);
  }

  change(fields: Partial<TrainingSettings>): void {
    this.settings = { ...this.settings, ...fields };
  }

  /** Trains a policy. If this gives an improved policy, also runs `compare`. Resolves when the work has ended or was stopped. */
  async start(): Promise<void> {
    if (this.work) return;
    const { from, own: learnsFromOwn, ...settings } = this.settings;
    const { now, newId } = this.#options;
    const madeAt = now();
    const id = newId();
    this.candidate = null;
    this.#newest = emptyCurves(settings.updates);
    this.curves = this.#newest;
    this.work = { kind: 'training', phase: 'drawing', left: null };
    await this.#carryOut(id, async (signal) => {
      const start = from === 'in-use' ? await unlessAborted(this.policies.fileInUse(), signal) : null;
      const own = learnsFromOwn ? await this.#ownLessons(signal) : [];
      const revision = `${dateInName(madeAt)}-own-${id.slice(0, 6)}-seed${settings.seed}-${settings.loss}`;
      const scale = start ? FINE_TUNING_SCALE : TRAINING_SCALE;
      const order = { kind: 'train' as const, ...settings, start, own, revision, scale };
      for await (const report of this.#desk.carryOut(order, signal)) {
        this.#receive(report);
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
        const isKept = await this.policies.keep({
          id,
          name,
          madeAt,
          origin,
          heldOut: null,
          checkpoint: report.checkpoint,
        });
        if (!isKept) this.stop();
        this.candidate = isKept ? id : null;
      }
    });
    if (this.candidate === id && !this.fault) return this.compare(id);
    if (this.policies.isDeleted(id)) this.wasStopped = false;
    else this.foundNothing = !this.wasStopped && !this.fault;
  }

  /** Compares a stored policy with the policy in use and with the built-in rules. */
  async compare(id: string): Promise<void> {
    const policy = this.policies.find(id);
    if (this.work || !policy || this.policies.foreign.includes(id)) return;
    const candidate = policy.checkpoint;
    this.work = { kind: 'comparing', id, done: 0, of: TRIAL_SCALE.items };
    await this.#carryOut(id, async (signal) => {
      const inUse = await unlessAborted(this.policies.fileInUse(), signal);
      const order = { kind: 'compare' as const, seed: trialSeed(candidate), candidate, inUse, scale: TRIAL_SCALE };
      for await (const report of this.#desk.carryOut(order, signal)) {
        if (report.type === 'played') this.work = { kind: 'comparing', id, done: report.done, of: report.of };
        if (report.type !== 'compared') continue;
        // The user may have used or deleted the policy during the comparison.
        const now = this.policies.find(id);
        if (now) await this.policies.keep({ ...now, heldOut: report.heldOut });
      }
    });
    this.wasStopped = false;
  }

  /** Stops the current work. The best policy so far is kept. */
  stop(): void {
    this.#controller?.abort();
  }

  /** Uses a policy from the next plan on. `null`: the shipped policy. */
  async use(id: string | null): Promise<void> {
    if (id !== null && id === this.candidate) this.candidate = null;
    await this.#try(() => this.policies.use(id));
  }

  /** Deletes a policy, and stops work on it. */
  async delete(id: string): Promise<void> {
    if (this.#about === id) this.stop();
    if (this.candidate === id) this.candidate = null;
    await this.#try(() => this.policies.delete(id));
  }

  async export(policy: PolicyFile): Promise<void> {
    await this.#try(() => exportPolicy(policy, new AbortController().signal));
  }

  /** Imports a policy from a file. The policy can be used once it has passed a comparison with the policy in use. */
  async import(file: File): Promise<void> {
    const { now, newId } = this.#options;
    await this.#try(() => this.policies.import(file, { id: newId(), madeAt: now() }));
  }

  async #try(work: () => Promise<void>): Promise<void> {
    this.fault = null;
    try {
      await work();
    } catch (thrown) {
      if (!isAbort(thrown)) this.fault = toFault(thrown);
    }
  }

  /** The user's graded runs that a policy can learn from. Throws a `FaultError` if there are none. */
  async #ownLessons(signal: AbortSignal): Promise<OwnLesson[]> {
    const { readOwnLessons } = await unlessAborted(import('../../core/training/learning/own-runs'), signal);
    const lessons = await unlessAborted(
      readOwnLessons(this.#store, signal, this.#preferences.current.importedGrades),
      signal,
    );
    if (lessons.length > 0) return lessons;
    const message =
      'None of your saved runs can be used for training yet. Training needs runs of one round that are graded correct and whose plan the policy could also write. Grade some runs on Runs, or turn this option off.';
    throw new FaultError(fault('nothing-to-grade', message));
  }

  async #carryOut(id: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    this.#controller = controller;
    this.#about = id;
    this.fault = null;
    this.wasStopped = false;
    this.foundNothing = false;
    try {
      await work(controller.signal);
    } catch (thrown) {
      if (controller.signal.aborted || isAbort(thrown)) this.wasStopped = true;
      else this.fault = toFault(thrown);
    } finally {
      this.#show();
      this.work = null;
      this.#controller = null;
      this.#about = null;
    }
  }

  #receive(report: TrainingReport): void {
    if (!this.#newest) return;
    switch (report.type) {
      case 'began':
        this.work = { kind: 'training', phase: report.phase, left: null };
        return;
      case 'updated':
        if (this.#newest.update === 0) this.#firstUpdateAt = this.#options.frames.performance.now();
        this.#newest = withUpdate(this.#newest, report.figures);
        return this.#requestFrame();
      case 'validated':
        this.#newest = withValidated(this.#newest, report);
        return this.#requestFrame();
      case 'improved':
      case 'played':
      case 'compared':
        return;
      default:
        report satisfies never;
    }
  }

  /** Shows the curves in the next frame, because updates may arrive faster than the screen can show them. */
  #requestFrame(): void {
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

/** Loads the training services and reads the stored policies. */
export async function openTraining(
  services: TrainingServices & Pick<StorageServices, 'store' | 'notices'>,
  preferences: PreferencesState,
): Promise<TrainingState> {
  const { store, notices } = services;
  const state = new TrainingState({ training: await services.training(), store, notices }, preferences);
  await state.policies.load();
  return state;
}
