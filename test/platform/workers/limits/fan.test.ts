/** @file Tests a run with twelve parallel workers of one provider, with the real executor, HTTP client and a local server. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toPoolWorker, type Step } from '../../../../src/core/contract';
import { systemClock } from '../../../../src/platform/clock';
import { createMemoryKeys } from '../../../../src/platform/workers/keys';
import { createOpenAiWorkers } from '../../../../src/platform/workers/openai-client';
import { finished, ofType, play, started } from '../../../core/executor/scripted';
import { atMost } from '../../../fixtures/narrow-server';
import { startOpenAiServer, type OpenAiServer } from '../../../fixtures/openai-server';
import { setupOf } from '../calls';

const FAN = 12;
let server: OpenAiServer;

beforeAll(async () => {
  server = await startOpenAiServer();
});
afterAll(() => server.close());

test('twelve parallel workers finish all steps if their provider allows only three parallel calls', async () => {
  const narrow = atMost(3, 'Too many requests. Please try again in 40ms.');
  server.script('fan', narrow.reply);
  const setups = Array.from({ length: FAN }, (_, index) => setupOf(server.url, 'fan', { id: `fan-${index}` }));
  const client = createOpenAiWorkers({
    setup: (id) => setups.find((setup) => setup.id === id),
    keys: createMemoryKeys(),
    clock: systemClock,
  });
  const steps = setups.map((_, worker): Step => ({ worker, subtask: `Part ${worker}`, access: [] }));
  const { events, run } = await play({
    plan: () => [started, finished(steps)],
    start: {
      pool: setups.map((setup) => toPoolWorker(setup)),
      maxSteps: 16,
      caps: { rounds: 1, calls: FAN, tokens: null, usd: null },
    },
    dependencies: { clock: systemClock, workers: () => client },
  });
  expect(run).toMatchObject({ status: 'finished', spent: { calls: FAN } });
  expect(ofType(events, 'step-finished')).toHaveLength(FAN);
  expect(ofType(events, 'step-retried').length).toBe(narrow.refused);
  expect(narrow.refused).toBeGreaterThan(0);
  expect(narrow.busiest).toBe(3);
});
