/** @file Answers a question of a client with a run of the Conductor and its pool. */
import {
  applyEvent,
  fault,
  FaultError,
  isKnownEvent,
  type Clock,
  type Effort,
  type Run,
  type RunEvent,
  type Sampling,
  type StoredEvent,
} from '../../../core/contract';
import type { LiveRun, Runs } from '../../../core/runs';
import type { Engine } from '../../engine';
import { ApiError, errorOfFault } from '../http/api-error';
import type { Exchange } from '../http/server';
import type { ServedModel } from './served-models';

/** What a client asks, whatever the format of its request. */
export interface AnswerRequest {
  readonly model: ServedModel;
  readonly question: string;
  /** `null`: the effort of the model or of the pool file. */
  readonly effort: Effort | null;
  /** Seed of the run. It overrides the seed of the pool file. `null`: uses the seed of the pool file, or else a random seed. */
  readonly seed: number | null;
  /** The sampling parameters that the client sets for the workers. */
  readonly sampling: Partial<Sampling>;
}

export interface AnswerOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  /** The budget of the whole server, in US dollars. `null`: no budget. */
  readonly usd: number | null;
  /** Called with the id of each run that has ended. The response waits for the returned promise. */
  readonly ended: (runId: string) => Promise<void>;
}

/** Seconds after which a client may try again when the server is full. */
const FULL_PAUSE = 2;

/** Limits how many requests are answered at once. */
export class Places {
  readonly #most: number;
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Throws an `ApiError` (429) if all places are taken. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken >= this.#most) {
      const message = `The server is answering ${this.#taken === 1 ? '1 request' : `${this.#taken} requests`}, which is its maximum. Try again later.`;
      throw new ApiError(429, message, { code: 'server_full', retryAfter: FULL_PAUSE });
    }
    this.#taken += 1;
    try {
      return await work();
    } finally {
      this.#taken -= 1;
    }
  }
}

/**
 * Carries out the run, and stops it if the client disconnects. Throws an `ApiError` if the run ends without an answer while the
 * client is connected.
 * @param listener called with each event of the run
 * @returns the finished run, or the stopped run of a client that has disconnected
 */
export async function answer(
  { model, question, seed, sampling, effort }: AnswerRequest,
  listener: (run: Run, event: RunEvent) => void,
  { engine, usd, ended }: AnswerOptions,
  { id, gone }: Pick<Exchange, 'id' | 'gone'>,
): Promise<Run> {
  const chosen = model.effort ?? effort;
  const request = engine.request(question, {
    id,
    ...(seed === null ? {} : { seed }),
    ...(chosen ? { effort: chosen } : {}),
    ...(model.conductor ? { conductor: model.conductor } : {}),
  });
  const live = await engine.runs.start({
    ...request,
    sampling: { ...request.sampling, ...sampling },
    dayUsd: usd,
    // Answers to a client must not depend on the questions of other clients.
    planHistory: { history: [] },
  });
  try {
    const run = await watchRun(live, engine.runs, listener, gone);
    if (run.status === 'finished' || gone.aborted) return run;
    throw errorOfFault(faultOf(run), run.spent.input + run.spent.output > 0);
  } finally {
    await ended(id);
  }
}

function faultOf({ fault: reason, capReached }: Run) {
  if (reason && reason.code !== 'internal') return reason;
  if (capReached) return fault('cap-reached', 'A cap of the run was reached before there was an answer.');
  return reason ?? new FaultError(fault('interrupted', 'The run was stopped. Try again.')).fault;
}

/**
 * Calls the listener once for each event, in order. Leaves out events of unknown types. An abort stops the run.
 * @returns the ended run
 */
export async function watchRun(
  live: LiveRun,
  runs: Runs,
  listener: (run: Run, event: RunEvent) => void,
  signal: AbortSignal,
): Promise<Run> {
  let shown: Run | null = null;
  const show = (event: StoredEvent) => {
    if (shown && event.seq <= shown.lastSeq) return;
    shown = applyEvent(shown, event);
    if (shown && isKnownEvent(event)) listener(shown, event);
  };
  const early: StoredEvent[] = [];
  let receive = (event: StoredEvent): void => void early.push(event);
  const unsubscribe = live.subscribe((_run, event) => receive(event));
  const stop = () => live.stop();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const opened = await runs.open(live.id);
    for (const event of [...(opened?.events ?? []), ...early]) show(event);
    receive = show;
    return await live.done;
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', stop);
  }
}
