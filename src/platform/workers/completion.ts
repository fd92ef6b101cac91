/**
 * @file Makes one call to a chat completions endpoint. Waits until the rate limits allow the call (see `limits/gate.ts`), sends
 * it, and reads the whole reply. A failure is reported as the last event. Throws only on abort, with an `AbortError`.
 */
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import { abortError, fault, FaultError, parseJson, type Clock, type Fault } from '../../core/contract';
import type { Sampling, Waiting, WorkerEvent } from '../../core/contract';
import { PageYield } from './page-yield';
import { faultFromRefusal, faultFromStream, faultFromThrown } from './worker-faults';
import type { Fetch } from './guarded-fetch';
import { callOf, learnedFrom } from './limits/call';
import type { Gate, Pass } from './limits/gate';
import { readBudgets } from './limits/read-limits';
import { watchPageDeparture } from './page-departure';
import { waitAtMost } from './patience';
import { readForm, textOf } from './reply-form';
import { readPiece, type Piece } from './reply';
import { broken, cutOff, endless, stoppedEarly, noText, tooSilent, webPage } from './reply-faults';
import { longestWhole, replyLimits, type ReplyLimits } from './reply-limits';
import { ReplyReader } from './reply-reader';
import { ReplyRedaction } from './reply-redaction';
import { openCompletion, readRefusal, type Refusal } from './sdk';
import { decodeEvents, type ServerEvent } from './server-events';
import { completionBody, outputLimitIn, settingsIn, type RefusedSettings } from './settings';
import type { SentMessage } from './sent-message';
import { secretsOf, type Target } from './target';
import { watchBody } from './watched-body';

export interface CompletionDependencies {
  readonly clock: Clock;
  readonly gate: Gate;
  /** Maximum number of parallel calls to one server. Default: the number of streams in the provider's preset. */
  readonly places?: number;
  readonly refused: RefusedSettings;
  /** Longest wait for more bytes before the first text has arrived, ms, if the target has no limit of its own. */
  readonly firstByteTimeout: number;
  /** Longest wait for more bytes after the first text has arrived, ms. */
  readonly idleTimeout: number;
  readonly fetch?: Fetch;
  /** The page's window. While the page closes, a call reports no failure (see `page-departure.ts`). Absent outside a page. */
  readonly page?: EventTarget;
}

/** Longest time without text while bytes arrive, ms. Some servers keep a connection open with comments, which have no text. */
const TEXT_TIMEOUT = 600_000;

export interface CompletionCall {
  readonly target: Target;
  readonly messages: readonly SentMessage[];
  readonly sampling: Sampling;
  /** Called when the reply begins. `streamed`: whether the reply is a stream. */
  readonly onOpen?: (streamed: boolean) => void;
}

/**
 * Makes one call. If the server rejects a setting, the request is repeated without this setting, and the rejection is remembered.
 * Such a rejection costs nothing. Any other failure ends the call. Yields `waiting` while the call waits at the gate, then deltas, then one
 * `finished` or `failed`. If the signal aborts or the caller stops reading events, the request is canceled.
 */
export async function* complete(
  call: CompletionCall,
  dependencies: CompletionDependencies,
  signal: AbortSignal,
): AsyncGenerator<WorkerEvent, void, undefined> {
  const { target } = call;
  const limits = replyLimits(call.sampling.maxTokens);
  const reader = new ReplyReader(limits.characters);
  const redaction = new ReplyRedaction(secretsOf(target));
  const pageYield = new PageYield(dependencies.clock);
  const upstream = new AbortController();
  const departure = watchPageDeparture(dependencies.clock, dependencies.page ?? null);
  let pass: Pass | null = null;
  const stop = () => {
    upstream.abort();
    pass?.giveUp();
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) throw abortError();
    checkKey(target);
    const news = new News();
    pass = dependencies.gate.enter(callOf(call, dependencies.places), (waiting) => news.add(waiting));
    yield* news.until(pass.entered);
    for await (const piece of readReply(call, dependencies, { reader, pass, upstream, pageYield, limits })) {
      if (pageYield.isDue) await pageYield.yieldToPage();
      if (signal.aborted) throw abortError();
      for (const event of redaction.redact(reader.read(piece))) {
        yield event;
        if (signal.aborted) throw abortError();
      }
      if (reader.isFull) break;
    }
    if (signal.aborted) throw abortError();
    yield* redaction.redact(reader.finished());
  } catch (thrown) {
    upstream.abort();
    await departure.settled(signal);
    if (signal.aborted) throw abortError();
    yield* redaction.redact(reader.failed(faultFromThrown(thrown, target)));
  } finally {
    departure.end();
    signal.removeEventListener('abort', stop);
    upstream.abort();
    pass?.leave(reader.tokens);
  }
}

/** Yields the reasons why a call is waiting, until the gate admits the call. */
class News {
  #waitings: Waiting[] = [];
  #wake: () => void = () => undefined;

  add(waiting: Waiting): void {
    this.#waitings.push(waiting);
    this.#wake();
  }

  async *until(entered: Promise<void>): AsyncGenerator<WorkerEvent, void, undefined> {
    let isOver = false;
    let hasWaited = false;
    const over = entered.then(() => void (isOver = true));
    // Prevents an “unhandled rejection” if the caller no longer reads events.
    over.catch(() => undefined);
    while (!isOver) {
      const woken = new Promise<void>((resolve) => (this.#wake = resolve));
      for (const waiting of this.#waitings.splice(0)) {
        hasWaited = true;
        yield { type: 'waiting', ...waiting };
      }
      await Promise.race([over, woken]);
    }
    if (hasWaited) yield { type: 'waiting', for: null, delay: null };
  }
}

type Wait = <T>(promise: Promise<T>) => Promise<T>;

interface Sending {
  readonly wait: Wait;
  readonly pass: Pass;
  readonly signal: AbortSignal;
}

/** Maximum number of repeated requests of one call, after the server has rejected a setting. A call has at most 12 settings. */
const MOST_REPETITIONS = 14;

interface Reading {
  readonly reader: ReplyReader;
  readonly pass: Pass;
  readonly upstream: AbortController;
  readonly pageYield: PageYield;
  readonly limits: ReplyLimits;
}

/** Yields the pieces of a reply. Throws a `FaultError` if there is no reply, or if the reply fails. */
async function* readReply(
  call: CompletionCall,
  dependencies: CompletionDependencies,
  { reader, pass, upstream, pageYield, limits }: Reading,
): AsyncGenerator<Piece, void, undefined> {
  const { target } = call;
  const { clock, idleTimeout } = dependencies;
  let lastText = clock.monotonic();
  const wait: Wait = (promise) => {
    const ms = reader.hasText ? idleTimeout : firstByteLimit(target, dependencies);
    const textTimeout = reader.hasText ? TEXT_TIMEOUT : Math.max(TEXT_TIMEOUT, ms);
    const left = Math.max(0, lastText + textTimeout - clock.monotonic());
    if (left < ms) return waitAtMost(promise, left, () => noText(target, textTimeout), clock);
    return waitAtMost(promise, ms, () => tooSilent(target, reader.hasText, ms), clock);
  };
  const response = await open(call, dependencies, { wait, pass, signal: upstream.signal });
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('html')) throw new FaultError(webPage(target));
  const tooLong = () => new FaultError(endless(target));
  const body = watchBody(response.body ?? new Blob([]).stream(), { wait, pageYield, most: limits.bytes, tooLong });
  const context = { target, reader, pass, clock };
  try {
    const { form, pieces } = await readForm(body, type, tooLong);
    if (form === 'page') throw new FaultError(webPage(target));
    call.onOpen?.(form === 'events');
    if (form === 'json') yield readWhole(await textOf(pieces, longestWhole(limits), tooLong), context);
    else
      for await (const piece of readEvents(decodeEvents(pieces, tooLong), context)) {
        if (piece.content !== '' || piece.reasoning !== '') lastText = clock.monotonic();
        yield piece;
      }
  } catch (thrown) {
    // Once the model has reported why it stopped, its text is complete, even if the connection fails.
    if (!reader.hasEnded) throw isNetworkError(thrown) ? new FaultError(cutOff(target)) : thrown;
  }
  if (reader.isStoppedEarly) throw new FaultError(stoppedEarly(target));
}

/**
 * Longest wait for more bytes before the first text, ms: the worker's own limit, or a default. The default is longer if the server
 * may send nothing for minutes, because it does not stream, or because the provider does not return the model's thinking.
 */
function firstByteLimit(target: Target, { refused, firstByteTimeout }: CompletionDependencies): number {
  const { firstByteSeconds, preset, reasoning } = target;
  if (firstByteSeconds !== undefined) return firstByteSeconds * 1000;
  const thinksSilently = preset.reasoning.places.length === 0 && reasoning !== 'off';
  return thinksSilently || refused.has(target, 'stream') ? Math.max(TEXT_TIMEOUT, firstByteTimeout) : firstByteTimeout;
}

/** Sends the call. Resolves when the server accepts it, and otherwise rejects with a `FaultError`. */
async function open(call: CompletionCall, dependencies: CompletionDependencies, sending: Sending): Promise<Response> {
  const { refused, clock } = dependencies;
  const { target, messages, sampling } = call;
  let most = Number.POSITIVE_INFINITY;
  // Each repetition leaves out a setting or lowers the output limit. The number of repetitions is limited nevertheless, because a
  // server may lower its limit again and again.
  for (let left = MOST_REPETITIONS; ; left--) {
    const body = completionBody(target, messages, sampling, refused, most);
    const limit = outputLimitIn(body);
    const { response, refusal } = await send(target, body, dependencies, sending);
    if (response) return response;
    if (refusal.kind === 'http' && left > 0) {
      if (refused.learn(target, refusal.status, refusal.body, settingsIn(body, target)) !== null) continue;
      const fits = refused.learnOutput(target, refusal.status, refusal.body, limit);
      if (fits !== null) {
        most = fits;
        continue;
      }
    }
    const found = faultFromRefusal(refusal, target, clock.now());
    reportToGate(sending.pass, found, refusal.kind === 'thrown' ? null : refusal.body, clock.now());
    throw new FaultError(found);
  }
}

/** The server's answer to a request: a reply, or the reason why there is none. */
type Sent =
  { readonly response: Response; readonly refusal: null } | { readonly response: null; readonly refusal: Refusal };

async function send(
  target: Target,
  body: ChatCompletionCreateParams,
  { clock, fetch }: CompletionDependencies,
  { wait, pass, signal }: Sending,
): Promise<Sent> {
  const report = (headers: Headers) =>
    pass.reportBudgets(readBudgets(headers, target.preset.limits.headers, clock.now()));
  // The HTTP client leaves its listeners on the signal, so each request gets a signal of its own.
  const request = new AbortController();
  const stop = () => request.abort();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const response = await wait(openCompletion(target, body, fetch, request.signal));
    report(response.headers);
    pass.accept();
    return { response, refusal: null };
  } catch (thrown) {
    stop();
    signal.removeEventListener('abort', stop);
    const refusal = readRefusal(thrown);
    if (refusal.kind === 'http') report(refusal.headers);
    return { response: null, refusal };
  }
}

function reportToGate(pass: Pass, found: Fault, body: unknown, now: number): void {
  const retryAfter = found.retryAfter ?? null;
  if (found.code === 'rate-limited') pass.refuse({ retryAfter, ...learnedFrom(body, now) });
  if (found.code === 'overloaded') pass.overload(retryAfter);
}

interface ReplyContext {
  readonly target: Target;
  readonly pass: Pass;
  readonly clock: Clock;
}

async function* readEvents(
  events: AsyncIterable<ServerEvent>,
  context: ReplyContext & { reader: ReplyReader },
): AsyncGenerator<Piece, void, undefined> {
  const { target, reader } = context;
  for await (const event of events) {
    if (event.type === 'done') return;
    if (event.isError) throw new FaultError(streamFault(event.data ?? event.text, context));
    if (event.data === undefined) throw new FaultError(broken(target, event.text));
    yield readChunk(event.data, event.text, context);
  }
  // If the body is cut off, the events end without an error. So the finish reason and the closing `[DONE]` show whether the
  // reply is complete.
  if (!reader.hasEnded && !reader.isStoppedEarly) throw new FaultError(cutOff(target));
}

function readChunk(data: unknown, text: string, { target, pass, clock }: ReplyContext): Piece {
  const piece = readPiece(data, target.preset);
  if (piece === null) throw new FaultError(broken(target, text));
  if (piece.error !== undefined) throw new FaultError(streamFault(piece.error, { target, pass, clock }));
  return piece;
}

function streamFault(error: unknown, { target, pass, clock }: ReplyContext): Fault {
  const found = faultFromStream(error, target, clock.now());
  reportToGate(pass, found, error, clock.now());
  return found;
}

/** Reads a reply that arrived in one piece. Some servers ignore the request for a stream. */
function readWhole(text: string, context: ReplyContext): Piece {
  const { target } = context;
  const data = parseJson(text);
  if (data === undefined) throw new FaultError(broken(target, text));
  const piece = readChunk(data, text, context);
  if (!piece.hasChoice) throw new FaultError(broken(target, text));
  return piece;
}

/** Whether a body could not be read to its end. The server has already answered, so the reply was cut off. */
function isNetworkError(thrown: unknown): boolean {
  return thrown instanceof TypeError || thrown instanceof DOMException;
}

/**
 * Checks a key before it is sent. A line break or a non-ASCII letter is invalid in a header, and the browser's error would not
 * name the reason.
 */
function checkKey({ key, name }: Target): void {
  if (key === null || /^[\x21-\x7e]+$/.test(key)) return;
  const message = `The key of ${name} contains an invalid character. Copy it again and enter it under Workers.`;
  throw new FaultError(fault('unauthorized', message));
}
