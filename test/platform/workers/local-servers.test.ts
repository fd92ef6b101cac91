import { expect, test } from 'vitest';
import { createWorkerTester } from '../../../src/platform/workers/tester';
import { FakeClock } from '../../fixtures/fake-clock';

const never = () => new AbortController().signal;

/** How the servers at some ports answer. All other ports are closed. */
type Ports = Readonly<Record<string, (init: RequestInit) => Response>>;

function find(ports: Ports) {
  const sent: RequestInit[] = [];
  const tester = createWorkerTester({
    clock: new FakeClock(),
    fetch(url, init) {
      sent.push(init);
      const answer = ports[new URL(url).port];
      return answer ? Promise.resolve().then(() => answer(init)) : Promise.reject(new TypeError('Failed to fetch'));
    },
  });
  return { sent, found: tester.findLocal(never()) };
}

/** A server that refuses the page's origin: only a request without CORS gets through. */
function refusesPages({ mode }: RequestInit): Response {
  if (mode === 'no-cors') return new Response();
  throw new TypeError('Failed to fetch');
}
const models = () => Response.json({ data: [{ id: 'a' }, { id: 'b' }] });

test('servers on this computer are told apart: open, in need of a key, and closed to this page', async () => {
  const { found, sent } = find({
    '11434': refusesPages,
    '1234': models,
    '8000': () => new Response('Who are you?', { status: 401 }),
    '8080': () => new Response('<h1>Another program</h1>', { status: 404 }),
  });
  expect(await found).toMatchObject([
    { provider: 'ollama', state: 'closed', advice: expect.stringMatching(/refuses this page\. Set OLLAMA_ORIGINS/) },
    { provider: 'lm-studio', state: 'open', models: 2, baseUrl: 'http://localhost:1234/v1' },
    { provider: 'vllm', state: 'locked', advice: 'It needs a key.' },
  ]);
  for (const { headers } of sent) expect(new Headers(headers).get('authorization')).toBeNull();
});

test('no server is found where none answers', async () => {
  expect(await find({}).found).toEqual([]);
});
