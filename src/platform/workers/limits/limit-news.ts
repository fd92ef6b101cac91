/**
 * @file Shares learned limits between tabs, so that all tabs respect a limit that one tab has hit. The messages are only hints.
 * A tab that misses a message learns the limits itself. Lanes are identified by a digest of the key (see `call.ts`), so no key
 * leaves its tab.
 */
import * as z from 'zod/mini';

z.config({ jitless: true });

/** The origin of a server, and the lane: the calls to this server that share limits. */
const place = { origin: z.string(), lane: z.string() };
const moment = z.number().check(z.gte(0));
const most = z.optional(z.nullable(z.number().check(z.gte(1))));
const news = z.discriminatedUnion('type', [
  /** A call was sent. */
  z.object({ type: z.literal('sent'), ...place, at: moment, tokens: z.number().check(z.gte(0)) }),
  /**
   * The limits that a lane has learned. Sent after a rate-limit or overload error, and in reply to
   * `requested`.
   */
  z.object({
    type: z.literal('learned'),
    ...place,
    /** When a tab learned the limits from the error, and when the pause ends, ms since the epoch. */
    at: moment,
    pausedUntil: moment,
    /**
     * Maximum number of parallel calls at present, and the highest number that is expected to work. `null`:
     * unknown.
     */
    width: z.number().check(z.gte(1)),
    ceiling: z.nullable(z.number().check(z.gte(1))),
    limits: z.object({ requestsPerMinute: most, tokensPerMinute: most }),
  }),
  /** A new tab requests the limits that other tabs have learned. */
  z.object({ type: z.literal('requested') }),
]);

export type LimitNews = z.infer<typeof news>;

/** A tab does not receive its own messages. */
export interface LimitChannel {
  send(news: LimitNews): void;
  listen(listener: (news: LimitNews) => void): void;
}

/** Without BroadcastChannel there are no messages. Messages of other versions are ignored. */
export function createLimitChannel(name = 'podium limits'): LimitChannel & { close(): void } {
  if (!('BroadcastChannel' in globalThis)) return { send() {}, listen() {}, close() {} };
  const channel = new BroadcastChannel(name);
  return {
    send: (message) => channel.postMessage(message),
    listen(listener) {
      channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const parsed = z.safeParse(news, data);
        if (parsed.success) listener(parsed.data);
      });
    },
    close: () => channel.close(),
  };
}
