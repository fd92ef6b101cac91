/**
 * @file Workers: what a run remembers of them, and how they are called.
 */
import type { Fault } from '../fault';
import type { PublishedRecord } from '../model/known-model';
import type { Channel, FinishReason, Message, Sampling, Usage } from '../model/message';
import { ROLES, type Role } from '../workflow/workflow';
import { DOMAINS, type Domain } from './domain';

/**
 * - `simulated`: does small real work on puzzles in this page (core/simulation)
 * - `endpoint`: an OpenAI-compatible URL
 * - `local`: the model loaded in this page
 * - `python`: runs code in the sandbox
 * - `conductor`: the Conductor itself, the pool's last entry when recursion is on
 */
export const WORKER_KINDS = ['simulated', 'endpoint', 'local', 'python', 'conductor'] as const;
export type WorkerKind = (typeof WORKER_KINDS)[number];

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** For input that the provider reads from its cache. Absent: as other input. */
  readonly cachedInput?: number;
}

/** What a run snapshots of a worker. Never a key, never a URL beyond its origin. */
export interface PoolWorker {
  /** Stable for as long as the worker exists; history is counted by it. */
  readonly id: string;
  readonly name: string;
  /** Two letters shown beside the colour, which is a number from 1 to 9. */
  readonly mark: string;
  readonly colour: number;
  readonly kind: WorkerKind;
  readonly model: string;
  /** Where it is called, e.g. `https://api.example.com`; `null` if nothing leaves the page. */
  readonly origin: string | null;
  /** `null`: unknown, which cannot satisfy a money cap. Free is zero. */
  readonly price: Price | null;
  /** One plain sentence, told to the Conductor where names are shown. */
  readonly description?: string;
  /** Declared strength for each role, 0 to 1. */
  readonly strengths?: Partial<Record<Role, number>>;
  /** Declared strength for each domain, 0 to 1. */
  readonly domains?: Partial<Record<Domain, number>>;
  /** What is published of its model. Absent: nothing, or it is not matched. */
  readonly published?: PublishedRecord;
  /** Whether it is sent the images of a question. Absent: no. See `canSee`. */
  readonly canSee?: boolean;
  /** Tokens the model can take in, where known. */
  readonly contextWindow?: number;
}

/** What a call is told beside its messages. */
export interface WorkerOptions extends Sampling {
  readonly worker: PoolWorker;
  /** 0-based; counts the automatic and manual attempts at the same step. */
  readonly attempt: number;
  /** Same run, round and step: same seed, whatever the attempt. Simulated workers depend on it alone. */
  readonly seed: number;
}

/**
 * What a worker says, in order: any number of `waiting`, any number of `delta`, then exactly one `finished` or `failed`, then
 * the end. A call that waited and then leaves says so with a `waiting` for nothing.
 * A stream that ends without an end of its own was cut off. Usage and cost stand on failures too, where the other side told them.
 */
export type WorkerEvent =
  | ({ readonly type: 'waiting' } & Waiting)
  | { readonly type: 'delta'; readonly channel: Channel; readonly text: string }
  | {
      readonly type: 'finished';
      readonly usage: Usage | null;
      /** US dollars, as the provider told it; `null`: work it out from usage and price. */
      readonly cost: number | null;
      readonly finishReason: FinishReason;
    }
  | { readonly type: 'failed'; readonly fault: Fault; readonly usage: Usage | null; readonly cost: number | null };

/**
 * What a call waits for before it may leave.
 * - `limit`: a limit of the provider's, or one that the user set
 * - `place`: another call to the same provider to end
 * - `money`: calls under way that may use up what the day allows
 */
export const WAITING_FOR = ['limit', 'place', 'money'] as const;
export type WaitingFor = (typeof WAITING_FOR)[number];

/** Says that a call has not left yet, or that it leaves now. */
export interface Waiting {
  /** `null`: it waits no longer. */
  readonly for: WaitingFor | null;
  /** For how long, ms, as far as that is known. */
  readonly delay: number | null;
}

/** Calls one kind of worker. */
export interface WorkerClient {
  /**
   * Makes exactly one attempt: no retries of its own. Leaving the loop early, or aborting the signal, cancels the call
   * upstream; after an abort the iteration throws an `AbortError`. Everything else that goes wrong is a `failed` event.
   */
  run(messages: readonly Message[], options: WorkerOptions, signal: AbortSignal): AsyncIterable<WorkerEvent>;
}

/** Finds the client for a worker. Throws a `FaultError` (`worker-missing`) for one it does not know. */
export type WorkerDirectory = (worker: PoolWorker) => WorkerClient;

/** A call's cost in US dollars from its usage, or `null` where the price or the usage is unknown. */
export function costOf(usage: Usage | null, price: Price | null): number | null {
  if (!usage || !price) return null;
  const cached = Math.min(usage.cached ?? 0, usage.input);
  const input = (usage.input - cached) * price.input + cached * (price.cachedInput ?? price.input);
  return (input + usage.output * price.output) / 1e6;
}

/** Whether two workers are set up alike, so that a call to either is the same call at the same price. */
export function sameWorker(one: PoolWorker, other: PoolWorker): boolean {
  return (
    FIELDS.every((field) => one[field] === other[field]) &&
    samePrice(one.price, other.price) &&
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
  'contextWindow',
] as const;

function samePublished(one: PublishedRecord | undefined, other: PublishedRecord | undefined): boolean {
  if (!one || !other) return one === other;
  return (
    one.family === other.family &&
    one.setting === other.setting &&
    DOMAINS.every((domain) => one.domains[domain]?.ability === other.domains[domain]?.ability)
  );
}

export function samePrice(one: Price | null, other: Price | null): boolean {
  if (!one || !other) return one === other;
  return one.input === other.input && one.output === other.output && one.cachedInput === other.cachedInput;
}

/** Whether nothing leaves the page when this worker is called. */
export function isLocal(worker: PoolWorker): boolean {
  return worker.origin === null;
}
