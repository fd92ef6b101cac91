/**
 * @file The gate delays each call until the limits of its provider allow it. Calls that share limits form a lane. Usually, all
 * calls with the same key at a provider form one lane. If each model has its own limits, each model has a lane, and the account
 * has another lane for its limits.
 *
 * Calls of a lane are sent in order of arrival. There are never more parallel calls than the browser and the provider support.
 * While a call waits, the gate reports the reason and the expected delay to the caller.
 *
 * No available queue library limits both requests and tokens, accepts an injected clock, and learns limits.
 */
import { abortError, type Clock, type RateLimits, type Waiting } from '../../../core/contract';
import { Lane, type Departure, type LaneCall, type RateLimitReport } from './lane';
import type { LimitChannel, LimitNews } from './limit-news';
import type { Budgets } from './read-limits';

export interface GateCall extends LaneCall {
  readonly origin: string;
  /** Identifies calls that share limits. Never contains a key. */
  readonly lane: string;
  /**
   * The lane of all calls with the key, and the limits that apply to all these calls together. Absent if `lane` already is that
   * lane.
   */
  readonly account?: { readonly lane: string; readonly limits: RateLimits };
}

const OF_ACCOUNT = 'account ';

/** The lane of all calls with a key. */
export function accountLane(who: string): string {
  return OF_ACCOUNT + who;
}

/** One call at the gate. */
export interface Pass {
  /** Resolves when the call may be sent. Rejects with an `AbortError` if the call leaves the queue before that. */
  readonly entered: Promise<void>;
  /** Reports the limits in the reply's headers. */
  reportBudgets(budgets: Budgets): void;
  /** Reports that the provider accepted the call. */
  accept(): void;
  /** Reports that the provider rejected the call because of a rate limit. */
  refuse(how: RateLimitReport): void;
  /** Reports that the provider is overloaded. @param retryAfter the requested pause in ms, or `null` */
  overload(retryAfter: number | null): void;
  /** Leaves the queue. No effect after the call was sent. */
  giveUp(): void;
  /** Reports that the call has ended or was abandoned. @param tokens used tokens, if known */
  leave(tokens?: number | null): void;
}

export interface Gate {
  /**
   * @param waits called when the call must wait, when the reason changes, and when the wait grows. No longer
   * called after the call was sent
   */
  enter(call: GateCall, waits?: (waiting: Waiting) => void): Pass;
  /** Number of waiting calls at an origin. */
  waiting(origin: string): number;
}

/** A wait is reported again if it grows by at least this time, ms. */
const MIN_REPORTED_CHANGE = 1000;

/** A call in one of its lanes. `call` contains the limits that apply in this lane. */
interface Queue {
  readonly lane: Lane;
  readonly name: string;
  readonly call: LaneCall;
}

interface Ticket {
  readonly call: GateCall;
  /** The lane of the model or the key, then the lane of the account if that is a different lane. */
  readonly queues: readonly [Queue, ...Queue[]];
  readonly waits: (waiting: Waiting) => void;
  readonly open: () => void;
  readonly refuse: (thrown: Error) => void;
  /** One entry for each queue. Empty until the call is sent. */
  departures: readonly Departure[];
  hasLeft: boolean;
  notified: { readonly until: number | null } | null;
}

/** The waiting and running calls at one origin. */
interface OriginQueue {
  waiting: Ticket[];
  underWay: number;
  alarm: { readonly at: number; readonly off: AbortController } | null;
}

/** @param channel channel to other tabs. Without it, each tab learns limits separately */
export function createGate(clock: Clock, channel?: LimitChannel): Gate {
  const originQueues = new Map<string, OriginQueue>();
  const lanes = new Map<string, Lane>();

  function originQueueOf(origin: string): OriginQueue {
    const originQueue = originQueues.get(origin) ?? { waiting: [], underWay: 0, alarm: null };
    originQueues.set(origin, originQueue);
    return originQueue;
  }

  function laneOf({ origin, lane: name }: Pick<GateCall, 'origin' | 'lane'>): Lane {
    const id = idOf(origin, name);
    // The parallel calls of a whole account are limited only after a rate-limit error.
    const lane = lanes.get(id) ?? (name.startsWith(OF_ACCOUNT) ? new Lane(Number.POSITIVE_INFINITY) : new Lane());
    lanes.set(id, lane);
    return lane;
  }

  function queuesOf(call: GateCall): Ticket['queues'] {
    const own = { lane: laneOf(call), name: call.lane, call };
    if (!call.account) return [own];
    const { lane: name, limits } = call.account;
    const ofAccount = { ...call, limits, places: Number.POSITIVE_INFINITY };
    return [own, { lane: laneOf({ origin: call.origin, lane: name }), name, call: ofAccount }];
  }

  /** Sends waiting calls in order of arrival. A call that may not be sent yet blocks the calls behind it in its lane. */
  function advance(originQueue: OriginQueue): void {
    const now = clock.now();
    const held = new Map<Lane, number | null>();
    let wake = Number.POSITIVE_INFINITY;
    for (const ticket of [...originQueue.waiting]) {
      const { call, queues } = ticket;
      const [own] = queues;
      // One connection is reserved for lanes without a running call, so that one model never uses all connections.
      const places = call.places + (own.lane.isIdle ? 1 : 0);
      if (originQueue.underWay >= places) held.set(own.lane, held.get(own.lane) ?? null);
      let holder = queues.find(({ lane }) => held.has(lane));
      for (const queue of holder ? [] : queues) {
        const verdict = queue.lane.verdict(queue.call, now);
        if (verdict.may) continue;
        held.set(queue.lane, verdict.until);
        wake = Math.min(wake, verdict.until ?? wake);
        holder = queue;
        break;
      }
      if (holder) {
        notify(ticket, held.get(holder.lane) ?? null, now);
        continue;
      }
      originQueue.waiting = originQueue.waiting.filter((each) => each !== ticket);
      originQueue.underWay += 1;
      ticket.departures = queues.map((queue) => queue.lane.leave(queue.call, now));
      for (const { name } of queues)
        channel?.send({ type: 'sent', origin: call.origin, lane: name, at: now, tokens: call.tokens });
      ticket.open();
    }
    setAlarm(originQueue, wake);
  }

  function notify(ticket: Ticket, until: number | null, now: number): void {
    const { notified } = ticket;
    const isNews = notified === null || (notified.until === null) !== (until === null) || later(notified.until, until);
    if (!isNews) return;
    ticket.notified = { until };
    ticket.waits(until === null ? { for: 'place', delay: null } : { for: 'limit', delay: until - now });
  }

  function setAlarm(originQueue: OriginQueue, at: number): void {
    if (originQueue.alarm?.at === at) return;
    originQueue.alarm?.off.abort();
    originQueue.alarm = null;
    if (at === Number.POSITIVE_INFINITY) return;
    const alarm = { at, off: new AbortController() };
    originQueue.alarm = alarm;
    clock.sleep(Math.max(0, at - clock.now()), alarm.off.signal).then(
      () => {
        if (originQueue.alarm === alarm) originQueue.alarm = null;
        advance(originQueue);
      },
      () => undefined,
    );
  }

  /** Sends the limits that a lane has learned to other tabs. */
  function teach(origin: string, name: string, lane: Lane): void {
    const { learned } = lane;
    if (learned) channel?.send({ type: 'learned', origin, lane: name, ...learned });
  }

  function receive(news: LimitNews): void {
    if (news.type === 'requested') {
      for (const [id, lane] of lanes) teach(...placeOf(id), lane);
      return;
    }
    const lane = laneOf(news);
    const now = clock.now();
    if (news.type === 'sent') lane.note({ at: Math.min(news.at, now), tokens: news.tokens }, now);
    else lane.applyLearnedLimits({ ...news, at: Math.min(news.at, now) }, now);
    advance(originQueueOf(news.origin));
  }

  channel?.listen(receive);
  channel?.send({ type: 'requested' });

  return {
    enter(call, waits = () => undefined) {
      const originQueue = originQueueOf(call.origin);
      const queues = queuesOf(call);
      let open = () => {};
      let refuse: Ticket['refuse'] = () => {};
      const entered = new Promise<void>((resolve, reject) => {
        open = resolve;
        refuse = reject;
      });
      // If the caller stops waiting, nothing else handles a rejection of `entered`.
      entered.catch(() => undefined);
      const ticket: Ticket = { call, queues, waits, open, refuse, departures: [], hasLeft: false, notified: null };
      originQueue.waiting.push(ticket);
      advance(originQueue);

      const underWay = (act: (queue: Queue, departure: Departure) => void, which: readonly Queue[]) => {
        if (ticket.hasLeft) return;
        for (const [index, queue] of queues.entries()) {
          const departure = ticket.departures[index];
          if (departure && which.includes(queue)) act(queue, departure);
        }
      };
      const [own] = queues;
      return {
        entered,
        reportBudgets: (budgets) => underWay(({ lane }, departure) => lane.applyBudgets(departure, budgets), [own]),
        accept: () => underWay(({ lane, call: counted }) => lane.accept(counted), queues),
        refuse: (how) =>
          underWay(
            ({ lane, name }, departure) => {
              lane.refuse(departure, how, clock.now());
              teach(call.origin, name, lane);
            },
            [how.ofAccount === true ? (queues.at(-1) ?? own) : own],
          ),
        overload: (retryAfter) =>
          underWay(
            ({ lane, name }, departure) => {
              lane.overload(departure, retryAfter, clock.now());
              teach(call.origin, name, lane);
            },
            [own],
          ),
        giveUp() {
          if (ticket.departures.length === 0) this.leave();
        },
        leave(tokens = null) {
          if (ticket.hasLeft) return;
          if (ticket.departures.length > 0) {
            for (const [index, departure] of ticket.departures.entries()) queues[index]?.lane.end(departure, tokens);
            originQueue.underWay -= 1;
          } else {
            originQueue.waiting = originQueue.waiting.filter((each) => each !== ticket);
            ticket.refuse(abortError());
          }
          ticket.hasLeft = true;
          advance(originQueue);
        },
      };
    },
    waiting: (origin) => originQueues.get(origin)?.waiting.length ?? 0,
  };
}

/** Identifies a lane. `placeOf` splits the id at the first space, because origins contain no spaces. */
function idOf(origin: string, lane: string): string {
  return `${origin} ${lane}`;
}

function placeOf(id: string): [origin: string, lane: string] {
  const space = id.indexOf(' ');
  return [id.slice(0, space), id.slice(space + 1)];
}

function later(before: number | null, until: number | null): boolean {
  return before !== null && until !== null && until - before >= MIN_REPORTED_CHANGE;
}
