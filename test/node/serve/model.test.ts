import OpenAI, { APIError } from 'openai';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startOpenAiServer, type OpenAiServer } from '../../fixtures/openai-server';
import { shortenSleeps } from '../../fixtures/short-sleeps';
import { foldEvents } from '../../../src/core/contract';
import { storedRuns } from '../stored-runs';
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
  it('is listed as the model “podium”, before its variants and Conductors', async () => {
    const { client } = await serve('ok');
    const list = await client.models.list();
    const ids = list.data.map(({ id }) => id);
    // The effort does not apply to the template of this server.
    expect(ids.slice(0, 2)).toEqual(['podium', 'podium-quiet']);
    expect(ids).toContain('podium/template:consensus');
    for (const id of ids) expect((await client.models.retrieve(id)).id).toBe(id);
  });

  it('returns the output of the last step, the plan as reasoning, and the token usage', async () => {
    const { client } = await serve('usage-last');
    const completion = await client.chat.completions.create(ask());
    const [choice] = completion.choices;
    expect(choice?.message.content).toBe('Counted.');
    expect(choice?.message).toHaveProperty('reasoning_content', expect.stringContaining('Plan: 1 step'));
    expect(choice?.finish_reason).toBe('stop');
    expect(completion.usage).toEqual({
      prompt_tokens: 11,
      completion_tokens: 7,
      total_tokens: 18,
      completion_tokens_details: { reasoning_tokens: 3 },
      cost: 0.000_42,
    });
  });

  it('leaves out a cost that is unknown', async () => {
    const unpriced = { id: 'unpriced', baseUrl: upstream.url, model: 'ok', price: null };
    const pool = await writePool(folder.path, [unpriced], { conductor: 'template:best-single' });
    const { client } = started(await servePodium(['--model', '--pool', pool]));
    expect((await client.chat.completions.create(ask())).usage).not.toHaveProperty('cost');
  });

  it.each([
    [['--progress', 'off'], 'podium'],
    [[], 'podium-quiet'],
    [[], 'podium/template:best-single-quiet'],
  ])('sends no progress with the options %j and the model %s', async (args, model) => {
    const { client } = await serve('ok', args);
    const completion = await client.chat.completions.create({ ...ask(), model });
    expect(completion.model).toBe(model);
    expect(completion.choices[0]?.message).not.toHaveProperty('reasoning_content');
    const chunks = await all(await client.chat.completions.create({ ...ask(), model, stream: true }));
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
    expect(deltas.flatMap((delta) => Object.keys(delta))).not.toContain('reasoning_content');
    expect(deltas.map(({ content }) => content ?? '').join('')).toContain('I was sent');
  });

  it('sends no progress after the first piece of the answer', async () => {
    const { client } = await serve('usage-last');
    const chunks = await all(await client.chat.completions.create({ ...ask(), stream: true }));
    const kinds = chunks.flatMap(({ choices }) => choices.flatMap(({ delta }) => Object.keys(delta))).slice(2);
    expect(new Set(kinds)).toEqual(new Set(['reasoning_content', 'content']));
    expect(kinds.lastIndexOf('reasoning_content')).toBeLessThan(kinds.indexOf('content'));
  });

  it.each([
    [{ model: 'podium-quick' }, 'quick'],
    [{ model: 'podium-thorough', reasoning_effort: 'low' }, 'thorough'],
    [{ reasoning_effort: 'minimal' }, 'quick'],
    [{ reasoning_effort: 'high' }, 'thorough'],
    [{}, 'balanced'],
  ] as const)('runs the request %j with the effort “%s”', async (given, effort) => {
    const file = join(folder.path, `${crypto.randomUUID()}.jsonl`);
    const { server, client } = await serve(['ok', 'usage-last'], ['--conductor', 'policy', '--runs', file]);
    const { response } = await client.chat.completions.create({ ...ask(), ...given }).withResponse();
    await server.stop();
    const stored = await storedRuns(file);
    // The id of the request is the id of the run.
    const run = foldEvents(stored.get(response.headers.get('x-request-id') ?? '') ?? []);
    expect(run?.effort).toBe(effort);
  });

  it('lets the Conductor of the model id plan', async () => {
    const { client } = await serve('ok@many');
    await client.chat.completions.create({ ...ask(), model: 'podium/template:consensus' });
    expect(upstream.calls('ok@many').length).toBeGreaterThan(1);
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
    ['functions', [{ name: 'f' }]],
    ['stop', 7],
    ['logprobs', true],
    ['temperature', 3],
    ['messages', []],
    ['reasoning_effort', 'enormous'],
  ])('rejects the parameter %s with the value %j', async (param, value) => {
    const { client } = await serve('ok');
    const error = await errorOf(client.post('/chat/completions', { body: { ...ask(), [param]: value } }));
    expect(error).toMatchObject({ status: 400, param, type: 'invalid_request_error' });
  });

  it('says what a parameter must be', async () => {
    const { client } = await serve('ok');
    const error = await errorOf(client.post('/chat/completions', { body: { ...ask(), temperature: 3 } }));
    expect(error).toMatchObject({ message: expect.stringMatching(/“temperature”: .*2/) });
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
    expect((await post(server.url, ' '.repeat(33 * 2 ** 20))).status).toBe(413);
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

  describe('whose worker is unreachable', () => {
    shortenSleeps();

    it('responds with status 503 and a Retry-After header', async () => {
      const pool = await writePool(folder.path, [{ id: 'gone', baseUrl: 'http://127.0.0.1:9/v1', model: 'gone' }]);
      const { client } = started(await servePodium(['--model', '--pool', pool, '--conductor', 'template:best-single']));
      const error = await errorOf(client.chat.completions.create(ask()));
      expect(error.status).toBe(503);
      expect(error.headers?.has('retry-after')).toBe(true);
    });
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

  it('lets only pages of the exact origins of --allow-origin use the server, with the token', async () => {
    const environment = { PODIUM_TOKEN: 'secret' };
    const { server } = await serve('ok', ['--allow-origin', 'https://chat.example'], { environment });
    const ask = (origin: string, method: string, headers = {}) =>
      fetch(`${server.url}/v1/models`, { method, headers: { origin, ...headers } });
    const wanted = { 'access-control-request-headers': 'authorization,x-stainless-os' };
    const preflight = await ask('https://chat.example', 'OPTIONS', wanted);
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization,x-stainless-os');
    const withoutToken = await ask('https://chat.example', 'GET');
    expect([withoutToken.status, withoutToken.headers.get('access-control-allow-origin')]).toEqual([
      401,
      'https://chat.example',
    ]);
    const other = await ask('https://chat.example.evil', 'OPTIONS', wanted);
    expect([other.status, other.headers.get('access-control-allow-origin')]).toEqual([401, null]);
  });

  it.each([
    [[], 'https://chat.example'],
    [['secret'], '*'],
    [['secret'], 'https://chat.example/'],
  ])('does not start with the tokens %j and --allow-origin %s', async ([token = ''], origin) => {
    const environment = { PODIUM_TOKEN: token };
    await expect(servePodium(['--model', '--allow-origin', origin], { environment })).rejects.toThrow(/^2: /);
  });

  it('shows a page at / and the health of the server without a token', async () => {
    const { server } = await serve('ok', [], { environment: { PODIUM_TOKEN: 'secret' } });
    expect(await (await fetch(`${server.url}/health`)).json()).toEqual({ status: 'ok' });
    const page = await fetch(server.url);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain('<code>/v1</code>');
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
