/**
 * @file Keeps a run under its caps, which are limits on calls, tokens and money. The worst case of each call is reserved before
 * the call is sent. When the call has ended, its actual use is booked instead. So even parallel calls cannot exceed a cap.
 */
import {
  affordableOutput,
  leastOutput,
  fault,
  money,
  priceUnknown,
  worstCost,
  worstInput,
  type Account,
  type CapName,
  type PoolWorker,
  type Caps,
  type Charged,
  type EventBody,
  type Message,
  type Reservation,
  type ReserveResult,
  type Sampling,
} from '../contract';

type CapReached = Extract<EventBody, { type: 'cap-reached' }>;

/**
 * Tolerance when a sum is compared with a cap, as a share of the cap. Sums of prices need a tolerance, because they are
 * floating-point numbers.
 */
const ROUNDING = 1e-9;

export class CapsLedger {
  readonly #caps: Caps;
  readonly #reached: (event: CapReached) => void;
  readonly #reported = new Set<CapName>();
  readonly #spent: { calls: number; tokens: number; usd: number };
  readonly #underWay = new Set<Reservation>();

  /**
   * @param spent the calls, tokens and US dollars of earlier sessions of the run
   * @param reached called once for each cap that refuses a call
   */
  constructor(
    caps: Caps,
    spent: { readonly calls: number; readonly tokens: number; readonly usd: number },
    reached: (event: CapReached) => void,
  ) {
    this.#caps = caps;
    this.#reached = reached;
    this.#spent = { ...spent };
  }

  /**
   * Whether a call was refused because a cap on calls, tokens or money leaves too little. Refusals because of an
   * unknown price don't count.
   */
  get exhausted(): boolean {
    return this.#reported.size > 0;
  }

  /**
   * Reserves the worst case of a call: a high estimate of its prompt, and an answer that uses the whole
   * output limit.
   * - If the finished calls leave too little of a cap for the worst case, the call gets a lower output
   *   limit.
   * - If they leave too little for any answer, the call is refused.
   * - If too little is left only because of reservations of calls in progress, the result is `wait`.
   */
  reserve(
    worker: Charged & Pick<PoolWorker, 'thinks'>,
    messages: readonly Message[],
    sampling: Sampling,
  ): ReserveResult {
    const { calls } = this.#caps;
    const wantedCalls = this.#spent.calls + 1;
    if (wantedCalls > calls) return this.#refuse('calls', calls, wantedCalls);
    const result = this.#setAside(worker, messages, sampling, leastOutput(worker, sampling));
    if (result.type === 'reserved') this.#spent.calls = wantedCalls;
    return result;
  }

  /**
   * Like `reserve`, for a call to the Conductor's model. Such a call doesn't count towards the cap on calls, and its output
   * limit is never lowered.
   */
  reservePlan(conductor: Charged, messages: readonly Message[], sampling: Sampling): ReserveResult {
    return this.#setAside(conductor, messages, sampling, null);
  }

  /** @param least the lowest output limit that the call may get. `null`: its output limit is never lowered */
  #setAside(who: Charged, messages: readonly Message[], { maxTokens }: Sampling, least: number | null): ReserveResult {
    const { tokens: tokenCap, usd: usdCap } = this.#caps;
    const input = tokenCap === null && usdCap === null ? 0 : worstInput(messages);
    const usd = worstCost(who, input, maxTokens);
    if (usdCap !== null && usd === null) return { type: 'refused', fault: priceUnknown(who.name) };
    let reservation: Reservation = { tokens: input + maxTokens, usd: usd ?? 0 };
    const tooMuch = this.#exceeded(reservation);
    if (tooMuch) {
      const room = { tokens: this.#left('tokens'), usd: this.#left('usd') };
      const outputLimit = least === null ? null : affordableOutput(who, input, { maxTokens, least }, room);
      if (outputLimit === null)
        return this.#refuse(tooMuch.cap, tooMuch.limit, this.#spent[tooMuch.cap] + reservation[tooMuch.cap]);
      reservation = { tokens: input + outputLimit, usd: worstCost(who, input, outputLimit) ?? 0, outputLimit };
    }
    if (RESERVED.some((cap) => !this.#fits(cap, this.#spent[cap] + reservation[cap] + this.#held(cap), reservation)))
      return { type: 'wait' };
    this.#underWay.add(reservation);
    return { type: 'reserved', reservation };
  }

  /**
   * The first cap that has no room for a reservation. Ignores calls in progress. `null`: the caps on tokens
   * and money have room.
   */
  #exceeded(reservation: Reservation): { readonly cap: (typeof RESERVED)[number]; readonly limit: number } | null {
    for (const cap of RESERVED) {
      const limit = this.#caps[cap];
      if (limit !== null && !this.#fits(cap, this.#spent[cap] + reservation[cap], reservation)) return { cap, limit };
    }
    return null;
  }

  /** Whether a sum stays within a cap. A call that reserves nothing fits even if the cap is exceeded. */
  #fits(cap: (typeof RESERVED)[number], wanted: number, reservation: Reservation): boolean {
    const limit = this.#caps[cap];
    return limit === null || reservation[cap] === 0 || wanted <= limit * (1 + ROUNDING);
  }

  /** How much of a cap is left if the calls in progress are not counted. `null`: there is no cap. */
  #left(cap: (typeof RESERVED)[number]): number | null {
    const limit = this.#caps[cap];
    return limit === null ? null : Math.max(0, limit - this.#spent[cap]);
  }

  /**
   * Books the actual cost of a call and releases its reservation.
   * @param reservation `null`: nothing was reserved for the call
   * @param counted `false`: the call was never sent or hit a rate limit, so it doesn't count towards the cap on calls
   */
  settle(reservation: Reservation | null, account: Account, counted = true): void {
    if (reservation) this.#underWay.delete(reservation);
    if (!counted) this.#spent.calls = Math.max(0, this.#spent.calls - 1);
    this.book(account);
  }

  /** Books a cost without a reservation. */
  book({ usage, cost }: Account): void {
    this.#spent.tokens += usage ? usage.input + usage.output : 0;
    this.#spent.usd += cost ?? 0;
  }

  #held(cap: (typeof RESERVED)[number]): number {
    let held = 0;
    for (const reservation of this.#underWay) held += reservation[cap];
    return held;
  }

  #refuse(cap: 'calls' | 'tokens' | 'usd', limit: number, wanted: number): ReserveResult {
    const spent = this.#spent[cap];
    if (!this.#reported.has(cap)) {
      this.#reported.add(cap);
      this.#reached({ type: 'cap-reached', cap, limit, wanted });
    }
    return { type: 'refused', fault: fault('cap-reached', capSentence(cap, { limit, needed: wanted - spent, spent })) };
  }
}

/** The caps for which a call reserves an amount. */
const RESERVED = ['tokens', 'usd'] as const;

/**
 * The error message when a cap refuses a call. All amounts are in the unit of the cap. `needed` is the most that the call could
 * use. `spent` is what the run has used so far.
 */
function capSentence(
  cap: 'calls' | 'tokens' | 'usd',
  { limit, needed, spent }: { readonly limit: number; readonly needed: number; readonly spent: number },
): string {
  const left = Math.max(0, limit - spent);
  switch (cap) {
    case 'calls':
      return limit === 1
        ? 'This run is limited to one call, which is already used. Raise the limit to continue.'
        : `This run is limited to ${limit} calls, and all of them are used. Raise the limit to continue.`;
    case 'tokens':
      return `This run is limited to ${count(limit)} tokens. The next call could use up to ${count(needed)}, and ${count(left)} are left. Raise the limit or allow shorter answers to continue.`;
    case 'usd':
      return `This run may cost at most ${money(limit)}. The next call could cost up to ${money(needed)}, and ${money(left)} is left. Raise the budget or allow shorter answers to continue.`;
    default:
      return cap satisfies never;
  }
}

function count(tokens: number): string {
  return Math.round(tokens).toLocaleString('en-US');
}
