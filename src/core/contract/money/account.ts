/**
 * @file The usage and cost of a call that has ended. If the provider reported no usage, it is estimated from
 * the sent and received texts. If the provider reported no cost, it is calculated from usage and price.
 */
import type { ConductorInfo } from '../workflow/conductor-info';
import { estimateInput, estimateTokens } from './estimate';
import { fault, TURNED_AWAY_CODES, type Fault, type FaultCode } from '../fault';
import type { Message, Usage } from '../model/message';
import { costOf, type PoolWorker } from '../worker/worker';

/** Tokens and US dollars of one call. `null` if unknown. */
export interface Account {
  readonly usage: Usage | null;
  readonly cost: number | null;
  /** Whether the provider reported the cost. Otherwise it is calculated from tokens and price. */
  readonly billed?: boolean;
}

/** The account of a call that was never sent. */
export const NOTHING_SPENT: Account = { usage: null, cost: 0 };
/** The account of a call that may have been charged, but whose usage and cost are unknown. */
export const UNKNOWN_ACCOUNT: Account = { usage: null, cost: null };

/** The fields that determine the cost of calls to a worker, or to a Conductor's model. */
export type Charged = Pick<PoolWorker, 'name' | 'kind' | 'price' | 'origin'>;

/** A Conductor as the payee of a call. */
export function chargedBy({ label, origin = null, price = null }: ConductorInfo): Charged {
  return { name: label, kind: 'conductor', price, origin };
}

/** The sent messages, the received answer, and the figures that the provider reported. */
export interface CallRecord {
  readonly worker: Charged;
  readonly messages: readonly Message[];
  readonly output: string;
  readonly reasoning: string;
  readonly maxTokens: number;
  readonly reported: Account;
  readonly fault: Fault | null;
}

const TURNED_AWAY: ReadonlySet<FaultCode> = new Set(TURNED_AWAY_CODES);

/**
 * Whether calls to a worker are free. Free workers are simulated workers, workers with a price of zero, and workers that run in
 * this page and have no price. Replaying a recorded answer is free, too, although the answer has a recorded cost.
 */
export function isFree({ kind, price, origin }: Charged): boolean {
  if (kind === 'simulated' || kind === 'recorded') return true;
  return price ? price.input + price.output + (price.perCall ?? 0) === 0 : origin === null;
}

/** Maximum cost of a call in US dollars. `null` if the price is unknown. */
export function worstCost(who: Charged, input: number, output: number): number | null {
  if (isFree(who)) return 0;
  return who.price && costOf({ input, output }, who.price);
}

/** The fault for a call that a money limit forbids, because the worker's price is unknown. */
export function priceUnknown(name: string): Fault {
  const message = `${name} can't be called under a money limit, because its price is unknown. Enter the price under Workers, leave ${name} out, or remove the limit.`;
  return fault('price-unknown', message);
}

/**
 * Usage and cost as reported by the provider. Some servers report zero tokens for a prompt or an answer that has text. Then the
 * number is estimated, so that token and money limits still work. The following rules fill in what the provider did not report:
 * - If the call was rejected before any work was done, the usage is `null` and the cost is zero.
 * - If a paid call stalled before any text arrived, and the provider reported neither usage nor cost, both
 *   stay unknown (`null`), because the model may have been thinking.
 * - In all other cases, the usage is estimated and marked as estimated. The cost is zero if the worker is
 *   free. Otherwise, it is calculated from usage and price.
 *
 * Recorded answers are an exception. Replaying them is free, but the result contains the recorded cost. If no
 * cost was recorded, the cost is unknown.
 */
export function accountFor(call: CallRecord): Account {
  const { reported, worker } = call;
  const isEmpty = call.output === '' && call.reasoning === '';
  if (!reported.usage && isEmpty && call.fault && TURNED_AWAY.has(call.fault.code))
    return { usage: null, cost: reported.cost ?? 0 };
  const isSilent = !reported.usage && isEmpty && call.fault?.code === 'stalled';
  if (isSilent && !isFree(worker) && reported.cost === null) return UNKNOWN_ACCOUNT;
  const usage = reported.usage ? withoutZeros(reported.usage, call) : estimateUsage(call);
  if (isFree(worker) && worker.kind !== 'recorded') return { usage, cost: reported.cost ?? 0 };
  if (reported.cost !== null) return { usage, cost: reported.cost, billed: true };
  return { usage, cost: costOf(usage, worker.price) };
}

const COUNTED: ReadonlySet<Charged['kind']> = new Set(['endpoint', 'local', 'conductor']);

/** Replaces zeros with estimates if the call has an answer. Workers that are no language models keep their zeros. */
function withoutZeros(reported: Usage, call: CallRecord): Usage {
  const isEmpty = call.output === '' && call.reasoning === '';
  if (isEmpty || !COUNTED.has(call.worker.kind) || (reported.input > 0 && reported.output > 0)) return reported;
  const guess = estimateUsage(call);
  return {
    ...reported,
    input: reported.input || guess.input,
    output: reported.output || guess.output,
    estimated: true,
  };
}

function estimateUsage({ messages, output, reasoning, maxTokens }: CallRecord): Usage {
  const reasoned = Math.min(maxTokens, estimateTokens(reasoning));
  const written = Math.min(maxTokens, reasoned + estimateTokens(output));
  return { input: estimateInput(messages), output: written, reasoning: reasoned, estimated: true };
}
