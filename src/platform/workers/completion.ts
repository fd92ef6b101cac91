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
import { readText } from './read-text';
import { isStoppedEarly, readPiece, type Piece } from './reply';
import { broken, cutOff, endless, stoppedEarly, noText, settingRefused, tooSilent, webPage } from './reply-faults';
import { longestWhole, replyLimits, type ReplyLimits } from './reply-limits';
import { ReplyReader } from './reply-reader';
import { ReplyRedaction } from './reply-redaction';
import { decodeStream, openCompletion, readRefusal } from './sdk';
import { completionBody, settingsIn, type RefusedSettings } from './settings';
import type { SentMessage } from './sent-message';
import type { Target } from './target';
import { watchBody, type WatchedBody } from './watched-body';

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
  const isWhole = type.includes('json') || response.body === null;
  call.onOpen?.(!isWhole);
  if (isWhole) {
    yield readWhole(await wait(readBody(response, target, longestWhole(limits))), { target, pass, clock });
    return;
  }
  const watched = watchBody(response.body, {
    wait,
    pageYield,
    most: limits.bytes,
    tooLong: () => new FaultError(endless(target)),
  });
  for await (const piece of readStream(watched, { target, reader, pass, clock }, upstream)) {
    if (piece.content !== '' || piece.reasoning !== '') lastText = clock.monotonic();
    yield piece;
  }
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

async function* readStream(
  watched: WatchedBody,
  { target, reader, pass, clock }: ReplyContext & { reader: ReplyReader },
  upstream: AbortController,
): AsyncGenerator<Piece, void, undefined> {
  let events = 0;
  try {
    for await (const data of decodeStream(target, new Response(watched.stream), upstream)) {
      events += 1;
      yield readChunk(data, { target, pass, clock });
    }
  } catch (thrown) {
    // Once the model has reported why it stopped, its text is complete, even if the connection fails.
    if (!hasEnded(reader)) throw new FaultError(midStreamFault(thrown, { target, pass, clock }));
  }
  // If the body is cut off, the decoder ends without an error. So the finish reason and the closing `[DONE]`
  // show whether the reply is complete.
  if (reader.finish !== null && isStoppedEarly(reader.finish)) throw new FaultError(stoppedEarly(target));
  if (reader.finish === null && !watched.isDone)
    throw new FaultError(events === 0 && watched.size > 0 ? broken(target) : cutOff(target));
}

function hasEnded(reader: ReplyReader): boolean {
  return reader.finish !== null && !isStoppedEarly(reader.finish);
}

function readChunk(data: unknown, { target, pass, clock }: ReplyContext): Piece {
  const piece = readPiece(data, target.preset);
  if (piece === null) throw new FaultError(broken(target));
  if (piece.error !== undefined) {
    const found = faultFromStream(piece.error, target, clock.now());
    reportToGate(pass, found, piece.error, clock.now());
    throw new FaultError(found);
  }
  return piece;
}

/** Reads a reply that arrived in one piece. Some servers ignore the request for a stream. */
function readWhole(text: string, context: ReplyContext): Piece {
  const { target } = context;
  const data = parseJson(text);
  if (data === undefined) throw new FaultError(broken(target, text));
  const piece = readChunk(data, context);
  if (!piece.hasChoice) throw new FaultError(broken(target, text));
  return piece;
}

/** Rejects with a `FaultError` if the connection fails or the body is too long. @param most maximum number of bytes */
async function readBody(response: Response, target: Target, most: number): Promise<string> {
  const text = await readText(response, most).catch(() => {
    throw new FaultError(cutOff(target));
  });
  if (text === null) throw new FaultError(endless(target));
  return text;
}

/**
 * The fault for an error while a reply is read. A failed connection counts as a reply that was cut off, because the server has
 * already answered. Invalid JSON counts as a broken reply.
 */
function midStreamFault(thrown: unknown, { target, pass, clock }: ReplyContext): Fault {
  if (thrown instanceof TypeError) return cutOff(target);
  if (thrown instanceof SyntaxError) return broken(target);
  const refusal = readRefusal(thrown);
  const found = faultFromRefusal(refusal, target, clock.now());
  reportToGate(pass, found, refusal.kind === 'thrown' ? null : refusal.body, clock.now());
  return found;
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
