/**
 * @file Makes one call to a chat completions endpoint. Waits until the rate limits allow the call (see `limits/gate.ts`), sends
 * it, and reads the whole reply. A failure is reported as the last event. Throws only on abort, with an `AbortError`.
 */
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
import { broken, cutOff, endless, stoppedEarly, noText, settingRefused, tooSilent, webPage } from './reply-faults';
import { longestWhole, replyLimits, type ReplyLimits } from './reply-limits';
import { ReplyReader } from './reply-reader';
import { ReplyRedaction } from './reply-redaction';
import { openCompletion, readRefusal } from './sdk';
import { decodeEvents, type ServerEvent } from './server-events';
import { completionBody, settingsIn, type RefusedSettings } from './settings';
import type { SentMessage } from './sent-message';
import type { Target } from './target';
import { watchBody } from './watched-body';

export interface CompletionDependencies {
  readonly clock: Clock;
  readonly gate: Gate;
  /** Maximum number of parallel calls to one server. Default: the number of streams in the provider's preset. */
  readonly places?: number;
  readonly refused: RefusedSettings;
  /** Longest wait for more bytes before the first text has arrived, ms. */
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
 * Makes at most one HTTP request. Yields `waiting` while the call waits at the gate, then deltas, then one
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
  const redaction = new ReplyRedaction(target.key);
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
  const { clock, firstByteTimeout, idleTimeout } = dependencies;
  let lastText = clock.monotonic();
  const wait: Wait = (promise) => {
    const ms = reader.hasText ? idleTimeout : mayThinkSilently(target) ? TEXT_TIMEOUT : firstByteTimeout;
    const left = Math.max(0, lastText + TEXT_TIMEOUT - clock.monotonic());
    if (left <= ms) return waitAtMost(promise, left, () => noText(target, TEXT_TIMEOUT), clock);
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
 * Whether the model may think without the page noticing, because the provider does not return the thinking. The
 * server may then send nothing for minutes.
 */
function mayThinkSilently({ preset, reasoning }: Target): boolean {
  return preset.reasoning.places.length === 0 && reasoning !== 'off';
}

/** Sends the call. Resolves when the server accepts it, and otherwise rejects with a `FaultError`. */
async function open(
  { target, messages, sampling }: CompletionCall,
  { clock, refused, fetch }: CompletionDependencies,
  { wait, pass, signal }: { wait: Wait; pass: Pass; signal: AbortSignal },
): Promise<Response> {
  const body = completionBody(target, messages, sampling, refused);
  const { headers: names } = target.preset.limits;
  try {
    const response = await wait(openCompletion(target, body, fetch, signal));
    pass.reportBudgets(readBudgets(response.headers, names, clock.now()));
    pass.accept();
    return response;
  } catch (thrown) {
    const refusal = readRefusal(thrown);
    if (refusal.kind === 'http') {
      const learned = refused.learn(target, refusal.status, JSON.stringify(refusal.body), settingsIn(body));
      if (learned !== null) throw new FaultError(settingRefused(target, learned, refusal.status, refusal.body));
    }
    const found = faultFromRefusal(refusal, target, clock.now());
    if (refusal.kind === 'http') pass.reportBudgets(readBudgets(refusal.headers, names, clock.now()));
    reportToGate(pass, found, refusal.kind === 'thrown' ? null : refusal.body, clock.now());
    throw new FaultError(found);
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
