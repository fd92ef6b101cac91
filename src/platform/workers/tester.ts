/**
 * @file Tests a worker before it is used. The test requests the server's list of models and makes a tiny real call. It checks the
 * server, the key, the model, the answer, streaming, the token counts and the thinking settings.
 */
import {
  abortError,
  fault,
  FaultError,
  isFree,
  isHeldBack,
  LEARNED_LIMITS,
  PaidCall,
  readPaidReply,
  toPoolWorker,
  type CallDay,
  type Extras,
  type Fault,
  type PoolWorker,
  type WorkerSetup,
  type WorkerTester,
  type ListedModel,
} from '../../core/contract';
import { retryDelay } from '../../core/contract/worker/retry';
import { complete, type CompletionDependencies } from './completion';
import {
  addressCheck,
  answerCheck,
  failed,
  isAboutKey,
  keyAnswered,
  keyCheck,
  keyMissing,
  elsewhereCheck,
  listOrFault,
  modelAnswered,
  modelCheck,
  NO_MODELS,
  reasoningCheck,
  running,
  samplingCheck,
  streamingCheck,
  usageCheck,
  type Answer,
} from './findings';
import { createGate } from './limits/gate';
import { listModels } from './list-models';
import { findLocalServers } from './local-servers';
import { FIRST_BYTE_TIMEOUT, IDLE_TIMEOUT, targetOf, type OpenAiWorkersOptions } from './openai-client';
import { presetOf } from './providers';
import { createRefusedSettings, refusedReasoning, refusedSampling } from './settings';
import { explainSilence } from './silence';
import { hostOf, type Target } from './target';
import { withTestDay, type TestLedger } from './test-ledger';

export interface WorkerTesterOptions extends Omit<OpenAiWorkersOptions, 'setup' | 'keys' | 'page'> {
  /** The daily ledger. Without it, the calls do not count towards the daily budget. */
  readonly ledger?: TestLedger;
}

const MESSAGES = [{ role: 'user', content: 'Reply with the word ready.' }] as const;
/** Token limit of the answer. Models that think before they answer need room for their thoughts. */
const MOST_TOKENS = 512;
/**
 * Token limit if thinking is requested. Some providers require a minimum budget for thinking. This limit is greater
 * than every such minimum.
 */
const MOST_TOKENS_THINKING = 4096;
const LIST_TIMEOUT = 20_000;
/** Faults of a server that answers but has no list of models. Its models can be entered by name. */
const NO_LIST: readonly Fault['code'][] = ['bad-address', 'broken-reply', 'not-found', 'bad-request'];

export function createWorkerTester(options: WorkerTesterOptions): WorkerTester {
  const shared = options.fetch ? { fetch: options.fetch } : {};
  const dependencies: CompletionDependencies = {
    clock: options.clock,
    gate: options.gate ?? createGate(options.clock),
    refused: options.refused ?? createRefusedSettings(),
    firstByteTimeout: options.firstByteTimeout ?? FIRST_BYTE_TIMEOUT,
    idleTimeout: options.idleTimeout ?? IDLE_TIMEOUT,
    ...shared,
  };
  const list = (target: Target, signal: AbortSignal) =>
    listModels(target, { clock: options.clock, timeout: LIST_TIMEOUT, ...shared }, signal);

  return {
    async models(baseUrl, key, signal, provider, extras) {
      const listed = await list(listTarget(baseUrl, key, provider, extras), signal);
      if (listed.length === 0) throw new FaultError(fault('not-found', NO_MODELS, { retryable: true }));
      return listed;
    },

    async connect(baseUrl, key, signal, provider, extras) {
      const target = listTarget(baseUrl, key, provider, extras);
      try {
        return { baseUrl, models: await list(target, signal), unlisted: null };
      } catch (thrown) {
        if (!(thrown instanceof FaultError)) throw thrown;
        const moved = await findAddress(target, thrown.fault, list, signal);
        if (moved !== null)
          return { baseUrl: moved, models: await list({ ...target, baseUrl: moved }, signal), unlisted: null };
        const { fault: reason } = await explainSilence(target, thrown.fault, shared, signal);
        if (reason.status === undefined || !NO_LIST.includes(reason.code)) throw new FaultError(reason);
        return { baseUrl, models: [], unlisted: reason };
      }
    },

    findLocal: (signal) => findLocalServers({ list, ...shared }, signal),

    async *test(setup, key, signal, extras = null) {
      const target = targetOf(setup, key, extras);
      yield running('address', `Asking ${hostOf(target.baseUrl)} for its models.`);
      const listed = await listOrFault(() => list(target, signal));
      const elsewhere = 'fault' in listed ? await findAddress(target, listed.fault, list, signal) : null;
      if (elsewhere !== null) {
        yield elsewhereCheck(target, elsewhere);
        return;
      }
      if ('fault' in listed && listed.fault.status === undefined) {
        const { about, fault } = await explainSilence(target, listed.fault, shared, signal);
        if (about === 'key') yield addressCheck(target, { fault });
        yield failed(about, fault);
        return;
      }
      if ('fault' in listed && listed.fault.code === 'forbidden' && target.key === null) {
        yield failed('address', listed.fault);
        return;
      }
      yield addressCheck(target, listed);
      if (setup.needsKey && key === null) {
        yield keyMissing(setup, target);
        return;
      }
      if ('fault' in listed && isAboutKey(listed.fault)) {
        yield keyCheck(target, listed.fault);
        return;
      }

      const known = modelCheck(target, 'models' in listed ? listed.models : null);
      yield known;
      yield running('answer', 'Sending one short question.');
      const mostTokens = roomFor(setup);
      const charged = toPoolWorker({ ...setup, name: target.name });
      const { ledger } = options;
      const asking = { target, charged, mostTokens, ledger };
      let answered = await callUnderDailyBudget(asking, dependencies, signal);
      for (let made = 1; 'answer' in answered && isBusy(answered.answer); made++) {
        const delay = answered.answer.fault && retryDelay(answered.answer.fault, made, made);
        if (delay === null) break;
        yield running('answer', `${hostOf(target.baseUrl)} is busy or loading the model. Asking again.`);
        await options.clock.sleep(delay, signal);
        answered = await callUnderDailyBudget(asking, dependencies, signal);
      }
      if ('refused' in answered) {
        yield failed('answer', answered.refused);
        return;
      }
      const { answer } = answered;
      const keyFound = keyAnswered(target, answer.fault);
      if (keyFound) yield keyFound;
      const isMissing = answer.fault?.code === 'bad-address';
      const moved = isMissing ? await findAddress(target, answer.fault, list, signal) : null;
      if (moved !== null) {
        yield elsewhereCheck(target, moved);
        return;
      }
      if (answer.fault?.code === 'not-found') yield failed('model', answer.fault);
      else if (answer.fault === null && known.state !== 'passed') yield modelAnswered();
      yield answerCheck(target, answer, mostTokens);
      if (answer.fault !== null) return;

      yield streamingCheck(answer, dependencies.refused.has(target, 'stream'));
      yield usageCheck(answer);
      const { sampling: own } = setup;
      if (own) yield samplingCheck(target, own, refusedSampling(target, own, dependencies.refused));
      yield reasoningCheck(target, answer, refusedReasoning(target, mostTokens, dependencies.refused));
    },
  };
}

function listTarget(
  baseUrl: string,
  key: string | null,
  provider: string | undefined,
  extras: Extras | null = null,
): Target {
  const preset = presetOf({ provider, baseUrl });
  const common = { name: hostOf(baseUrl), model: '', reasoning: null, limits: LEARNED_LIMITS };
  return { ...common, baseUrl, key, preset, ...(extras ? { extras } : {}) };
}

function roomFor({ reasoning = null, reasoningTokens }: WorkerSetup): number {
  const thinks = reasoningTokens === undefined ? reasoning !== null && reasoning !== 'off' : reasoningTokens > 0;
  return thinks ? MOST_TOKENS_THINKING : MOST_TOKENS;
}

interface Asking {
  readonly target: Target;
  /** The worker to which the daily ledger assigns the cost of the call. */
  readonly charged: PoolWorker;
  readonly mostTokens: number;
  readonly ledger: TestLedger | undefined;
}

/** `refused`: the call was not made, for example because it could exceed the daily budget. */
type TestOutcome = { readonly answer: Answer } | { readonly refused: Fault };

/** Whether the server was too busy for the call, or is loading the model. */
function isBusy({ fault: found }: Answer): boolean {
  return found?.code === 'overloaded' && isHeldBack(found);
}

async function callUnderDailyBudget(
  asking: Asking,
  dependencies: CompletionDependencies,
  signal: AbortSignal,
): Promise<TestOutcome> {
  const { charged, ledger } = asking;
  if (!ledger || isFree(charged)) return makeCall(asking, null, dependencies, signal);
  return withTestDay(ledger, (day) => makeCall(asking, day, dependencies, signal));
}

/** Makes one tiny real call through a `PaidCall`, like the call of a step. Throws only an `AbortError`. */
async function makeCall(
  { target, charged, mostTokens: maxTokens }: Asking,
  ledger: CallDay | null,
  dependencies: CompletionDependencies,
  signal: AbortSignal,
): Promise<TestOutcome> {
  const day = ledger && { ledger, charged, messages: MESSAGES, maxTokens, key: null };
  const paid = new PaidCall({ caps: null, day, record: () => undefined });
  paid.reserve();
  const room = await paid.hold(signal);
  if (room.type === 'refused') return { refused: room.fault };
  if (room.type === 'gone') throw abortError();
  let streamed = false;
  const call = {
    target,
    messages: MESSAGES,
    sampling: { temperature: 0, ...charged.sampling, maxTokens },
    onOpen: (asStream: boolean) => {
      streamed = asStream;
    },
  };
  try {
    const events = complete(call, dependencies, signal);
    const reply = await readPaidReply(paid, events, { worker: charged, messages: MESSAGES, maxTokens });
    if (!reply) throw abortError();
    const { output, reasoning, usage, fault } = reply;
    return { answer: { text: output.trim(), reasoned: reasoning !== '', streamed, usage, fault } };
  } finally {
    await paid.abandon();
  }
}

// Tries `/v1` below the entered address if the address itself has no API. Users often leave
// out `/v1`, and many servers require it.

type List = (target: Target, signal: AbortSignal) => Promise<readonly ListedModel[]>;

/**
 * Fault codes that may mean that the address has no API. Error replies without CORS headers can't
 * be read, so they cause `unreachable`.
 */
const NOTHING_THERE: readonly Fault['code'][] = ['bad-address', 'broken-reply', 'not-found', 'unreachable'];
/** Matches paths that already contain a version, such as `/v1`, `/v1beta/openai` and `/api/v2`. */
const VERSIONED = /\/v\d/;

/**
 * Adds `/v1` to the address and requests the list of models there. Sends the key only to the same
 * origin. Rejects only with an `AbortError`.
 * @param found the fault that occurred at the given address
 * @returns the address with `/v1` if the server lists its models or rejects the key there, otherwise
 *   `null`
 */
async function findAddress(target: Target, found: Fault, list: List, signal: AbortSignal): Promise<string | null> {
  if (!NOTHING_THERE.includes(found.code) || target.preset.place === 'service') return null;
  if (!URL.canParse(target.baseUrl) || VERSIONED.test(new URL(target.baseUrl).pathname)) return null;
  const baseUrl = `${target.baseUrl}/v1`;
  try {
    await list({ ...target, baseUrl }, signal);
    return baseUrl;
  } catch (thrown) {
    if (!(thrown instanceof FaultError)) throw thrown;
    return thrown.fault.code === 'unauthorized' ? baseUrl : null;
  }
}
