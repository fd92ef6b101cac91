/**
 * @file The `fetch` with which the command line calls workers. Node gives up after five minutes without headers or data, but a
 * worker may think for longer. Podium has time limits of its own.
 */
import type { Fetch } from '../platform/workers/guarded-fetch';

/** Where Node keeps the agent that carries out its requests. Node does not export the agent’s class. */
const AGENT = Symbol.for('undici.globalDispatcher.1');
const NO_LIMITS = { headersTimeout: 0, bodyTimeout: 0 };

/** If Node's agent is not found, its time limits stay in place. */
export function createPatientFetch(): Fetch {
  let agent: Promise<object | null> | null = null;
  return async (url, init) => {
    agent ??= createAgent();
    const dispatcher = await agent;
    return fetch(url, dispatcher ? Object.assign({ dispatcher }, init) : init);
  };
}

async function createAgent(): Promise<object | null> {
  // Node creates its agent for the first request.
  await fetch('data:,');
  const present: unknown = Reflect.get(globalThis, AGENT);
  if (typeof present !== 'object' || present === null) return null;
  const created: unknown = Reflect.construct(present.constructor, [NO_LIMITS]);
  return typeof created === 'object' ? created : null;
}
