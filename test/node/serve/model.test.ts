import OpenAI, { APIError } from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startOpenAiServer, type OpenAiServer } from '../../fixtures/openai-server';
import {
  servePodium,
  temporaryFolder,
  writePool,
  type PodiumServer,
  type ServeOptions,
} from '../../fixtures/podium-server';

let upstream: OpenAiServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const servers: PodiumServer[] = [];

beforeAll(async () => {
  upstream = await startOpenAiServer();
  folder = await temporaryFolder();
});
afterEach(async () => {
  upstream.release();
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});
afterAll(async () => {
  await upstream.close();
  await folder.remove();
});

/** Starts a server with one worker for each model of the upstream server. */
async function serve(models: string | readonly string[], args: readonly string[] = [], options?: ServeOptions) {
  const workers = [models].flat().map((model) => ({ id: model, baseUrl: upstream.url, model }));
  const pool = await writePool(folder.path, workers, { conductor: 'template:best-single' });
  return started(await servePodium(['--model', '--pool', pool, ...args], options));
}

function started(server: PodiumServer) {
  servers.push(server);
  const client = new OpenAI({
    baseURL: `${server.url}/v1`,
    apiKey: 'any',
    maxRetries: 0,
    dangerouslyAllowBrowser: true,
  });
  return { server, client };
}

const user = (content: string) => ({ role: 'user' as const, content });
const ask = (content = 'Is it so?') => ({ model: 'podium', messages: [user(content)] });

async function all<T>(stream: AsyncIterable<T>): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

/** Returns the API error of a call that must fail. */
async function errorOf(call: Promise<unknown>): Promise<APIError> {
  const thrown: unknown = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown instanceof APIError) return thrown;
  throw new Error(`The error is not an error of the API: ${String(thrown)}`);
}

const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });

describe('the Conductor, served as a model', () => {
  it('is listed as the model “podium”', async () => {
    const { client } = await serve('ok');
    const list = await client.models.list();
    expect(list.data.map(({ id }) => id)).toEqual(['podium']);
    expect((await client.models.retrieve('podium')).object).toBe('model');
  });

  it('returns the output of the last step, the plan as reasoning, and the token usage', async () => {
    const { client } = await serve('usage-last');
    const completion = await client.chat.completions.create(ask());
    const [choice] = completion.choices;
    expect(choice?.message.content).toBe('Counted.');
    expect(choice?.message).toHaveProperty('reasoning_content', expect.stringContaining('Plan: 1 step'));
    expect(choice?.finish_reason).toBe('stop');
    expect(completion.usage).toEqual({ prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 });
  });

  it('sets the finish reason “length” if the output limit cuts off the answer', async () => {
    const { client } = await serve('giant');
    const completion = await client.chat.completions.create(ask());
    expect(completion.choices[0]?.finish_reason).toBe('length');
  });

  it('streams the plan, then the answer, then the usage in OpenAI’s chunk format', async () => {
    const { client } = await serve('usage-last');
    const stream = await client.chat.completions.create({
      ...ask(),
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await all(stream);
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
    expect(deltas[0]).toEqual({ role: 'assistant', content: '' });
    expect(deltas.map(({ content }) => content ?? '').join('')).toBe('Counted.');
    const kinds = deltas.flatMap((delta) => Object.keys(delta)).slice(2);
    expect(kinds.indexOf('content')).toBeGreaterThan(kinds.indexOf('reasoning_content'));
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(new Set(chunks.map(({ object }) => object))).toEqual(new Set(['chat.completion.chunk']));
    expect(chunks.flatMap(({ choices }) => choices.flatMap(({ finish_reason }) => finish_reason ?? []))).toEqual([
      'stop',
    ]);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 18 } });
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
  });

  it('streams the answer while the worker is still writing it', async () => {
    const { client } = await serve('slow');
    const stream = await client.chat.completions.create({ ...ask(), stream: true });
    let text = '';
    for await (const { choices } of stream) {
      text += choices[0]?.delta.content ?? '';
      if (text === 'The first words') upstream.release();
    }
    expect(text).toBe('The first words and the last.');
  });

  it.each([true, false])('ends the answer before a stop sequence (stream: %s)', async (stream) => {
    const { client } = await serve('ok@stop');
    upstream.script('ok@stop', 'usage-last');
    const asked = { ...ask(), stop: ['never', 'te', 'ed', 'Question:'] };
    if (!stream) {
      const [choice] = (await client.chat.completions.create(asked)).choices;
      expect([choice?.message.content, choice?.finish_reason]).toEqual(['Coun', 'stop']);
      return;
    }
    const chunks = await all(await client.chat.completions.create({ ...asked, stream }));
    const choices = chunks.flatMap((chunk) => chunk.choices);
    expect(choices.map(({ delta }) => delta.content ?? '').join('')).toBe('Coun');
    expect(choices.at(-1)?.finish_reason).toBe('stop');
  });

  it('passes the client’s sampling parameters to the worker', async () => {
    const { client } = await serve('ok@sampling');
    await client.chat.completions.create({ ...ask(), temperature: 0.9, max_tokens: 77, top_p: 0.5 });
    expect(upstream.calls('ok@sampling')[0]?.body).toMatchObject({ temperature: 0.9, max_tokens: 77, top_p: 0.5 });
  });

  it('sends a conversation to the worker as one question', async () => {
    const { client } = await serve('ok@talk');
    await client.chat.completions.create({
      model: 'podium',
      messages: [user('First.'), { role: 'assistant', content: 'Second.' }, user('Third?')],
    });
    const sent = JSON.stringify(upstream.calls('ok@talk')[0]?.body);
    expect(sent).toContain('User:\\nFirst.\\n\\nAssistant:\\nSecond.\\n\\nUser:\\nThird?');
  });

  it('answers fifty simultaneous requests', async () => {
    const { client } = await serve('ok@fifty');
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const { choices } = await client.chat.completions.create(ask(`Is it number ${index}?`));
        return choices[0]?.message.content ?? '';
      }),
    );
    expect(answers.filter((answer) => answer.includes('I was sent'))).toHaveLength(50);
    expect(new Set(upstream.calls('ok@fifty').map(({ body }) => JSON.stringify(body))).size).toBe(50);
  });
});

describe('a client that disconnects', () => {
  it.each([true, false])('cancels the call to the worker (stream: %s)', async (stream) => {
    const model = `stall@${stream}`;
    const { client } = await serve(model);
    const controller = new AbortController();
    const call = client.chat.completions.create({ ...ask(), stream }, { signal: controller.signal });
    call.catch(() => undefined);
    await expect.poll(() => upstream.calls(model).length).toBe(1);
    controller.abort();
    expect(await upstream.calls(model)[0]?.ended).toBe('early');
  });

  it('frees its slot for another request', async () => {
    const { client } = await serve(['stall@place'], ['--concurrency', '1']);
    const controller = new AbortController();
    const first = client.chat.completions.create(ask(), { signal: controller.signal });
    first.catch(() => undefined);
    await expect.poll(() => upstream.calls('stall@place').length).toBe(1);
    const refused = await errorOf(client.chat.completions.create(ask()));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers?.get('retry-after'))).toBeGreaterThan(0);
    controller.abort();
    upstream.script('stall@place', 'ok');
    await expect
      .poll(() =>
        client.chat.completions.create(ask()).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
  });
});

describe('a server that serves the Conductor', () => {
  it.each([
    ['n', 2],
    ['tools', [{ type: 'function', function: { name: 'f' } }]],
    ['response_format', { type: 'json_object' }],
    ['stop', 7],
    ['logprobs', true],
    ['temperature', 3],
    ['messages', []],
  ])('rejects the parameter %s with the value %j', async (param, value) => {
    const { client } = await serve('ok');
    const error = await errorOf(client.post('/chat/completions', { body: { ...ask(), [param]: value } }));
    expect(error).toMatchObject({ status: 400, param, type: 'invalid_request_error' });
  });

  it('rejects images, unknown models and routes, wrong methods, and invalid or large bodies', async () => {
    const { server, client } = await serve('ok');
    const image = { type: 'image_url' as const, image_url: { url: 'data:,' } };
    const withImage = client.chat.completions.create({
      model: 'podium',
      messages: [{ role: 'user', content: [image] }],
    });
    expect(await errorOf(withImage)).toMatchObject({ status: 400, code: 'unsupported_content' });
    const other = await errorOf(client.chat.completions.create({ ...ask(), model: 'gpt' }));
    expect(other).toMatchObject({ status: 404, code: 'model_not_found' });
    expect(await errorOf(client.embeddings.create({ model: 'podium', input: '' }))).toMatchObject({ status: 404 });
    const get = await fetch(`${server.url}/v1/chat/completions`);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await post(server.url, '{}', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(server.url, '{')).status).toBe(400);
    expect((await post(server.url, ' '.repeat(5 * 2 ** 20))).status).toBe(413);
  });

  it.each([
    ['unknown-model', 502],
    ['wrong-key', 502],
    ['no-quota', 502],
  ])('converts the worker’s error “%s” to status %d', async (model, status) => {
    const { client } = await serve(model);
    expect((await errorOf(client.chat.completions.create(ask()))).status).toBe(status);
  });

  it('sets `x-should-retry` to false if a worker’s error makes a request fail', async () => {
    const { server } = await serve('unknown-model@again');
    const client = new OpenAI({
      baseURL: `${server.url}/v1`,
      apiKey: 'any',
      maxRetries: 2,
      dangerouslyAllowBrowser: true,
    });
    const error = await errorOf(client.chat.completions.create(ask()));
    expect([error.status, error.headers?.get('x-should-retry')]).toEqual([502, 'false']);
    expect(upstream.calls('unknown-model@again')).toHaveLength(1);
  });

  it('responds with status 503 and a Retry-After header if a worker is unreachable', async () => {
    const pool = await writePool(folder.path, [{ id: 'gone', baseUrl: 'http://127.0.0.1:9/v1', model: 'gone' }]);
    const { client } = started(await servePodium(['--model', '--pool', pool, '--conductor', 'template:best-single']));
    const error = await errorOf(client.chat.completions.create(ask()));
    expect(error.status).toBe(503);
    expect(error.headers?.has('retry-after')).toBe(true);
  });

  it('sends an error event if a worker fails after the stream has started', async () => {
    const { client } = await serve('error-in-stream');
    const stream = await client.chat.completions.create({ ...ask(), stream: true });
    const read = all(stream);
    expect((await errorOf(read)).message).toContain('failed');
  });

  it('responds with status 402 and calls no worker once its budget is spent', async () => {
    const worker = { id: 'paid', baseUrl: upstream.url, model: 'ok@paid', price: 1000 };
    const pool = await writePool(folder.path, [worker], {
      conductor: 'template:best-single',
      settings: { maxTokens: 64 },
    });
    const { client } = started(await servePodium(['--model', '--pool', pool, '--max-cost', '0.3']));
    await client.chat.completions.create(ask());
    const calls = upstream.calls('ok@paid').length;
    const errors: number[] = [];
    for (let index = 0; index < 12; index += 1) {
      const status = await client.chat.completions.create(ask()).then(
        () => 200,
        (thrown: unknown) => (thrown instanceof APIError ? Number(thrown.status) : 0),
      );
      errors.push(status);
    }
    expect(errors.at(-1)).toBe(402);
    expect(upstream.calls('ok@paid').length).toBe(calls + errors.filter((status) => status === 200).length);
  });
});

describe('the access control of the server', () => {
  it('requires the token from PODIUM_TOKEN if it is set', async () => {
    const { server } = await serve('ok', [], { environment: { PODIUM_TOKEN: 'secret' } });
    const models = (headers: Record<string, string>) => fetch(`${server.url}/v1/models`, { headers });
    expect((await models({})).status).toBe(401);
    expect((await models({ authorization: 'Bearer secrets' })).status).toBe(401);
    expect((await models({ authorization: 'Bearer secret' })).status).toBe(200);
  });

  it('prevents listening on a network address if no token is set', async () => {
    await expect(servePodium(['--model', '--host', '0.0.0.0'])).rejects.toThrow(/^2: .*PODIUM_TOKEN/);
  });

  it('rejects requests whose Host header names another site', async () => {
    const { request } = await import('node:http');
    const { server } = await serve('ok');
    const status = await new Promise((resolve, reject) => {
      request(`${server.url}/v1/models`, { headers: { host: 'evil.example' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
  });
});

describe('a server that receives a stop signal', () => {
  it('cancels the requests in progress at the second signal', async () => {
    const { server, client } = await serve('stall@cancelled');
    const answer = client.chat.completions.create(ask());
    answer.catch(() => undefined);
    await expect.poll(() => upstream.calls('stall@cancelled').length).toBe(1);
    expect(await server.cancel()).toBe(0);
    expect(await upstream.calls('stall@cancelled')[0]?.ended).toBe('early');
    await expect(answer).rejects.toThrow();
  });

  it('finishes the requests in progress after the first signal, and rejects new requests', async () => {
    const { server, client } = await serve('slow@end');
    upstream.script('slow@end', 'slow');
    const answer = client.chat.completions.create(ask());
    await expect.poll(() => upstream.calls('slow@end').length).toBe(1);
    const ended = server.stop();
    await expect(fetch(`${server.url}/v1/models`)).rejects.toThrow();
    await expect.poll(() => (upstream.release(), upstream.calls('slow@end')[0]?.ending)).toBe('whole');
    expect((await answer).choices[0]?.message.content).toBe('The first words and the last.');
    expect(await ended).toBe(0);
  });
});
