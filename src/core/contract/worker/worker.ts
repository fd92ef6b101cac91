/** @file Workers: what a run records about them, and how they are called. */
import type { Fault } from '../fault';
import type { PublishedRecord } from '../model/known-model';
import type { FinishReason, Message, Sampling, Usage } from '../model/message';
import type { ChannelText } from '../model/channel-text';
import { ROLES, type Role } from '../workflow/workflow';
import { DOMAINS, type Domain } from './domain';
import { sameSampling, type WorkerSampling } from './worker-sampling';

/**
 * - `simulated`: a program in this page that solves puzzles (core/simulation)
 * - `endpoint`: an OpenAI-compatible URL
 * - `local`: the model loaded in this page
 * - `python`: runs code in the sandbox
 * - `recorded`: replays answers or scores from an imported table (core/evaluation/recorded). It calls no model
 * - `conductor`: the Conductor itself, the pool's last entry when recursion is on
 */
export const WORKER_KINDS = ['simulated', 'endpoint', 'local', 'python', 'recorded', 'conductor'] as const;
export type WorkerKind = (typeof WORKER_KINDS)[number];

/** US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Price of input read from the provider's cache. Absent: the price of other input. */
  readonly cachedInput?: number;
  /** Maximum extra cost of one call in US dollars, for example of a web search. Absent: 0. */
  readonly perCall?: number;
}

/** A run's snapshot of a worker. It never contains a key, nor any part of a URL other than its origin. */
export interface PoolWorker {
  /** Never changes while the worker exists, because runs refer to it. */
  readonly id: string;
  readonly name: string;
  /** Two letters that stand for the worker in figures. */
  readonly mark: string;
  /** The number of the worker's colour, from 1 to 9. 0 for the Conductor's own entry. */
  readonly colour: number;
  readonly kind: WorkerKind;
  readonly model: string;
  /** The origin of the worker's address, such as `https://api.example.com`. `null` if nothing leaves the page. */
  readonly origin: string | null;
  /** `null`: unknown, so the worker cannot be called under a money cap. A free worker has prices of zero. */
  readonly price: Price | null;
  /** One plain sentence, shown to the Conductor with the name. */
  readonly description?: string;
  /** Declared strength for each role, 0 to 1. */
  readonly strengths?: Partial<Record<Role, number>>;
  /** Declared strength for each domain, 0 to 1. */
  readonly domains?: Partial<Record<Domain, number>>;
  /** The published facts about the worker's model. Absent: no facts are known. */
  readonly published?: PublishedRecord;
  /** Whether the worker receives the images of a question. Absent: no. */
  readonly canSee?: boolean;
  /** Whether the worker's setup requests thinking. Absent: the run's effort or the model decides. */
  readonly thinks?: boolean;
  /** The model's context window in tokens, if known. */
  readonly contextWindow?: number;
  /** The worker's own sampling settings, which override the run's. See `samplingOf`. */
  readonly sampling?: WorkerSampling;
  /** The system message of each step. Absent: none. */
  readonly system?: string;
  /** Whether the worker's calls may search the web. Absent: no. */
  readonly web?: boolean;
}

/** The parameters of a call in addition to its messages. */
export interface WorkerOptions extends Sampling {
  readonly worker: PoolWorker;
  /** 0-based number of the attempt at this step. Automatic and manual attempts are counted together. */
  readonly attempt: number;
  /** The seed of simulated workers. All attempts at the same step of a round in a run have the same seed. */
  readonly seed: number;
  /** Id of the task in its dataset, for recorded workers. Absent: the run belongs to no batch. */
  readonly task?: string;
}

/**
 * The events of a call, in order: any number of `waiting`, any number of `delta`, then exactly one `finished` or
 * `failed`. A `waiting` with `for: null` means that the wait is over and the call is sent. A stream without
 * `finished` or `failed` was cut off. A `failed` event also has usage and cost if the provider reported them.
 */
export type WorkerEvent =
  | ({ readonly type: 'waiting' } & Waiting)
  | ({
      readonly type: 'delta';
      /** The usage so far, as counted by the engine. Used if the call ends early. Absent: not counted. */
      readonly usage?: Usage;
    } & ChannelText)
  | {
      readonly type: 'finished';
      readonly usage: Usage | null;
      /** US dollars as reported by the provider. `null`: the provider reported no cost. */
      readonly cost: number | null;
      readonly finishReason: FinishReason;
    }
  | { readonly type: 'failed'; readonly fault: Fault; readonly usage: Usage | null; readonly cost: number | null };

/**
 * The reason why a call waits before it is sent.
 * - `limit`: a limit set by the provider or the user
 * - `place`: other calls to the same provider or to the local model. One of these calls must end first
 * - `money`: calls in progress that may use up the daily budget
 */
export const WAITING_FOR = ['limit', 'place', 'money'] as const;
export type WaitingFor = (typeof WAITING_FOR)[number];

/** Reports that a call waits, or that it no longer waits. */
export interface Waiting {
  /** The reason for the wait. `null`: the call is sent now. */
  readonly for: WaitingFor | null;
  /** Expected delay in ms, if known. */
  readonly delay: number | null;
}

/** Calls workers of one kind. */
export interface WorkerClient {
  /**
   * Makes exactly one attempt, without retries. If the caller leaves the loop early or aborts the signal, the call is
   * cancelled at the server. After an abort the iteration throws an `AbortError`. All other failures are `failed` events.
   */
  run(messages: readonly Message[], options: WorkerOptions, signal: AbortSignal): AsyncIterable<WorkerEvent>;
}

/** Finds the client for a worker. Throws a `FaultError` (`worker-missing`) if the worker is unknown. */
export type WorkerDirectory = (worker: PoolWorker) => WorkerClient;

/**
 * A call's cost in US dollars, calculated from its usage. The extra cost of a call counts in full. `null` if the price or the usage
 * is unknown.
 */
export function costOf(usage: Usage | null, price: Price | null): number | null {
  if (!usage || !price) return null;
  const cached = Math.min(usage.cached ?? 0, usage.input);
  const input = (usage.input - cached) * price.input + cached * (price.cachedInput ?? price.input);
  return (input + usage.output * price.output) / 1e6 + (price.perCall ?? 0);
}

/** Whether two snapshots of a worker are equal, so that it makes no difference which of them is called. */
export function sameWorker(one: PoolWorker, other: PoolWorker): boolean {
  return (
    FIELDS.every((field) => one[field] === other[field]) &&
    samePrice(one.price, other.price) &&
    sameSampling(one.sampling, other.sampling) &&
    ROLES.every((role) => one.strengths?.[role] === other.strengths?.[role]) &&
    DOMAINS.every((domain) => one.domains?.[domain] === other.domains?.[domain]) &&
    samePublished(one.published, other.published)
  );
}

const FIELDS = [
  'id',
  'name',
  'mark',
  'colour',
  'kind',
  'model',
  'origin',
  'description',
  'canSee',
  'thinks',
  'contextWindow',
  'system',
  'web',
] as const;

function samePublished(one: PublishedRecord | undefined, other: PublishedRecord | undefined): boolean {
  if (!one || !other) return one === other;
  return (
    one.family === other.family &&
    one.setting === other.setting &&
    DOMAINS.every((domain) => one.domains[domain]?.ability === other.domains[domain]?.ability)
  );
}

const PRICES = ['input', 'output', 'cachedInput', 'perCall'] as const;

export function samePrice(one: Price | null, other: Price | null): boolean {
  if (!one || !other) return one === other;
  return PRICES.every((part) => one[part] === other[part]);
}

/** Whether calls to this worker or Conductor send no data out of the page. */
export function isLocal({ origin = null }: { readonly origin?: string | null }): boolean {
  return origin === null;
}

/**
 * - `empty`: neither simulated nor real workers
 * - `practice`: simulated workers, but no real workers
 * - `real`: real workers, but no simulated workers
 * - `mixed`: both
 */
export type PoolKind = 'empty' | 'practice' | 'real' | 'mixed';

/** Whether calls to the worker go to a model. */
export function isReal({ kind }: Pick<PoolWorker, 'kind'>): boolean {
  return kind === 'endpoint' || kind === 'local';
}

/** The kind of a pool. Workers that are neither simulated nor real don't count, such as tools. */
export function poolKind(pool: readonly Pick<PoolWorker, 'kind'>[]): PoolKind {
  const hasSimulated = pool.some(({ kind }) => kind === 'simulated');
  const hasReal = pool.some(isReal);
  if (hasReal) return hasSimulated ? 'mixed' : 'real';
  return hasSimulated ? 'practice' : 'empty';
}
