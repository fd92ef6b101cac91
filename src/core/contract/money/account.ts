/**
 * @file What one call turned out to cost, from what the other side told and, where it told nothing, from what was sent and
 * what came.
 */
import type { ConductorInfo } from '../workflow/conductor-info';
import { estimateInput, estimateTokens } from './estimate';
import { fault, TURNED_AWAY_CODES, type Fault, type FaultCode } from '../fault';
import type { Message, Usage } from '../model/message';
import { costOf, type PoolWorker } from '../worker/worker';

/** Tokens and US dollars of one call; `null` where unknown. */
export interface Account {
  readonly usage: Usage | null;
  readonly cost: number | null;
  /** Whether the cost is the provider's own figure, and not worked out from tokens and price. */
  readonly billed?: boolean;
}

/** A call that never left. */
export const NOTHING_SPENT: Account = { usage: null, cost: 0 };

/** Who is called, as far as it decides what a call costs: a worker, or a Conductor that asks a model. */
export type Charged = Pick<PoolWorker, 'name' | 'kind' | 'price' | 'origin'>;

/** A Conductor as someone who charges. */
export function chargedBy({ label, origin = null, price = null }: ConductorInfo): Charged {
  return { name: label, kind: 'conductor', price, origin };
}

/** What was sent, what came, and what was told of it. */
export interface CallRecord {
  readonly worker: Charged;
  readonly messages: readonly Message[];
  readonly output: string;
  readonly reasoning: string;
  readonly maxTokens: number;
  readonly told: Account;
  readonly fault: Fault | null;
}

const TURNED_AWAY: ReadonlySet<FaultCode> = new Set(TURNED_AWAY_CODES);

/** Whether calling it costs nothing: a simulated worker, one in this page without a price, or one whose price is zero. */
export function isFree({ kind, price, origin }: Charged): boolean {
  if (kind === 'simulated') return true;
  return price ? price.input === 0 && price.output === 0 : origin === null;
}

/** The most a call may cost, US dollars; `null` where its price is unknown. */
export function worstCost(who: Charged, input: number, output: number): number | null {
  if (isFree(who)) return 0;
  return who.price && (input * who.price.input + output * who.price.output) / 1e6;
}

/** Why a worker without a known price is not called under a limit on money. */
export function priceUnknown(name: string): Fault {
  const message = `The price of ${name} is unknown, so it can't be called under a money limit. Enter its price under Workers, leave it out, or remove the limit.`;
  return fault('price-unknown', message);
}

/** Usage is as told, else estimated and marked so; the cost is as told, else worked out from usage and price. */
export function accountFor(call: CallRecord): Account {
  const { told, worker } = call;
  const nothingCame = call.output === '' && call.reasoning === '';
  if (!told.usage && nothingCame && call.fault && TURNED_AWAY.has(call.fault.code))
    return { usage: null, cost: told.cost ?? 0 };
  const usage = told.usage ?? estimateUsage(call);
  if (isFree(worker)) return { usage, cost: told.cost ?? 0 };
  if (told.cost !== null) return { usage, cost: told.cost, billed: true };
  return { usage, cost: costOf(usage, worker.price) };
}

function estimateUsage({ messages, output, reasoning, maxTokens }: CallRecord): Usage {
  const reasoned = Math.min(maxTokens, estimateTokens(reasoning));
  const written = Math.min(maxTokens, reasoned + estimateTokens(output));
  return { input: estimateInput(messages), output: written, reasoning: reasoned, estimated: true };
}
