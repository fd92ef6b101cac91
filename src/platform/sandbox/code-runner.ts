/**
 * @file Runs code in the sandbox, one run or session after another. Each run or session gets a new room: an isolated frame with
 * Python (see `room.ts`). The next room is opened in advance.
 */
import PQueue from 'p-queue';
import {
  abortError,
  type Clock,
  type CodeFault,
  type CodeOutcome,
  type CodeRequest,
  type CodeRunner,
  type CodeSession,
} from '../../core/contract';
import type { Room } from './room';
import { faultOf, faultySession, RoomSession } from './room-session';

/** Maximum time until a room is ready, ms. A busy machine with two cores can need over a minute to start several runtimes. */
const START_LIMIT = 150_000;

export interface CodeRunnerOptions {
  readonly openRoom: () => Promise<Room>;
  readonly clock: Clock;
}

export function createCodeRunner(options: CodeRunnerOptions): CodeRunner {
  return new RoomRunner(options);
}

class RoomRunner implements CodeRunner {
  readonly #openRoom: () => Promise<Room>;
  readonly #clock: Clock;
  readonly #queue = new PQueue({ concurrency: 1 });
  /** The next room, which may still be opening. */
  #next: Promise<Room> | null = null;

  constructor({ openRoom, clock }: CodeRunnerOptions) {
    this.#openRoom = openRoom;
    this.#clock = clock;
  }

  run(code: string, request: CodeRequest, signal: AbortSignal): Promise<CodeOutcome> {
    return this.#enqueue(true, (session) => session.run(code, request, signal), signal);
  }

  open(signal: AbortSignal): Promise<CodeSession> {
    return new Promise((resolve, reject) => {
      const use = (session: CodeSession) =>
        new Promise<void>((closed) => {
          resolve({ run: (code, request, stop) => session.run(code, request, stop), close: closed });
        });
      this.#enqueue(false, use, signal).catch(reject);
    });
  }

  dispose(): void {
    if (this.#next) closeWhenOpen(this.#next);
    this.#next = null;
  }

  /** Waits until earlier sessions have ended, opens a session, and closes that session after its use. */
  async #enqueue<T>(isSingle: boolean, use: (session: CodeSession) => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await this.#queue.add(() => this.#withSession(isSingle, use, signal), { signal });
    } catch (thrown) {
      throw signal.aborted ? abortError() : thrown;
    }
  }

  async #withSession<T>(isSingle: boolean, use: (session: CodeSession) => Promise<T>, signal: AbortSignal): Promise<T> {
    const room = await this.#readyRoom(signal);
    if ('kind' in room) return use(faultySession(room));
    const session = new RoomSession(room, this.#clock, isSingle);
    try {
      return await use(session);
    } finally {
      session.close();
      this.#prepareRoom().catch(() => undefined);
    }
  }

  /**
   * Returns the room for this run, or a fault if no room could be opened. A room that opens after its run was aborted is used for
   * the next run.
   */
  async #readyRoom(signal: AbortSignal): Promise<Room | CodeFault> {
    const cancelTimer = new AbortController();
    const opening = this.#prepareRoom();
    const late = this.#clock.sleep(START_LIMIT, AbortSignal.any([signal, cancelTimer.signal]));
    try {
      const room = await Promise.race([opening, late]);
      this.#next = null;
      if (room) return room;
      closeWhenOpen(opening);
      return faultOf('could-not-start', 'Couldn’t start Python. It took too long to load. Try again.');
    } catch (thrown) {
      if (signal.aborted) throw abortError();
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      return faultOf('could-not-start', `Couldn’t start Python. Check the connection, then try again. (${reason})`);
    } finally {
      cancelTimer.abort();
    }
  }

  #prepareRoom(): Promise<Room> {
    if (!this.#next) {
      const opening = this.#openRoom();
      this.#next = opening;
      opening.catch(() => {
        // Lets the next run try to open a room again.
        if (this.#next === opening) this.#next = null;
      });
    }
    return this.#next;
  }
}

function closeWhenOpen(opening: Promise<Room>): void {
  opening.then(
    (room) => room.close(),
    () => undefined,
  );
}
