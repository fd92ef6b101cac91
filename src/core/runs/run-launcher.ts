/** @file Starts the execution of a run while its lock is held, and adds the run to the live runs of this tab. */
import { fault, FaultError, traitsOf, type Conductor } from '../contract';
import type { ExecuteRequest } from '../executor/request';
import type { PlanHistory } from './history';
import { LiveSession, type LiveRun } from './live-run';
import type { LiveSessions } from './live-sessions';
import { asFaultError } from './run-faults';
import { RunJournal } from './run-journal';
import type { RunsDependencies } from './runs';
import { acquireRunLock, type OpenedRun } from './saved-runs';

/** A new run or a fork to start. */
export interface NewLaunch extends Omit<ExecuteRequest, 'runId' | keyof PlanHistory> {
  /** Default: a new id. */
  readonly id?: string;
  readonly conductor: Conductor;
  /** Default: read when the run starts. */
  readonly planHistory?: PlanHistory;
}

/** A run to launch. The caller must hold its lock. */
export interface Launch {
  readonly request: ExecuteRequest;
  readonly conductor: Conductor;
  /** The stored part of a run that is resumed. `null`: a new run or a fork. */
  readonly prior: OpenedRun | null;
  /** Releases the run's lock. */
  readonly release: () => void;
}

export interface RunLauncherOptions {
  readonly sessions: LiveSessions;
  /** Reads the earlier runs that Conductors use for planning. */
  readonly historyFor: (question: string) => Promise<PlanHistory>;
  /** Called with errors that do not stop the run. */
  readonly report: (thrown: unknown) => void;
}

export class RunLauncher {
  readonly #dependencies: RunsDependencies;
  readonly #options: RunLauncherOptions;

  constructor(dependencies: RunsDependencies, options: RunLauncherOptions) {
    this.#dependencies = dependencies;
    this.#options = options;
  }

  /**
   * Acquires a run's lock. Throws a `FaultError` (`run-busy`) if the run is in use elsewhere.
   * @returns a function that releases the lock
   */
  lock(runId: string): Promise<() => void> {
    return acquireRunLock(this.#dependencies.locks, this.#dependencies.clock, runId);
  }

  /** Starts a new run or a fork. */
  async startNew({ id, conductor, planHistory, ...rest }: NewLaunch): Promise<LiveRun> {
    const runId = id ?? this.#dependencies.newId();
    const release = await this.lock(runId);
    try {
      if (id !== undefined && (await this.#dependencies.store.summary(id))) throw new FaultError(EXISTS);
      const request = { runId, ...rest, ...(planHistory ?? (await this.historyFor(rest.start.question.text))) };
      return await this.launch({ request, conductor, prior: null, release });
    } catch (thrown) {
      release();
      throw asFaultError(thrown);
    }
  }

  /** Starts or resumes a run and waits for its first event. Rejects with a `FaultError` if the run ends without an event. */
  async launch({ request, conductor, prior, release }: Launch): Promise<LiveRun> {
    const { store, clock, workers, spending, digest, execute, notices } = this.#dependencies;
    const { sessions, report } = this.#options;
    const given = { ...(digest ? { digest } : {}), ...(spending ? { spending } : {}) };
    const { runId } = request;
    const journal = new RunJournal(store, prior?.run.lastSeq ?? -1, (event) => {
      if (traitsOf(event).summary === 'notify') notices.notify(runId);
    });
    const session: LiveSession = new LiveSession({
      id: runId,
      prior,
      journal,
      clock,
      release,
      settle: () => this.abandonHolds(runId),
      execute: (signal, user) => execute(request, { conductor, workers, journal, clock, ...user, ...given }, signal),
      changed: () => sessions.review(session),
      report,
    });
    await session.begun;
    sessions.add(session);
    return session;
  }

  /** The earlier runs that Conductors use for planning. Empty if they cannot be read. */
  async historyFor(question: string): Promise<Partial<PlanHistory>> {
    try {
      return await this.#options.historyFor(question);
    } catch (thrown) {
      this.#options.report(thrown);
      return {};
    }
  }

  /**
   * If money is still reserved for a run, records it as spent. Must not be called while a call of the run is in
   * progress.
   * @returns whether this could be stored
   */
  async abandonHolds(runId: string): Promise<boolean> {
    try {
      await this.#dependencies.spending?.abandon(runId);
      return true;
    } catch {
      // The run itself reports the storage error. The money is recorded later, when runs are recovered.
      return false;
    }
  }
}

const EXISTS = fault('run-busy', 'This run was already started. Try again in a moment.', {
  retryable: true,
});
