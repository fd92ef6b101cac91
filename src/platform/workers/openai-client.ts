/**
 * @file Calls workers at any OpenAI-compatible URL directly, without an intermediate Podium server.
 */
import {
  abortError,
  fault,
  keyIdOf,
  LEARNED_LIMITS,
  originOf,
  picked,
  SETUP_NUMBER_NAMES,
  toFault,
  familyOf,
  type Clock,
  type Extras,
  type Fault,
  type ImageStore,
  type KeySource,
  type ReasoningLevel,
  type WorkerClient,
  type WorkerEvent,
  type WorkerOptions,
  type WorkerSetup,
} from '../../core/contract';
import { readExtras } from '../../core/contract/worker/connection-extras';
import { extraFieldsProblem } from '../../core/contract/worker/extra-fields';
import { complete } from './completion';
import type { Fetch } from './guarded-fetch';
import { createGate, type Gate } from './limits/gate';
import { createRefusedSettings, type RefusedSettings } from './settings';
import { presetOf } from './providers';
import { withImages, type SentMessage } from './sent-message';
import type { Target } from './target';
import { KNOWN_MODELS } from './known-models';

export const FIRST_BYTE_TIMEOUT = 240_000;
export const IDLE_TIMEOUT = 60_000;

export interface OpenAiWorkersOptions {
  /** The worker's current setup. `undefined` if the worker was removed. */
  readonly setup: (workerId: string) => WorkerSetup | undefined;
  readonly keys: KeySource;
  /** The images of questions. Absent: there are no images. */
  readonly images?: Pick<ImageStore, 'get'>;
  readonly clock: Clock;
  /**
   * Delays calls that would exceed a limit. The worker test uses the same gate, because the test's calls
   * count too. Default: a new gate.
   */
  readonly gate?: Gate;
  /** Maximum number of parallel calls to one server. Default: the number of streams in the provider's preset. */
  readonly places?: number;
  /**
   * The settings that providers have rejected. The worker test uses the same record, and leaves out the same
   * settings. Default: none.
   */
  readonly refused?: RefusedSettings;
  /** Longest wait for more bytes before the first text, ms. A model may load or think first. Default 240,000. */
  readonly firstByteTimeout?: number;
  /** Longest wait for more bytes after the first text, ms. Default 60,000. */
  readonly idleTimeout?: number;
  /** Default: the browser's `fetch`. */
  readonly fetch?: Fetch;
  /** The page's window. While the page closes, calls report no failures. Absent outside a page. */
  readonly page?: EventTarget;
}

export function createOpenAiWorkers(options: OpenAiWorkersOptions): WorkerClient {
  const { setup, keys, clock, fetch, images, page } = options;
  const dependencies = {
    clock,
    gate: options.gate ?? createGate(clock),
    refused: options.refused ?? createRefusedSettings(),
    firstByteTimeout: options.firstByteTimeout ?? FIRST_BYTE_TIMEOUT,
    idleTimeout: options.idleTimeout ?? IDLE_TIMEOUT,
    ...(options.places === undefined ? {} : { places: options.places }),
    ...(fetch ? { fetch } : {}),
    ...(page ? { page } : {}),
  };
  return {
    async *run(messages, sampling, signal): AsyncGenerator<WorkerEvent, void, undefined> {
      if (signal.aborted) throw abortError();
      const found = findTarget(sampling, setup(sampling.worker.id), keys);
      if ('fault' in found) {
        yield failed(found.fault);
        return;
      }
      const hasImages = messages.some((message) => message.images);
      // The current setup decides whether the worker can see images, even if the run has recorded another value.
      if (hasImages && setup(sampling.worker.id)?.canSee !== true) {
        const message = `${sampling.worker.name} isn’t marked as able to see images. Mark it under Workers, or choose another worker.`;
        yield failed(fault('bad-request', message));
        return;
      }
      let sent: readonly SentMessage[];
      try {
        // A call without images must not `await` here, because calls would lose their order in the queue.
        sent = hasImages ? await withImages(messages, images) : messages;
      } catch (thrown) {
        yield failed(toFault(thrown));
        return;
      }
      yield* complete({ target: found.target, messages: sent, sampling }, dependencies, signal);
    },
  };
}

function failed(found: Fault): WorkerEvent {
  return { type: 'failed', fault: found, usage: null, cost: null };
}

/**
 * Finds the target of a call. Takes the address from the worker's current setup, never from the run. If the address came from the
 * run, a run from a file could redirect a key to another server.
 */
function findTarget(
  { worker, reasoning, mostThinking }: WorkerOptions,
  setup: WorkerSetup | undefined,
  keys: KeySource,
): { target: Target } | { fault: Fault } {
  if (!setup) {
    const message = `${worker.name} was removed from your workers. Add it again, or choose another worker for this run.`;
    return { fault: fault('worker-missing', message) };
  }
  if (setup.unconfirmed) {
    const message = `${worker.name} came from a file and isn’t confirmed yet. Check its address under Workers and confirm it.`;
    return { fault: fault('worker-missing', message) };
  }
  const origin = originOf(setup.baseUrl);
  if (origin !== worker.origin) {
    const message = `${worker.name} has a different address than when this run began. Resume the run to use the new address.`;
    return { fault: fault('worker-missing', message) };
  }
  if (setup.model !== worker.model) {
    const message = `${worker.name} now uses ${setup.model}, but this run began with ${worker.model}. Resume the run to continue with ${setup.model}.`;
    return { fault: fault('worker-missing', message) };
  }
  const problem = extraFieldsProblem(presetOf(setup).extraFields, setup);
  if (problem !== null) return { fault: fault('bad-request', `${worker.name} has extra fields. ${problem}`) };
  if (worker.price && (setup.extraUsd ?? 0) > (worker.price.perCall ?? 0)) {
    const message = `A call to ${worker.name} may now cost more than when this run began. Resume the run to use the new price.`;
    return { fault: fault('worker-missing', message) };
  }
  const key = setup.needsKey ? keys.get(keyIdOf(setup), origin) : null;
  if (setup.needsKey && key === null) {
    const message = keys.isLocked?.()
      ? `The key of ${worker.name} is locked. Unlock your keys, then try again.`
      : `${worker.name} needs a key. Enter it under Workers. It is kept in memory only, so enter it once each visit.`;
    return { fault: fault('unauthorized', message) };
  }
  const extras = readExtras(keys, setup, origin);
  if (setup.extraNames && extras === null) {
    const message = keys.isLocked?.()
      ? `The extra headers of ${worker.name} are locked. Unlock your keys, then try again.`
      : `${worker.name} needs its extra headers. Edit its connection under Workers, and enter their values again.`;
    return { fault: fault('unauthorized', message) };
  }
  const own = mostThinking ? thinkingMost(setup) : { ...setup, reasoning: thinkingOf(setup, reasoning) };
  return { target: targetOf({ ...own, name: worker.name }, key, extras) };
}

/** The target of a call to a worker. */
export function targetOf(setup: WorkerSetup, key: string | null, extras: Extras | null = null): Target {
  const { name, baseUrl, model, reasoning = null, limits = LEARNED_LIMITS } = setup;
  return {
    ...picked(setup, [...SETUP_NUMBER_NAMES, 'extraFields', 'listed']),
    name,
    baseUrl,
    model,
    key: setup.needsKey ? key : null,
    ...(extras ? { extras } : {}),
    preset: presetOf(setup),
    reasoning,
    limits,
  };
}

// Chooses the thinking level of a worker: the level in its setup, or else the level for the run's effort.

/**
 * @param wanted the level for the run's effort. Used only if the setup has no level, and the model is known to make
 *   thinking optional. For any other model, the server might refuse a call with a level
 * @returns `null` to send no level, so that the model's default applies
 */
export function thinkingOf(
  setup: Pick<WorkerSetup, 'model' | 'reasoning' | 'knownAs'>,
  wanted: ReasoningLevel | undefined,
): ReasoningLevel | null {
  const { reasoning = null } = setup;
  if (reasoning !== null || wanted === undefined) return reasoning;
  const thinking = familyOf(KNOWN_MODELS, setup)?.thinking;
  if (thinking?.thinks !== 'optional') return null;
  // Low effort asks for little thinking. If the model doesn't think by default, it thinks least without a level.
  return wanted === 'low' && thinking.byDefault === false ? null : wanted;
}

/** A setup that thinks as much as possible, if the user or the known facts say that the model accepts a level or a budget. */
function thinkingMost({ reasoningTokens, ...setup }: WorkerSetup): WorkerSetup {
  const isSet = reasoningTokens !== undefined || (setup.reasoning ?? null) !== null;
  return { ...setup, reasoning: isSet ? 'high' : thinkingOf(setup, 'high') };
}
