/**
 * @file The life of runs: starting, resuming and forking them, finding those whose page is gone, and adding what is said
 * about them afterwards. The only caller of `execute`. A run's lock is held from before its first event until all of it is
 * saved, so that no other tab takes it for dead or writes to it.
 */
import {
  traitsOf,
  abortError,
  fault,
  FaultError,
  isAbort,
  loadOnce,
  type Conductor,
  type EventBody,
  type Fault,
  type Grader,
  type Run,
  type GradedRun,
  type Workflow,
} from '../contract';
import type { ExecuteRequest } from '../executor/request';
import { conductorOf } from './conductor-of';
import type { ContinueQuestion, CurrentSetup, StillCalled } from './continuation';
import { deleteAllRuns, deleteRun } from './deletion';
import { asFaultError, refuse } from './run-faults';
import { checkFork, forkOf, type ForkPoint } from './fork';
import { PLAN_PATIENCE, RunHistory, type ToldHistory } from './history';
import { LiveSession, type LiveRun } from './live-run';
import { LiveSessions } from './live-sessions';
import { ceilingOf, checkNewRun, startOf, type Ceiling, type NewRun } from './new-run';
import { RunRecovery } from './recovery';
import { RunJournal } from './run-journal';
import type { Runs, RunsDependencies } from './runs';
import { appendTo, readRun, requireRun, takeRunLock, type OpenedRun } from './saved-runs';

export function createRuns(dependencies: RunsDependencies): Runs {
  return new RunKeeper(dependencies);
}

interface Launch {
  readonly request: ExecuteRequest;
  readonly conductor: Conductor;
  readonly prior: OpenedRun | null;
  readonly release: () => void;
}

/** What the user is asked before a run continues, if anything, who conducts, and the set-up that this follows from. */
interface Agreed {
  readonly setup: CurrentSetup;
  readonly question: ContinueQuestion | null;
  readonly conductor: Conductor;
}

const CHANGED_MEANWHILE = fault('run-busy', 'This run or your workers were changed meanwhile. Try again.', {
  retryable: true,
});

/** Most visits continue no saved run. */
const loadContinuation = loadOnce(() => import('./continuation'), 'the part that continues runs');

function checkResume({ status }: Run): Fault | null {
  if (status !== 'finished') return null;
  return fault('nothing-to-resume', 'This run has its answer already; there is nothing left to do.');
}

class RunKeeper implements Runs {
  readonly #dependencies: RunsDependencies;
  readonly #sessions = new LiveSessions();
  readonly #history: RunHistory;
  readonly #recovery: RunRecovery;
  readonly #listeners = new Set<(runId: string) => void>();

  constructor(dependencies: RunsDependencies) {
    this.#dependencies = dependencies;
    this.#history = new RunHistory(dependencies.store, dependencies.clock, {
      embedder: dependencies.embedder,
      countsImported: dependencies.countsImportedGrades ?? (() => false),
    });
    this.#recovery = new RunRecovery({
      ...dependencies,
      isLive: (runId) => this.live(runId) !== null,
      marked: (runId) => {
        for (const heard of [...this.#listeners]) heard(runId);
      },
      report: (thrown) => this.#report(thrown),
    });
    dependencies.notices.listen((runId) => {
      this.#history.mark(runId);
      void this.#recovery.notice(runId);
    });
    dependencies.notices.listenAll(() => {
      this.#history.reset();
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
    return this.#startNew({
      conductor: request.conductor,
      start: startOf(request, request.seed ?? this.#dependencies.newSeed()),
      ...(request.told ? { told: request.told } : {}),
    });
  }

  async resume(runId: string): Promise<LiveRun> {
    await this.#sessions.leave(runId, 'This run is already at work.');
    const { calledOnResume, continuedStart } = await loadContinuation();
    const before = (await requireRun(this.#dependencies.store, runId)).run;
    refuse(checkResume(before));
    const agreed = await this.#continue(before, calledOnResume(before));
    const release = await this.#lock(runId);
    try {
      const prior = await this.#resumable(runId);
      const { run } = prior;
      const { question, conductor, setup } = await this.#consider(run, calledOnResume(run));
      // Another tab has changed the run while the user was asked.
      if (JSON.stringify(question) !== JSON.stringify(agreed.question)) refuse(CHANGED_MEANWHILE);
      const request: ExecuteRequest = {
        runId,
        start: continuedStart(run, setup, conductor.info),
        prior: { kind: 'resume', run },
        ...(await this.#told(run.question.text)),
      };
      return await this.#launch({ request, conductor, prior, release });
    } catch (thrown) {
      release();
      throw asFaultError(thrown);
    }
  }

  async fork(runId: string, point: ForkPoint): Promise<LiveRun> {
    const { store, workers: directory, newSeed } = this.#dependencies;
    const { calledOnFork, forkedStart } = await loadContinuation();
    const { run } = (await this.open(runId)) ?? (await requireRun(store, runId));
    const planned = point.workflow ?? run.rounds[point.round]?.plan?.workflow ?? { steps: [] };
    const startFor = (setup: CurrentSetup) => {
      const start = forkedStart(run, { round: point.round, planned }, setup, this.#conductorOf(run).info);
      refuse(checkFork(run, point, start, { directory, dayUsd: setup.dayUsd }));
      return start;
    };
    startFor(await this.#dependencies.current());
    const { conductor, setup } = await this.#continue(run, calledOnFork(run, point, planned));
    return this.#startNew({ ...forkOf(run, point, startFor(setup), newSeed), conductor });
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

  grade(runId: string, correct: boolean | null, by: 'person' | 'grader' = 'person', detail = ''): Promise<Run> {
    return this.#add(runId, { type: 'run-graded', correct, by, detail });
  }

  async gradeBy(runId: string, grader: Grader, signal: AbortSignal): Promise<Run> {
    const { run } = (await this.open(runId)) ?? (await requireRun(this.#dependencies.store, runId));
    if (run.answer === null) {
      throw new FaultError(fault('nothing-to-grade', 'This run has no answer to grade. Resume it first.'));
    }
    try {
      const { correct, detail } = await grader.grade({ question: run.question.text }, run.answer, signal);
      return await this.grade(runId, correct, 'grader', detail);
    } catch (thrown) {
      throw isAbort(thrown) ? thrown : asFaultError(thrown);
    }
  }

  label(runId: string, label: string, on: boolean): Promise<Run> {
    return this.#add(runId, { type: 'run-labelled', label, on });
  }

  recover(): Promise<readonly string[]> {
    return this.#recovery.recover();
  }

  listen(heard: (runId: string) => void): () => void {
    this.#listeners.add(heard);
    return () => this.#listeners.delete(heard);
  }

  async takeStock(): Promise<void> {
    this.#history.reset();
    this.#dependencies.notices.tellAll();
    await this.recover();
  }

  history(): Promise<readonly GradedRun[]> {
    return this.#history.runs();
  }

  told(question: string, signal: AbortSignal, patience: number = PLAN_PATIENCE): Promise<ToldHistory> {
    return this.#history.told(question, signal, patience);
  }

  async delete(runId: string): Promise<void> {
    const { embedder } = this.#dependencies;
    embedder?.forget();
    const options = { ...this.#dependencies, sessions: this.#sessions };
    await deleteRun(runId, options, () => this.#abandonHolds(runId));
    this.#history.forget(runId);
    // Once more: what was asked meanwhile knew of the run.
    embedder?.forget();
    this.#dependencies.notices.tell(runId);
    // Perhaps there is room now for a run that could not be saved.
    await this.#sessions.saveAll();
  }

  async deleteAll(): Promise<void> {
    this.#dependencies.embedder?.forget();
    await deleteAllRuns({ ...this.#dependencies, sessions: this.#sessions });
    await this.#recovery.settleHolds();
    this.#history.reset();
    this.#dependencies.embedder?.forget();
    this.#dependencies.notices.tellAll();
  }

  /**
   * Checks that a run may continue with the current set-up, and asks the user where something differs. Throws an `AbortError`
   * if they decline, and a retryable `FaultError` if the set-up changed while they were asked.
   */
  async #continue(run: Run, called: StillCalled): Promise<Agreed> {
    const asked = await this.#consider(run, called);
    if (!asked.question) return asked;
    if (!(await this.#dependencies.confirm?.(asked.question))) throw abortError();
    const now = await this.#consider(run, called);
    if (JSON.stringify(now.question) !== JSON.stringify(asked.question)) refuse(CHANGED_MEANWHILE);
    return now;
  }

  /** What the user would be asked now. Throws a `FaultError` if the run cannot continue with the current set-up. */
  async #consider(run: Run, called: StillCalled): Promise<Agreed> {
    const { checkContinuation, questionFor } = await loadContinuation();
    const setup = await this.#dependencies.current();
    const conductor = this.#conductorOf(run);
    refuse(checkContinuation(run, setup, conductor.info, called));
    return { setup, conductor, question: questionFor(run, setup, conductor.info, called) };
  }

  /** Starts what gets an id of its own: a new run or a fork. */
  async #startNew(
    plan: Omit<ExecuteRequest, 'runId' | keyof ToldHistory> & {
      readonly conductor: Conductor;
      readonly told?: ToldHistory;
    },
  ): Promise<LiveRun> {
    const { conductor, told, ...rest } = plan;
    const runId = this.#dependencies.newId();
    const release = await this.#lock(runId);
    try {
      const request = { runId, ...rest, ...(told ?? (await this.#told(plan.start.question.text))) };
      return await this.#launch({ request, conductor, prior: null, release });
    } catch (thrown) {
      release();
      throw asFaultError(thrown);
    }
  }

  /** Hands a run over to `execute` and waits for its first event. */
  async #launch({ request, conductor, prior, release }: Launch): Promise<LiveRun> {
    const { store, clock, workers, spending, digest, execute } = this.#dependencies;
    const given = { ...(digest ? { digest } : {}), ...(spending ? { spending } : {}) };
    const { runId } = request;
    const journal = new RunJournal(store, prior?.run.lastSeq ?? -1, (event) => {
      if (traitsOf(event).summary === 'notify') this.#dependencies.notices.tell(runId);
    });
    const session: LiveSession = new LiveSession({
      id: runId,
      prior,
      journal,
      clock,
      release,
      settle: () => this.#abandonHolds(runId),
      execute: (signal, person) => execute(request, { conductor, workers, journal, clock, person, ...given }, signal),
      changed: () => this.#sessions.review(session),
      report: (thrown) => this.#report(thrown),
    });
    await session.begun;
    this.#sessions.add(session);
    return session;
  }

  /** Nothing of the run is under way any more: whatever it had set aside and could not settle counts as spent. @returns whether it could be booked */
  async #abandonHolds(runId: string): Promise<boolean> {
    try {
      await this.#dependencies.spending?.abandon(runId);
      return true;
    } catch {
      // What fails storage is told of the run itself; the money is found again when runs are recovered.
      return false;
    }
  }

  #lock(runId: string): Promise<() => void> {
    return takeRunLock(this.#dependencies.locks, this.#dependencies.clock, runId);
  }

  /** What Conductors are told of earlier runs; a run does without if that cannot be read. */
  async #told(question: string): Promise<Partial<ToldHistory>> {
    try {
      return await this.told(question, new AbortController().signal);
    } catch (thrown) {
      this.#report(thrown);
      return {};
    }
  }

  /** Reads a run that may be resumed. Only under its lock. */
  async #resumable(runId: string): Promise<OpenedRun> {
    const opened = await requireRun(this.#dependencies.store, runId);
    refuse(checkResume(opened.run));
    return this.#recovery.interrupt(opened);
  }

  async #add(runId: string, body: EventBody): Promise<Run> {
    const busy = 'This run is still at work. Wait until it has ended.';
    await this.#sessions.leave(runId, busy);
    const release = await this.#lock(runId);
    try {
      const { store, clock, notices } = this.#dependencies;
      const ended = await this.#recovery.interrupt(await requireRun(store, runId));
      const grown = await appendTo(store, ended, body, clock);
      notices.tell(runId);
      this.#history.update(grown.run);
      this.#sessions.get(runId)?.adopt(grown, grown.event);
      return grown.run;
    } catch (thrown) {
      throw asFaultError(thrown);
    } finally {
      release();
    }
  }

  #conductorOf(run: Run): Conductor {
    return conductorOf(run.conductor, this.#dependencies.conductorFor);
  }

  #report(thrown: unknown): void {
    this.#dependencies.report?.(thrown);
  }
}
