/** @file Answers a question of a client with a run of the Conductor and its pool. */
import { randomUUID } from 'node:crypto';
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
  type Workflow,
} from '../../../core/contract';
import type { LiveRun } from '../../../core/runs/live-run';
import type { NewRun } from '../../../core/runs/new-run';
import type { Runs } from '../../../core/runs/runs';
import type { Engine, RequestOptions } from '../../engine';
import { ApiError, DO_NOT_RETRY, errorOfFault } from '../http/api-error';
import type { Exchange } from '../http/server';
import { readAttachments, type Attached } from './attachments';
import type { Attachment } from './content';
import { repairSubtask, withInstruction, type AnswerForm } from './answer-form';
import type { ServedModel } from './served-models';
import { callId, type ToolAnswer, type ToolCall } from './tools';

/** What a client asks, whatever the format of its request. */
export interface AnswerRequest {
  readonly model: ServedModel;
  readonly question: string;
  readonly attachments: readonly Attachment[];
  /** The index of the worker that answers without a plan. `null`: the Conductor plans. */
  readonly caller: number | null;
  /** What the answer must be. `null`: any text. */
  readonly form: AnswerForm<ToolAnswer> | null;
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

/** An answer, and the runs that it took: the run of the question, and a run that corrected the form of the answer. */
export interface Answered {
  readonly runs: readonly Run[];
  /** The run that gave the answer. It may be the stopped run of a client that has disconnected. */
  readonly run: Run;
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

type Listener = (run: Run, event: RunEvent) => void;

/** The subtask of a worker that gets the results of its tools. */
const CONTINUE = 'Continue with the task. The conversation ends with the results of the tools that you have called.';

/**
 * Answers a request, and stops if the client disconnects. An answer in a wrong form is corrected once, by the worker that gave
 * it. Throws an `ApiError` if there is no answer while the client is connected.
 * @param listener called with each event of the runs
 */
export async function answer(
  asked: AnswerRequest,
  listener: Listener,
  options: AnswerOptions,
  exchange: Pick<Exchange, 'id' | 'gone'>,
): Promise<Answered> {
  const { pool, images } = options.engine;
  const attached = await readAttachments(asked.attachments, pool.workers);
  const release = images.hold(attached.images);
  try {
    return await answerWith(attached, asked, listener, options, exchange);
  } finally {
    release();
  }
}

async function answerWith(
  attached: Attached,
  asked: AnswerRequest,
  listener: Listener,
  options: AnswerOptions,
  { id, gone }: Pick<Exchange, 'id' | 'gone'>,
): Promise<Answered> {
  const { form } = asked;
  const given = { files: attached.files, images: attached.images.map(({ bytes: _bytes, ...image }) => image) };
  const first = await play(requestOf(asked, options.engine, { id, ...given }), asked, { listener, options, gone });
  const text = first.answer ?? '';
  if (!form || gone.aborted) return { runs: [first], run: first, text, calls: [] };
  const read = form.read(text);
  if (read.ok) return answeredBy([first], first, read.value);
  const worker = answererOf(first);
  const subtask = repairSubtask(text, read.problem, form.instruction);
  const repair = options.engine.request(asked.question, {
    id: randomUUID(),
    ...given,
    plan: planOf(worker ?? 0, subtask),
  });
  const second = await play(repair, asked, { listener, options, gone });
  if (gone.aborted) return { runs: [first, second], run: second, text, calls: [] };
  const corrected = form.read(second.answer ?? '');
  if (corrected.ok) return answeredBy([first, second], second, corrected.value);
  const message = `The answer ${corrected.problem}, even after a correction.`;
  throw new ApiError(502, message, { code: 'invalid_answer', headers: DO_NOT_RETRY });
}

function answeredBy(runs: readonly Run[], run: Run, { text, calls }: ToolAnswer): Answered {
  const worker = answererOf(run) ?? 0;
  return { runs, run, text, calls: calls.map((call) => ({ ...call, id: callId(worker) })) };
}

/** The index of the worker that gave the answer. */
function answererOf({ answerKey, rounds }: Run): number | null {
  return (answerKey && rounds[answerKey.round]?.steps[answerKey.step]?.step.worker) ?? null;
}

function planOf(worker: number, subtask: string): Workflow {
  return { steps: [{ worker, subtask, access: [] }] };
}

function requestOf(
  { model, question, seed, effort, caller, form }: AnswerRequest,
  engine: Engine,
  given: RequestOptions,
): NewRun {
  const chosen = model.effort ?? effort;
  const own = { ...given, ...(seed === null ? {} : { seed }) };
  if (caller !== null && caller < engine.pool.workers.length) {
    const subtask = form ? `${CONTINUE}\n\n${form.instruction}` : CONTINUE;
    return engine.request(question, { ...own, plan: planOf(caller, subtask) });
  }
  const request = engine.request(question, {
    ...own,
    ...(chosen ? { effort: chosen } : {}),
    ...(model.conductor ? { conductor: model.conductor } : {}),
  });
  if (!form) return request;
  // A settled step would not be called, and its answer would lack the form.
  return { ...request, skipSettled: false, conductor: withInstruction(request.conductor, form.instruction) };
}

interface Playing {
  readonly listener: Listener;
  readonly options: AnswerOptions;
  readonly gone: AbortSignal;
}

async function play(
  request: NewRun,
  { sampling }: Pick<AnswerRequest, 'sampling'>,
  { listener, options: { engine, usd, ended }, gone }: Playing,
): Promise<Run> {
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
    await ended(live.id);
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
async function watchRun(
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
