/** @file Answers requests for chat completions. Each completion is a run of the Conductor with its pool. */
import {
  fault,
  FaultError,
  type Clock,
  type Run,
  applyEvent,
  isKnownEvent,
  type RunEvent,
  type StoredEvent,
} from '../../../core/contract';
import type { Engine } from '../../engine';
import { ApiError, errorOfFault, toApiError } from '../http/api-error';
import { sendJson, type Exchange, type Route } from '../http/server';
import { AnswerReader } from './answer-reader';
import { MODEL, readChatRequest, type ChatRequest } from './chat-request';
import { chunkOf, completionOf, finishReasonOf, usageChunkOf, type CompletionHead } from './completion';
import { cutAtStop, StopReader } from './stop-reader';
import type { LiveRun, Runs } from '../../../core/runs';
import type { ServerResponse } from 'node:http';

export interface ChatOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  /** Maximum number of runs at once. */
  readonly concurrency: number;
  /** The budget of the whole server, in US dollars. `null`: no budget. */
  readonly usd: number | null;
  /** Called with the id of each run that has ended. The response waits for the returned promise. */
  readonly ended: (runId: string) => Promise<void>;
}

/** Seconds after which a client may try again when the server is full. */
const FULL_PAUSE = 2;

export function chatRoutes(options: ChatOptions): readonly Route[] {
  const created = Math.floor(options.clock.now() / 1000);
  const data = [{ id: MODEL, object: 'model', created, owned_by: 'podium' }];
  let running = 0;
  return [
    { method: 'GET', path: '/v1/models', handle: ({ response }) => sendJson(response, 200, { object: 'list', data }) },
    { method: 'GET', path: `/v1/models/${MODEL}`, handle: ({ response }) => sendJson(response, 200, data[0]) },
    {
      method: 'POST',
      path: '/v1/chat/completions',
      async handle(exchange) {
        const request = readChatRequest(await exchange.body());
        if (running >= options.concurrency) {
          const message = `The server is answering ${running} requests, which is its maximum. Try again later.`;
          throw new ApiError(429, message, { code: 'server_full', retryAfter: FULL_PAUSE });
        }
        running += 1;
        try {
          await complete(request, exchange, options);
        } finally {
          running -= 1;
        }
      },
    },
  ];
}

async function complete(request: ChatRequest, exchange: Exchange, options: ChatOptions): Promise<void> {
  const { response } = exchange;
  const runId = crypto.randomUUID();
  const head = { id: `chatcmpl-${runId}`, created: Math.floor(options.clock.now() / 1000) };
  if (request.streams) return streamAnswer(request, head, { ...options, exchange, runId });
  let reasoning = '';
  const reader = new AnswerReader({ reasoning: (text) => (reasoning += text), content: () => undefined });
  const run = await answer(request, reader, { ...options, exchange, runId });
  const cut = cutAtStop(run.answer ?? '', request.stop);
  const finish = cut.isCut ? 'stop' : finishReasonOf(run);
  if (!exchange.gone.aborted)
    sendJson(response, 200, completionOf(head, run, { content: cut.text, reasoning, finish }));
}

interface Answering extends ChatOptions {
  readonly exchange: Exchange;
  readonly runId: string;
}

async function streamAnswer(request: ChatRequest, head: CompletionHead, answering: Answering): Promise<void> {
  const stream = new EventStream(answering.exchange.response);
  const send = (chunk: object) => stream.send(request.includesUsage ? { ...chunk, usage: null } : chunk);
  let hasBegun = false;
  const begin = () => {
    if (!hasBegun) send(chunkOf(head, { role: 'assistant', content: '' }));
    hasBegun = true;
  };
  const stop = new StopReader(request.stop);
  const sendContent = (text: string) => {
    if (text === '') return;
    begin();
    send(chunkOf(head, { content: text }));
  };
  const reader = new AnswerReader({
    reasoning(text) {
      begin();
      send(chunkOf(head, { reasoning_content: text }));
    },
    content: (text) => sendContent(stop.push(text)),
  });
  try {
    const run = await answer(request, reader, answering);
    if (answering.exchange.gone.aborted) return;
    begin();
    reader.finish(run);
    sendContent(stop.finish());
    send(chunkOf(head, {}, stop.isCut ? 'stop' : finishReasonOf(run)));
    if (request.includesUsage) stream.send(usageChunkOf(head, run));
    stream.send('[DONE]');
    stream.end();
  } catch (thrown) {
    if (!stream.isOpen || answering.exchange.gone.aborted) throw thrown;
    // The status is already sent, so the error is sent as an event. No [DONE] follows it.
    stream.send(toApiError(thrown).body);
    stream.end();
  } finally {
    stream.stop();
  }
}

/**
 * Carries out the run, and stops it if the client disconnects. Throws an `ApiError` if the run ends without an answer while the
 * client is connected.
 * @returns the finished run, or the stopped run of a client that has disconnected
 */
async function answer(
  { question, seed, sampling }: ChatRequest,
  reader: AnswerReader,
  { engine, exchange, runId, usd, ended }: Answering,
): Promise<Run> {
  const request = engine.request(question, { id: runId, ...(seed === null ? {} : { seed }) });
  const live = await engine.runs.start({
    ...request,
    sampling: { ...request.sampling, ...sampling },
    dayUsd: usd,
    // Answers to a client must not depend on the questions of other clients.
    planHistory: { history: [] },
  });
  try {
    const run = await watchRun(live, engine.runs, (now, event) => reader.read(now, event), exchange.gone);
    if (run.status === 'finished' || exchange.gone.aborted) return run;
    throw errorOfFault(faultOf(run), run.spent.input + run.spent.output > 0);
  } finally {
    await ended(runId);
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

// Writes a stream of server-sent events. The response begins with the first event or heartbeat. Until then, an error can
// be sent with its own HTTP status.

/** Time in ms between two heartbeats. A heartbeat is a comment that shows proxies that the connection is alive. */
const HEARTBEAT = 15_000;

class EventStream {
  readonly #response: ServerResponse;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(response: ServerResponse) {
    this.#response = response;
    this.#heartbeat = setInterval(() => this.#write(': waiting\n\n'), HEARTBEAT);
  }

  /** Whether the stream has begun. */
  get isOpen(): boolean {
    return this.#response.headersSent;
  }

  send(data: object | '[DONE]'): void {
    this.#write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  }

  /** Ends the stream. If the connection closes without this call, the client can detect that the stream was cut off. */
  end(): void {
    this.#response.end();
  }

  /** Stops the heartbeat. Call it even if the stream failed. */
  stop(): void {
    clearInterval(this.#heartbeat);
  }

  #write(text: string): void {
    if (this.#response.destroyed || this.#response.writableEnded) return;
    if (!this.isOpen) {
      this.#response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        // This header disables buffering in nginx.
        'x-accel-buffering': 'no',
      });
    }
    this.#response.write(text);
  }
}
