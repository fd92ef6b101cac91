/**
 * @file The rows of the fault matrix for server and network failures in one call of a run, with the expected results.
 */
import * as replies from '../fixtures/fault-replies';
import { FIRST_WORDS, inTurn, refusal, scenario } from '../fixtures/fault-replies';
import { GIANT_LENGTH, SPLIT_TEXT, type Reply } from '../fixtures/openai-scenarios';
import type { Meanwhile, WayToResume } from './rehearsal';
import type { StageWorker } from './stage';

/** Maximum number of calls that Podium makes for a step without a click. */
const MOST_CALLS = 4;
/** Maximum number of these calls if a rate limit or a busy server rejects all of them. */
const MOST_REFUSALS = 12;

export interface Row extends WayToResume {
  readonly fault: string;
  /** How the server replies to the call for the second step. */
  readonly reply?: Reply;
  /** The worker of the second step. Default: Desk. */
  readonly worker?: StageWorker;
  readonly meanwhile?: Meanwhile;
  /** The page's message: why the step failed, or why it is retried. */
  readonly reads?: RegExp;
  /** Number of calls for the second step, automatic retries included. Default: 1. */
  readonly calls?: number;
  /** Whether the browser may silently repeat each call, as it does if a reused connection gives no answer. */
  readonly resent?: true;
  /** Code of the fault with which the second step fails. Absent: the run finishes. */
  readonly code?: string;
  /** The partial or complete output of the second step. Default: empty. */
  readonly output?: string | RegExp;
}

const ok = scenario('ok');

export const ROWS: readonly Row[] = [
  // Faults without a response that the page can read.
  {
    fault: 'the name does not resolve',
    worker: 'Nowhere',
    reads: /Couldn’t reach nowhere\.invalid/,
    code: 'unreachable',
    calls: MOST_CALLS,
    needsOtherWorker: true,
  },
  {
    fault: 'connection refused',
    worker: 'Closed',
    reads: /No answer from .* Is the server running\?/,
    code: 'unreachable',
    calls: MOST_CALLS,
    needsOtherWorker: true,
  },
  {
    fault: 'preflight refused',
    worker: 'Preflight',
    reads: /must allow this page \(CORS\)/,
    code: 'unreachable',
    calls: MOST_CALLS,
    needsOtherWorker: true,
  },
  {
    fault: 'refusal without CORS headers',
    worker: 'Hidden',
    reply: refusal(401, 'Bad key.'),
    reads: /must allow this page \(CORS\)/,
    code: 'unreachable',
    calls: MOST_CALLS,
  },
  {
    fault: 'closes the connection without an answer',
    resent: true,
    reply: replies.hangUp,
    reads: /No answer from/,
    code: 'unreachable',
    calls: MOST_CALLS,
  },
  {
    fault: 'redirect to another origin',
    reply: scenario('redirect'),
    reads: /redirects the call to another address/,
    code: 'bad-address',
  },

  // Rejections by the server.
  {
    fault: '400',
    reply: refusal(400, 'Invalid value.', 'invalid_request_error'),
    reads: /rejected the request \(400\)/,
    code: 'bad-request',
  },
  {
    fault: '401',
    reply: refusal(401, 'No key.', 'invalid_api_key'),
    reads: /needs a key/,
    code: 'unauthorized',
    needsKey: true,
  },
  { fault: '402', reply: refusal(402, 'Insufficient balance.'), reads: /no credit left/, code: 'payment-required' },
  { fault: '403', reply: refusal(403, 'Forbidden.'), reads: /refuses calls from this page/, code: 'forbidden' },
  {
    fault: '404, the model',
    reply: refusal(404, 'The model does not exist.', 'model_not_found'),
    reads: /has no model “desk”/,
    code: 'not-found',
  },
  {
    fault: '404, the path',
    reply: refusal(404, 'Nothing here.'),
    reads: /nothing at this address/,
    code: 'bad-address',
  },
  {
    fault: '408',
    resent: true,
    reply: refusal(408, 'Timeout.'),
    reads: /timed out waiting/,
    code: 'timeout',
    calls: MOST_CALLS,
  },
  { fault: '409', reply: refusal(409, 'Conflict.'), reads: /conflicts with another request/, code: 'bad-request' },
  { fault: '413', reply: refusal(413, 'Too large.'), reads: /prompt is too long/, code: 'too-large' },
  {
    fault: '429 once, retry-after 30 s',
    reply: inTurn(refusal(429, 'Slow down.', 'rate_limit_exceeded', { 'retry-after': '30' }), ok),
    reads: /too many requests/,
    calls: 2,
    output: /^I was sent/,
  },
  {
    fault: '429 always, without a header',
    reply: refusal(429, 'Slow down.', 'rate_limit_exceeded'),
    reads: /too many requests/,
    code: 'rate-limited',
    calls: MOST_REFUSALS,
  },
  {
    fault: '429, retry-after an hour',
    reply: refusal(429, 'Slow down.', 'rate_limit_exceeded', { 'retry-after': '3600' }),
    reads: /resets in 60 minutes/,
    code: 'quota-spent',
  },
  {
    fault: '429, the requests of the day',
    reply: refusal(429, 'Rate limit reached on requests per day (RPD): Limit 50, Used 50.', 'rate_limit_exceeded'),
    reads: /daily quota of this key at .* is used up/,
    code: 'quota-spent',
  },
  {
    fault: '429, quota spent',
    reply: refusal(429, 'You exceeded your current quota.', 'insufficient_quota'),
    reads: /no credit left/,
    code: 'payment-required',
  },
  {
    fault: '500 once',
    reply: inTurn(refusal(500, 'Broken.'), ok),
    reads: /internal error \(500\)/,
    calls: 2,
    output: /^I was sent/,
  },
  {
    fault: '500 always',
    reply: refusal(500, 'Broken.'),
    reads: /internal error \(500\)/,
    code: 'server-error',
    calls: MOST_CALLS,
  },
  {
    fault: '502',
    reply: refusal(502, 'Bad gateway.'),
    reads: /internal error \(502\)/,
    code: 'server-error',
    calls: MOST_CALLS,
  },
  {
    fault: '503',
    reply: refusal(503, 'Unavailable.'),
    reads: /overloaded or still loading/,
    code: 'overloaded',
    calls: MOST_REFUSALS,
  },
  {
    fault: '529',
    reply: refusal(529, 'Overloaded.'),
    reads: /overloaded or still loading/,
    code: 'overloaded',
    calls: MOST_REFUSALS,
  },

  // Responses that are not an answer.
  { fault: 'a web page', reply: scenario('html'), reads: /web page instead of a model's answer/, code: 'bad-address' },
  {
    fault: 'an empty body',
    reply: replies.emptyStream,
    reads: /ended before the answer of Desk was complete/,
    code: 'cut-off',
    calls: MOST_CALLS,
  },
  {
    fault: 'an empty body, as JSON',
    reply: replies.emptyJson,
    reads: /isn’t in the OpenAI format/,
    code: 'broken-reply',
  },
  { fault: 'text as JSON', reply: replies.noJson, reads: /isn’t in the OpenAI format/, code: 'broken-reply' },
  { fault: 'a picture', reply: replies.picture, reads: /isn’t in the OpenAI format/, code: 'broken-reply' },
  { fault: 'a stream with the content type of plain text', reply: replies.streamAsText, output: 'Plain text will do.' },
  { fault: 'a stream with the content type of JSON', reply: replies.streamAsJson, output: 'JSON will do as well.' },
  { fault: 'an answer without text', reply: scenario('empty'), reads: /Desk/, code: 'empty-reply' },
  { fault: 'a call of a tool that was not offered', reply: replies.onlyTools, reads: /Desk/, code: 'empty-reply' },

  // Faults inside an answer.
  { fault: 'bytes that are not UTF-8', reply: replies.brokenUtf8, output: 'caf\ufffd' },
  { fault: 'characters split between chunks', reply: scenario('split-utf8'), output: SPLIT_TEXT },
  { fault: 'usage reported twice', reply: replies.usageTwice, output: 'Counted twice.' },
  { fault: 'usage not reported', reply: scenario('no-usage'), output: 'Uncounted.' },
  { fault: 'no [DONE], but a finish reason', reply: replies.withoutDone, output: 'Whole without its last line.' },
  {
    fault: 'no [DONE] and no finish reason',
    reply: scenario('no-done'),
    reads: /ended before the answer of Desk was complete/,
    code: 'cut-off',
    output: FIRST_WORDS,
  },
  { fault: '[DONE], and the connection stays open', reply: replies.neverCloses, output: 'Done, but still there.' },
  {
    fault: 'cut in the middle',
    reply: scenario('cut-later'),
    meanwhile: 'cut',
    reads: /ended before the answer of Desk was complete/,
    code: 'cut-off',
    output: FIRST_WORDS,
  },
  {
    fault: 'broken JSON in the middle',
    reply: replies.noJsonInStream,
    reads: /isn’t in the OpenAI format/,
    code: 'broken-reply',
    output: FIRST_WORDS,
  },
  {
    fault: 'an error in the middle',
    reply: scenario('error-in-stream'),
    reads: /internal error \(502\)/,
    code: 'server-error',
    output: FIRST_WORDS,
  },
  {
    fault: '“overloaded” inside the stream, before the first word',
    reply: inTurn(replies.overloadedInStream, ok),
    reads: /overloaded or still loading/,
    calls: 2,
    output: /^I was sent/,
  },
  {
    fault: 'an error of the server inside the stream, before the first word',
    reply: inTurn(replies.errorInStream, ok),
    reads: /internal error \(500\)/,
    calls: 2,
    output: /^I was sent/,
  },
  {
    fault: '“too many requests” inside the stream, before the first word',
    reply: inTurn(replies.limitedInStream, ok),
    reads: /too many requests/,
    calls: 2,
    output: /^I was sent/,
  },
  {
    fault: '“overloaded” inside the stream, after the first words',
    reply: replies.overloadedLater,
    reads: /overloaded or still loading/,
    code: 'overloaded',
    output: FIRST_WORDS,
  },
  {
    fault: 'silence before the first word',
    reply: scenario('stall-before'),
    meanwhile: 'silence',
    reads: /didn’t start to answer within 240 seconds/,
    code: 'timeout',
  },
  {
    fault: 'silence after the first words',
    reply: scenario('stall'),
    meanwhile: 'silence after words',
    reads: /stopped sending for 60 seconds/,
    code: 'stalled',
    output: FIRST_WORDS,
  },
  {
    fault: 'only keep-alive bytes, no text',
    reply: replies.trickle,
    meanwhile: 'trickle',
    reads: /no text/,
    code: 'stalled',
    output: FIRST_WORDS,
  },
  {
    fault: 'an answer of 200,000 characters, cut at the token limit',
    reply: scenario('giant'),
    output: new RegExp(`^[^]{${GIANT_LENGTH}}$`),
  },
];
