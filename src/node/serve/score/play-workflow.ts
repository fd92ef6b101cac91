/**
 * @file Carries out a workflow for which a client requests a reward. If all workers of the pool are simulated, the run uses a
 * virtual clock and takes milliseconds. Otherwise the run is like any other: money is reserved and events are stored before calls
 * are sent.
 */
import { setImmediate } from 'node:timers/promises';
import type { Clock, PoolWorker, Run, Verdict, Workflow } from '../../../core/contract';
import { startOf, type NewRun } from '../../../core/runs/new-run';
import { playRun } from '../../../core/runs/play-run';
import { preferredRun } from '../../../core/runs/preferred-run';
import { followingEvent, type OpenedRun } from '../../../core/runs/saved-runs';
import { createSimulatedWorkers } from '../../../core/simulation/client';
import { BY_HAND_INFO } from '../../../core/conductor/by-hand';
import type { Engine } from '../../engine';
import type { FileRunStore } from '../../store/run-files';
import { MOST_STEPS } from './score-request';

export interface PlayedWorkflow {
  readonly run: Run;
  /**
   * If the server stores runs, this method stores the verdict (the grade) with the run. If the server stores no runs, this
   * method deletes the run, unless a later request may continue the run (`isKept`). Rejects if the change can't be stored.
   */
  finish(verdict: Verdict | null, isKept: boolean): Promise<void>;
}

export interface PlayOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  /** The store of runs. `null`: the server does not store runs. */
  readonly runs: FileRunStore | null;
  /** The budget of the whole server, in US dollars. `null`: no budget. */
  readonly usd: number | null;
}

export interface GivenWorkflow {
  /** Id of an earlier failed run of the same workflow. Finished steps of that run are not called again. `null`: no such run. */
  readonly earlier: string | null;
  readonly question: string;
  readonly pool: readonly PoolWorker[];
  readonly seed: number;
  readonly workflow: Workflow;
}

export async function playWorkflow(
  given: GivenWorkflow,
  options: PlayOptions,
  signal: AbortSignal,
): Promise<PlayedWorkflow> {
  const request = requestOf(given, options);
  const isSimulated = given.pool.every(({ kind }) => kind === 'simulated');
  return isSimulated ? playAtOnce(request, options) : playLive(request, given.earlier, options, signal);
}

/** The request for a run of the workflow. No Conductor plans this run. */
export function requestOf(
  { question, pool, seed, workflow }: Omit<GivenWorkflow, 'earlier'>,
  { engine, usd }: Pick<PlayOptions, 'engine' | 'usd'>,
): NewRun {
  const { preferences } = engine.pool;
  const input = { question, pool, maxSteps: MOST_STEPS, seed, conductor: BY_HAND_INFO, plan: workflow };
  const rules = {
    caps: { ...preferences.caps, rounds: 1 },
    dayUsd: usd,
    recursion: false,
    approval: false,
    candidates: 1,
    choice: 'vote',
    seed: null,
  } as const;
  return {
    ...preferredRun(input, { ...preferences, ...rules }, engine.conductorFor),
    id: crypto.randomUUID(),
    planHistory: { history: [] },
  };
}

/** Carries out a run on a virtual clock. This takes milliseconds, so the run can't be stopped. */
async function playAtOnce(request: NewRun, { clock, runs }: PlayOptions): Promise<PlayedWorkflow> {
  const { conductor, id = '' } = request;
  const opened: OpenedRun = await playRun(
    { runId: id, start: startOf(request), conductor, startedAt: clock.now() },
    { workersOn: simulatedOn, settled: () => setImmediate() },
    new AbortController().signal,
  );
  return {
    run: opened.run,
    async finish(verdict) {
      const last = opened.events.at(-1);
      if (!runs || !last) return;
      const graded = verdict ? [followingEvent(last, { type: 'run-graded', by: 'grader', ...verdict }, clock)] : [];
      await runs.addRuns([[...opened.events, ...graded]]);
    },
  };
}

function simulatedOn(clock: Clock) {
  const client = createSimulatedWorkers({ clock });
  return () => client;
}

async function playLive(
  request: NewRun,
  earlier: string | null,
  { engine, runs }: PlayOptions,
  signal: AbortSignal,
): Promise<PlayedWorkflow> {
  signal.throwIfAborted();
  const live = earlier === null ? await engine.runs.start(request) : await engine.runs.resumeAs(earlier, request);
  const stop = () => live.stop();
  signal.addEventListener('abort', stop, { once: true });
  // The signal may have been aborted while the run was started.
  if (signal.aborted) stop();
  try {
    return {
      run: await live.done,
      async finish(verdict, isKept) {
        if (runs && verdict) await engine.runs.grade(live.id, verdict.correct, 'grader', verdict.detail);
        if (!runs && !isKept) await engine.store.delete(live.id);
      },
    };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
