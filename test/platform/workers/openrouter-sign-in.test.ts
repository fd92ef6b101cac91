import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Fetch } from '../../../src/platform/workers/guarded-fetch';
import { createOpenRouterSignIn, type Place } from '../../../src/platform/workers/openrouter-sign-in';
import { FakeClock } from '../../fixtures/fake-clock';

const HOME = 'https://podium.example/app/';
const CODE = 'code-0123';
const tradeShape = z.object({
  code: z.string(),
  code_verifier: z.string(),
  code_challenge_method: z.literal('S256'),
});

/** A fake tab that shows the page. The sign-in redirects the tab. */
class Tab implements Place {
  url = HOME;
  readonly left: URL[] = [];
  readonly kept = new Map<string, string>();
  readonly storage = {
    getItem: (name: string) => this.kept.get(name) ?? null,
    setItem: (name: string, value: string) => void this.kept.set(name, value),
    removeItem: (name: string) => void this.kept.delete(name),
  };
  replace(url: string): void {
    this.url = url;
  }
  leave(url: string): void {
    this.left.push(new URL(url));
  }
}

/** A fake OpenRouter: returns a key for the verifier that matches the challenge. */
class FakeOpenRouter {
  challenge = '';
  readonly requested: { headers: Record<string, unknown>; body: unknown }[] = [];
  answer: 'key' | 'refuse' | 'nonsense' | 'silence' = 'key';
  #server: Server | undefined;

  async start(): Promise<void> {
    this.#server = createServer((request, response) => {
      let text = '';
      request.on('data', (piece) => (text += String(piece)));
      request.on('end', () => {
        const body = tradeShape.parse(JSON.parse(text));
        this.requested.push({ headers: request.headers, body });
        if (this.answer === 'silence') return;
        const hash = createHash('sha256').update(body.code_verifier).digest('base64url');
        const isRight = body.code === CODE && hash === this.challenge && this.answer !== 'refuse';
        response.writeHead(isRight ? 200 : 403, { 'content-type': 'application/json' });
        response.end(JSON.stringify(this.answer === 'nonsense' ? { hello: 1 } : isRight ? { key: 'sk-or-new' } : {}));
      });
    });
    await new Promise<void>((listening) => this.#server?.listen(0, '127.0.0.1', listening));
  }

  /** Sends requests for OpenRouter to the fake. */
  readonly fetch: Fetch = (url, init) => {
    const address = this.#server?.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    expect(new URL(url).origin).toBe('https://openrouter.ai');
    return fetch(`http://127.0.0.1:${port}${new URL(url).pathname}`, init);
  };

  close(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }
}

let router: FakeOpenRouter;
beforeEach(async () => {
  router = new FakeOpenRouter();
  await router.start();
});
afterEach(() => router.close());

/** Opens the page at the tab's current address. */
function open(tab: Tab, clock = new FakeClock()) {
  const keys: string[] = [];
  const signIn = createOpenRouterSignIn({
    place: tab,
    clock,
    keep: (key) => Promise.resolve(void keys.push(key)),
    backTo: '#/workers',
    fetch: router.fetch,
  });
  return { signIn, keys };
}

/** Starts the sign-in, and returns from OpenRouter with this query in the address. */
async function signInAndReturn(tab: Tab, query: string): Promise<void> {
  await open(tab).signIn.start();
  router.challenge = tab.left[0]?.searchParams.get('code_challenge') ?? '';
  tab.url = `${HOME}?${query}`;
}

describe('signing in', () => {
  test('redirects to OpenRouter with a challenge, and keeps the verifier in this tab', async () => {
    const tab = new Tab();
    tab.url = `${HOME}?from=mail#/settings`;
    const { signIn } = open(tab);
    expect(await signIn.outcome).toBeNull();
    await signIn.start();
    const [left] = tab.left;
    expect(left?.origin).toBe('https://openrouter.ai');
    expect(left?.pathname).toBe('/auth');
    expect(left?.searchParams.get('callback_url')).toBe(HOME);
    expect(left?.searchParams.get('code_challenge_method')).toBe('S256');
    const [verifier = ''] = tab.kept.values();
    expect(verifier).toMatch(/^[\w-]{43}$/);
    expect(left?.searchParams.get('code_challenge')).toBe(createHash('sha256').update(verifier).digest('base64url'));
    expect(left?.href).not.toContain(verifier);
  });

  test('stores the key, deletes the code from the address, and deletes the verifier from the tab', async () => {
    const tab = new Tab();
    await signInAndReturn(tab, `code=${CODE}`);
    const { signIn, keys } = open(tab);
    // The code is removed at once, so that no later script can read it.
    expect(tab.url).toBe(`${HOME}#/workers`);
    expect(await signIn.outcome).toEqual({ ok: true });
    expect(keys).toEqual(['sk-or-new']);
    expect(tab.kept.size).toBe(0);
    expect(router.requested).toHaveLength(1);
    expect(router.requested[0]?.headers).not.toHaveProperty('authorization');
  });

  test('uses a new verifier each time', async () => {
    const tab = new Tab();
    await open(tab).signIn.start();
    const [first] = tab.kept.values();
    await open(tab).signIn.start();
    expect([...tab.kept.values()]).not.toEqual([first]);
  });

  test('ignores a code that this tab did not request, and removes it from the address', async () => {
    const tab = new Tab();
    tab.url = `${HOME}?code=${CODE}#/runs`;
    const { signIn, keys } = open(tab);
    expect(await signIn.outcome).toBeNull();
    expect([keys, router.requested, tab.url]).toEqual([[], [], `${HOME}#/runs`]);
  });

  test.each([
    ['refuse', `code=${CODE}`, 'unauthorized'],
    ['nonsense', `code=${CODE}`, 'unauthorized'],
    ['key', 'code=other', 'unauthorized'],
    ['key', 'error=access_denied', 'forbidden'],
  ] as const)(
    'suggests signing in again or entering a key after the answer “%s” to the query %s',
    async (answer, query, code) => {
      const tab = new Tab();
      await signInAndReturn(tab, query);
      router.answer = answer;
      const { signIn, keys } = open(tab);
      expect(await signIn.outcome).toMatchObject({
        ok: false,
        fault: { code, message: expect.stringMatching(/Sign in again, or enter a key/) },
      });
      expect([keys, tab.kept.size, tab.url]).toEqual([[], 0, `${HOME}#/workers`]);
    },
  );

  test('times out if OpenRouter does not answer within 20 s', async () => {
    const tab = new Tab();
    await signInAndReturn(tab, `code=${CODE}`);
    router.answer = 'silence';
    const clock = new FakeClock();
    const { signIn } = open(tab, clock);
    await expect.poll(() => router.requested.length).toBe(1);
    await clock.advance(20_000);
    expect(await signIn.outcome).toMatchObject({ ok: false, fault: { code: 'timeout' } });
  });

  test('reports that OpenRouter is unreachable', async () => {
    const tab = new Tab();
    await signInAndReturn(tab, `code=${CODE}`);
    router.close();
    expect(await open(tab).signIn.outcome).toMatchObject({ ok: false, fault: { code: 'unreachable' } });
  });
});
