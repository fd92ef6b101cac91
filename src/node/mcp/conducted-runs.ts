/** @file The runs that clients of the MCP server have started. A run goes on after its tool call has ended, until it is forgotten. */
import type { Clock, Run } from '../../core/contract';
import { fault, FaultError, unlessAborted } from '../../core/contract';
import type { LiveRun } from '../../core/runs/live-run';
import type { NewRun } from '../../core/runs/new-run';
import type { Engine } from '../engine';

/** Longest time in ms for which a tool call waits for a run. Clients give up after 60 s. */
export const PATIENCE = 45_000;
/** Time in ms after which a run is stopped that no client has asked for. */
const UNATTENDED = 600_000;
/** Number of ended runs that are kept, so that their results can be read. */
const MOST_ENDED = 200;

export interface ConductedRunsOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  /** Maximum number of runs at once. */
  readonly most: number;
  /** See `PATIENCE`. */
  readonly patience: number;
}

interface Conducted {
  readonly live: LiveRun;
  /** Stops the run once no client has asked for it for a while. */
  timer: NodeJS.Timeout | null;
}

export class ConductedRuns {
  readonly #options: ConductedRunsOptions;
  /** By id, oldest first. */
  readonly #runs = new Map<string, Conducted>();

  constructor(options: ConductedRunsOptions) {
    this.#options = options;
  }

  /** Throws a `FaultError` if the run can't start, or if too many runs are in progress. */
  async start(request: NewRun): Promise<LiveRun> {
    const { engine, most } = this.#options;
    const running = [...this.#runs.values()].filter(({ live }) => live.run.status === 'running').length;
    if (running >= most) {
      const message = `The server is carrying out ${running === 1 ? '1 run' : `${running} runs`}, which is its maximum. Try again later.`;
      throw new FaultError(fault('overloaded', message, { retryable: true }));
    }
    // Runs must not depend on the questions of other clients.
    const live = await engine.runs.start({ ...request, planHistory: { history: [] } });
    this.#runs.set(live.id, { live, timer: null });
    void live.done.then(() => this.#forgetOldest());
    return live;
  }

  /** Throws a `FaultError` if the id is unknown. */
  find(id: string): LiveRun {
    const found = this.#runs.get(id);
    if (found) return found.live;
    throw new FaultError(
      fault('run-missing', `There is no run “${id}”. This server has not started it, or it was long ago.`),
    );
  }

  /**
   * Waits until the run has ended, but not for long.
   * @param signal aborts when the client no longer waits
   * @returns the newest state of the run
   */
  async wait(live: LiveRun, signal: AbortSignal): Promise<Run> {
    const found = this.#runs.get(live.id);
    if (found?.timer) clearTimeout(found.timer);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.#options.patience);
    try {
      await unlessAborted(live.done, AbortSignal.any([signal, late.signal])).catch(() => undefined);
    } finally {
      clearTimeout(timer);
      if (found && live.run.status === 'running') {
        found.timer = setTimeout(() => live.stop(), UNATTENDED);
        found.timer.unref();
      }
    }
    return live.run;
  }

  /** Stops all runs. Resolves when they have ended. */
  async stop(): Promise<void> {
    for (const { live, timer } of this.#runs.values()) {
      if (timer) clearTimeout(timer);
      live.stop();
    }
    await Promise.all([...this.#runs.values()].map(({ live }) => live.done));
  }

  async #forgetOldest(): Promise<void> {
    const ended = [...this.#runs].filter(([, { live }]) => live.run.status !== 'running');
    for (const [id, { timer }] of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) {
      if (timer) clearTimeout(timer);
      this.#runs.delete(id);
      await this.#options.engine.store.delete(id);
    }
  }
}
