/**
 * @file What the tabs of one browser tell each other of limits, so that no tab has to run into one that another has met. Only
 * a hint: a tab that hears nothing learns by itself. Lanes are named as in `call.ts`, by a digest; no key leaves its tab.
 */
import * as z from 'zod/mini';

z.config({ jitless: true });

/** Whose limits are counted together, and where. */
const place = { origin: z.string(), lane: z.string() };
const moment = z.number().check(z.gte(0));
const most = z.optional(z.nullable(z.number().check(z.gte(1))));
const news = z.discriminatedUnion('type', [
  /** A call has left. */
  z.object({ type: z.literal('left'), ...place, at: moment, tokens: z.number().check(z.gte(0)) }),
  /** A call was turned away, and what was learnt from that. */
  z.object({
    type: z.literal('learnt'),
    ...place,
    /** When it was learnt, whoever tells it, and until when calls pause, ms since the epoch. */
    at: moment,
    pausedUntil: moment,
    /** Calls that may be under way at once, and the most that went well; `null`: as many as one likes. */
    width: z.number().check(z.gte(1)),
    ceiling: z.nullable(z.number().check(z.gte(1))),
    limits: z.object({ requestsPerMinute: most, tokensPerMinute: most }),
  }),
  /** A tab was opened, and wants to be told. */
  z.object({ type: z.literal('asked') }),
]);

export type LimitNews = z.infer<typeof news>;

/** A tab does not hear itself. */
export interface LimitChannel {
  tell(told: LimitNews): void;
  listen(heard: (told: LimitNews) => void): void;
}

/** Without BroadcastChannel nobody hears anything. What is no news of this version is passed over. */
export function createLimitChannel(name = 'podium limits'): LimitChannel & { close(): void } {
  if (!('BroadcastChannel' in globalThis)) return { tell() {}, listen() {}, close() {} };
  const channel = new BroadcastChannel(name);
  return {
    tell: (told) => channel.postMessage(told),
    listen(heard) {
      channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const parsed = z.safeParse(news, data);
        if (parsed.success) heard(parsed.data);
      });
    },
    close: () => channel.close(),
  };
}
