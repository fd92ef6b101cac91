/**
 * @file Starts, resumes, forks, grades and annotates runs. Also recovers runs whose page closed or crashed. A tab holds the lock
 * of its run from before the first event until the whole run is saved. So no other tab marks the run as interrupted or writes
 * to it.
 */
import {
  type Annotation,
  type AnswerComparison,
  type CheckTrust,
  fault,
  type Fault,
  type Grader,
  type GradedRun,
  type GradedWith,
  loadOnce,
  type PairBody,
  type RaisedCaps,
  type Run,
  type RunSettings,
  type Workflow,
} from '../contract';
import type { Annotations } from './annotations';
import type { CurrentSetup } from './continuation';
import type { ForkPoint } from './fork';
import type { ForkProposal } from './fork-outline';
import { PLAN_PATIENCE, RunHistory, type PlanHistory } from './history';
import type { LiveRun } from './live-run';
import { LiveSessions } from './live-sessions';
import { ceilingOf, checkNewRun, startOf, type Ceiling, type NewRun } from './new-run';
import { RunRecovery } from './recovery';
import { asFaultError, refuse } from './run-faults';
import { RunLauncher } from './run-launcher';
import type { Runs, RunsDependencies } from './runs';
import { readRun, requireRun, type OpenedRun } from './saved-runs';

export function createRuns(dependencies: RunsDependencies): Runs {
  return new RunKeeper(dependencies);
}

function checkResume({ status }: Run): Fault | null {
  if (status !== 'finished') return null;
  return fault('nothing-to-resume', 'This run already has its answer.');
}

/** Lazy-loaded, because most visits continue and delete no runs. */
const loadContinuation = loadOnce(async () => {
  const [{ Agreements, checkUnchanged }, continuation] = await Promise.all([
    import('./agreement'),
    import('./continuation'),
  ]);
  return { Agreements, checkUnchanged, ...continuation };
}, 'the part that continues runs');
const loadDeletion = loadOnce(() => import('./deletion'), 'the part that deletes runs');

/** Lazy-loaded, because most users don't fork a run during a visit. */
const loadFork = loadOnce(() => import('./fork'), 'the part that forks runs');
const loadForkOutline = loadOnce(() => import('./fork-outline'), 'the description of forks');

/** Lazy-loaded, because it is needed only once a run starts. */
const loadTrust = loadOnce(() => import('./check-trust'), 'what is known of your checks');

/** The workflow of the round in which a fork begins. Empty if the Conductor plans this round again. */
function plannedOf(run: Run, { round, workflow, replan }: ForkPoint): Workflow {
  return (replan ? { steps: [] } : workflow) ?? run.rounds[round]?.plan?.workflow ?? { steps: [] };
}

class RunKeeper implements Runs {
  readonly #dependencies: RunsDependencies;
  readonly #sessions = new LiveSessions();
  readonly #history: RunHistory;
  readonly #recovery: RunRecovery;
  readonly #launcher: RunLauncher;
  /** Lazy-loaded, because a run is graded or annotated only after its end. */
  readonly #annotations: () => Promise<Annotations>;
  readonly #listeners = new Set<(runId: string) => void>();

  constructor(dependencies: RunsDependencies) {
    const report = (thrown: unknown) => dependencies.report?.(thrown);
    const sessions = this.#sessions;
    const history = new RunHistory(dependencies.store, dependencies.clock, {
      embedder: dependencies.embedder,
      countsImported: dependencies.countsImportedGrades ?? (() => false),
    });
    const recovery = new RunRecovery({
      ...dependencies,
      isLive: (runId) => this.live(runId) !== null,
      marked: (runId) => {
        for (const listener of [...this.#listeners]) listener(runId);
      },
      report,
    });
    const launcher = new RunLauncher(dependencies, {
      sessions,
      historyFor: (question) => this.historyFor(question, new AbortController().signal),
      report,
    });
    this.#dependencies = dependencies;
    this.#history = history;
    this.#recovery = recovery;
    this.#launcher = launcher;
    this.#annotations = loadOnce(async () => {
      const { Annotations } = await import('./annotations');
      return new Annotations({ ...dependencies, sessions, launcher, recovery, history });
    }, 'grades and notes');
    dependencies.notices.listen((runId) => {
      history.mark(runId);
      void recovery.notice(runId);
    });
    dependencies.notices.listenAll(() => {
      history.reset();
      dependencies.embedder?.forget();
    });
  }

  check(request: NewRun): Fault | null {
    return checkNewRun(request, this.#dependencies.workers);
  }

  ceiling(request: NewRun, planned?: Workflow): Ceiling {
    return ceilingOf(request, planned);
  }

  async start(request: NewRun): Promise<LiveRun> {
    refuse(this.check(request));
    const settings = startOf(request, request.seed ?? this.#dependencies.newSeed());
    const trust = await this.#trustIn(request, settings);
    return this.#launcher.startNew({
      conductor: request.conductor,
      start: { ...settings, ...(trust ? { trust } : {}), ...(request.batch ? { batch: request.batch } : {}) },
      ...(request.id === undefined ? {} : { id: request.id }),
      ...(request.planHistory ? { planHistory: request.planHistory } : {}),
    });
  }

  /** How far a new run trusts its checks. `undefined`: nothing is known of them, so each check settles. */
  async #trustIn({ trustRules, planHistory }: NewRun, settings: RunSettings): Promise<CheckTrust | undefined> {
    if (!trustRules || !settings.skipSettled) return undefined;
    const history = planHistory?.history ?? (await this.#gradedRuns());
    // A run starts even if the measurements can't be read.
    const measured = await this.#dependencies.measuredChecks?.(settings.pool).catch(() => []);
    // Without the code, for example with the network off, nothing is known.
    return (await loadTrust().catch(() => null))?.trustIn(settings, history, trustRules, measured);
  }

  /** The graded runs, without embeddings, because only the plan needs those. Empty if they cannot be read. */
  async #gradedRuns(): Promise<readonly GradedRun[]> {
    try {
      return await this.#history.runs();
    } catch (thrown) {
      this.#dependencies.report?.(thrown);
      return [];
    }
  }

  async resume(runId: string, raised?: RaisedCaps): Promise<LiveRun> {
    await this.#sessions.leave(runId, 'This run is already running.');
    const { Agreements, calledOnResume, checkUnchanged, continuedStart, resumedCaps } = await loadContinuation();
    const agreements = new Agreements(this.#dependencies);
    const before = (await requireRun(this.#dependencies.store, runId)).run;
    refuse(checkResume(before));
    const agreed = await agreements.ask(before, calledOnResume(before));
    const release = await this.#launcher.lock(runId);
    try {
      const prior = await this.#resumable(runId);
      const { run } = prior;
      const now = await agreements.consider(run, calledOnResume(run));
      // Another tab may have changed the run before this tab acquired the lock.
      checkUnchanged(agreed, now);
      const { conductor, setup } = now;
      const caps = resumedCaps(setup.caps, run.raised, raised ?? {});
      const start = continuedStart(run, { ...setup, caps }, conductor.info);
      const planHistory = await this.#launcher.historyFor(run.question.text);
      const resumed = { kind: 'resume', run, ...(raised ? { raised } : {}) } as const;
      const request = { runId, start, prior: resumed, ...planHistory };
      return await this.#launcher.launch({ request, conductor, prior, release });
    } catch (thrown) {
      release();
      throw asFaultError(thrown);
    }
  }

  async resumeAs(runId: string, request: NewRun): Promise<LiveRun> {
    await this.#sessions.leave(runId, 'This run is already running.');
    refuse(this.check(request));
    const release = await this.#launcher.lock(runId);
    try {
      const prior = await this.#resumable(runId);
      const { batch } = request;
      const start = { ...startOf(request, prior.run.seed), ...(batch ? { batch } : {}) };
      const planHistory = request.planHistory ?? (await this.#launcher.historyFor(request.question));
      const resumed = { runId, start, prior: { kind: 'resume', run: prior.run }, ...planHistory } as const;
      return await this.#launcher.launch({ request: resumed, conductor: request.conductor, prior, release });
    } catch (thrown) {
      release();
      throw asFaultError(thrown);
    }
  }

  async fork(runId: string, point: ForkPoint): Promise<LiveRun> {
    const { workers: directory, newSeed, current } = this.#dependencies;
    const [{ Agreements, calledOnFork, conductorOf, forkedStart, withJoining }, { checkFork, forkOf }] =
      await Promise.all([loadContinuation(), loadFork()]);
    const run = withJoining((await this.#require(runId)).run, point.joining ?? [], await current());
    const planned = plannedOf(run, point);
    const called = calledOnFork(run, point, planned);
    const startFor = (setup: CurrentSetup) => {
      const { info } = conductorOf(run, called, this.#dependencies);
      const start = forkedStart(run, { round: point.round, planned }, setup, info);
      refuse(checkFork(run, point, start, { directory, dayUsd: setup.dayUsd }));
      return start;
    };
    startFor(await current());
    const { conductor, setup } = await new Agreements(this.#dependencies).ask(run, called);
    return this.#launcher.startNew({ ...forkOf(run, point, startFor(setup), newSeed), conductor });
  }

  async outlineFork(runId: string, point: ForkPoint): Promise<ForkProposal> {
    const { workers: directory, current } = this.#dependencies;
    const [{ calledOnFork, checkContinuation, conductorOf, forkedStart, withJoining }, { checkFork }, { outlineFork }] =
      await Promise.all([loadContinuation(), loadFork(), loadForkOutline()]);
    const setup = await current();
    const run = withJoining((await this.#require(runId)).run, point.joining ?? [], setup);
    const planned = plannedOf(run, point);
    const called = calledOnFork(run, point, planned);
    const { info } = conductorOf(run, called, this.#dependencies);
    const start = forkedStart(run, { round: point.round, planned }, setup, info);
    const refusal =
      checkFork(run, point, start, { directory, dayUsd: setup.dayUsd }) ?? checkContinuation(run, setup, info, called);
    return { ...outlineFork(run, point, start), refusal };
  }

  live(runId: string): LiveRun | null {
    return this.#sessions.live(runId);
  }

  liveRuns(): readonly LiveRun[] {
    return this.#sessions.all();
  }

  async open(runId: string): Promise<OpenedRun | null> {
    return this.#sessions.live(runId)?.opened ?? readRun(this.#dependencies.store, runId);
  }

  async grade(
    runId: string,
    correct: boolean | null,
    by: 'person' | 'grader' = 'person',
    detail = '',
    more?: GradedWith,
  ): Promise<Run> {
    return (await this.#annotations()).grade(runId, correct, by, detail, more);
  }

  async gradeBy(runId: string, grader: Grader, signal: AbortSignal): Promise<Run> {
    return (await this.#annotations()).gradeBy(await this.#require(runId), grader, signal);
  }

  async label(runId: string, label: string, on: boolean): Promise<Run> {
    return (await this.#annotations()).label(runId, label, on);
  }

  async addComparison(runId: string, comparison: AnswerComparison): Promise<Run> {
    return (await this.#annotations()).addComparison(runId, comparison);
  }

  async addToPair(runId: string, body: PairBody): Promise<Run> {
    return (await this.#annotations()).addToPair(runId, body);
  }

  async annotate(runId: string, change: Partial<Annotation>): Promise<Run> {
    return (await this.#annotations()).annotate(runId, change);
  }

  recover(): Promise<readonly string[]> {
    return this.#recovery.recover();
  }

  listen(listener: (runId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async reloadRuns(): Promise<void> {
    this.#history.reset();
    this.#dependencies.notices.notifyAll();
    // A restored backup may have replaced runs, so the texts of replaced runs must be removed from the search
    // index.
    this.#dependencies.onDeleted?.();
    await this.recover();
  }

  history(): Promise<readonly GradedRun[]> {
    return this.#history.runs();
  }

  historyFor(question: string, signal: AbortSignal, patience: number = PLAN_PATIENCE): Promise<PlanHistory> {
    return this.#history.historyFor(question, signal, patience);
  }

  async delete(runId: string): Promise<void> {
    const { embedder } = this.#dependencies;
    embedder?.forget();
    const options = { ...this.#dependencies, sessions: this.#sessions };
    const { deleteRun } = await loadDeletion();
    await deleteRun(runId, options, () => this.#launcher.abandonHolds(runId));
    this.#history.forget(runId);
    // Clears the embedder's cache again, because a request during the deletion may have cached the run's question.
    embedder?.forget();
    this.#dependencies.notices.notify(runId);
    this.#dependencies.onDeleted?.();
    // The storage may now have room for runs that could not be saved before.
    await this.#sessions.saveAll();
  }

  async deleteAll(): Promise<void> {
    this.#dependencies.embedder?.forget();
    const { deleteAllRuns } = await loadDeletion();
    await deleteAllRuns({ ...this.#dependencies, sessions: this.#sessions });
    await this.#recovery.settleHolds();
    this.#history.reset();
    this.#dependencies.embedder?.forget();
    this.#dependencies.notices.notifyAll();
    this.#dependencies.onDeleted?.();
  }

  /** Rejects with a `FaultError` (`run-missing`) if the run does not exist. */
  async #require(runId: string): Promise<OpenedRun> {
    return (await this.open(runId)) ?? requireRun(this.#dependencies.store, runId);
  }

  /** Reads a run to resume. Marks it as interrupted if it is unfinished. The caller must hold the run's lock. */
  async #resumable(runId: string): Promise<OpenedRun> {
    const opened = await requireRun(this.#dependencies.store, runId);
    refuse(checkResume(opened.run));
    return this.#recovery.interrupt(opened);
  }
}
