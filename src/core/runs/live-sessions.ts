/**
 * @file The live runs of this tab: running runs, and ended runs that are not saved. Also keeps saved runs that have
 * listeners, so that the listeners receive later grades.
 */
import { fault, isOver } from '../contract';
import { refuse } from './run-faults';
import type { LiveSession } from './live-run';

export class LiveSessions {
  readonly #sessions = new Map<string, LiveSession>();

  get ids(): readonly string[] {
    return [...this.#sessions.keys()];
  }

  get(runId: string): LiveSession | undefined {
    return this.#sessions.get(runId);
  }

  /** The session of a run that is running here, or that has ended and is not saved. `null`: there is none. */
  live(runId: string): LiveSession | null {
    const session = this.#sessions.get(runId);
    return session && session.state !== 'saved' ? session : null;
  }

  all(): readonly LiveSession[] {
    return [...this.#sessions.values()].filter((session) => session.state !== 'saved');
  }

  add(session: LiveSession): void {
    this.#sessions.set(session.id, session);
    this.review(session);
  }

  /** Keeps a session while its run is live here or has listeners, and drops the session after that. */
  review(session: LiveSession): void {
    const kept = this.#sessions.get(session.id);
    const needed = session.state !== 'saved' || session.isWatched;
    if (needed && !kept) this.#sessions.set(session.id, session);
    if (!needed && kept === session) this.#sessions.delete(session.id);
  }

  /**
   * The session of a run that has ended. `undefined`: this tab has no session of the run.
   * @param busy the message of the `FaultError` that is thrown if the run is still running
   */
  async ended(runId: string, busy: string): Promise<LiveSession | undefined> {
    const session = this.#sessions.get(runId);
    if (!session) return undefined;
    if (!isOver(session.run.status)) refuse(fault('run-busy', busy));
    await session.done;
    return session;
  }

  /** Like `ended`, but also saves the run, which releases its lock. Throws a `FaultError` if the run can't be saved. */
  async leave(runId: string, busy: string): Promise<void> {
    const session = await this.ended(runId, busy);
    if (session && !(await session.save())) refuse(session.notice);
  }

  /** Called when a run is deleted. */
  drop(runId: string): void {
    this.#sessions.get(runId)?.abandon();
    this.#sessions.delete(runId);
  }

  dropAll(): void {
    for (const session of this.#sessions.values()) session.abandon();
    this.#sessions.clear();
  }

  /** Tries again to save the runs that could not be saved. Called after a deletion, which may have freed space. */
  async saveAll(): Promise<void> {
    const unsaved = [...this.#sessions.values()].filter(({ state }) => state === 'unsaved');
    await Promise.all(unsaved.map((each) => each.save()));
  }
}
