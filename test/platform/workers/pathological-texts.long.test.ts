/** @file Tests that every pathological text is received up to the character limit of an answer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FakeClock } from '../../fixtures/fake-clock';
import { PATHOLOGICAL_TEXTS } from '../../fixtures/hostile/pathological-texts';
import { chunk, event, openStream, send } from '../../fixtures/openai-scenarios';
import { startOpenAiServer, type OpenAiServer } from '../../fixtures/openai-server';
import { collect, optionsFor, QUESTION, setupOf, workersFor } from './calls';

/** With the smallest output limit, an answer is cut at this number of characters. */
const MOST = 2 ** 18;
const DELTA = 2_000;

let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer();
});
afterAll(() => server.close());

test.each(PATHOLOGICAL_TEXTS.map(({ name, text }) => [name, text] as const))(
  'receives a pathological text up to the limit: %s',
  async (_name, text) => {
    const whole = text();
    server.script('talker', async ({ response }) => {
      openStream(response);
      const pieces = whole.match(new RegExp(`[^]{1,${DELTA}}`, 'gu')) ?? [];
      for (const content of pieces) if (!response.destroyed) await send(response, event(chunk({ content })));
      response.end(event(chunk({}, 'stop')) + event('[DONE]'));
    });
    const setup = setupOf(server.url, 'talker');
    const client = workersFor(setup, new FakeClock());
    const reply = await collect(client.run(QUESTION, optionsFor(setup), new AbortController().signal));
    expect(reply.content === whole.slice(0, MOST), `${reply.content.length} of ${whole.length} characters`).toBe(true);
    expect(reply.end).toMatchObject({ type: 'finished', finishReason: whole.length > MOST ? 'length' : 'stop' });
  },
);
