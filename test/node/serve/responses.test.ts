import OpenAI, { APIError } from 'openai';
import type { FunctionTool, ResponseInput, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { streamText } from '../../fixtures/openai-scenarios';
import { startOpenAiServer, type OpenAiServer } from '../../fixtures/openai-server';
import { servePodium, temporaryFolder, writePool, type PodiumServer } from '../../fixtures/podium-server';

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

async function serve(model: string, args: readonly string[] = []) {
  const pool = await writePool(folder.path, [{ id: model, baseUrl: upstream.url, model }], {
    conductor: 'template:best-single',
  });
  const server = await servePodium(['--model', '--pool', pool, ...args]);
  servers.push(server);
  return new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'any', maxRetries: 0, dangerouslyAllowBrowser: true });
}

const ask = { model: 'podium', input: 'Is it so?' };
const READ: FunctionTool = { type: 'function', name: 'read_file', parameters: { type: 'object' }, strict: false };
const CALL = '{"tool_calls": [{"name": "read_file", "arguments": {"path": "a"}}]}';

async function errorOf(call: Promise<unknown>): Promise<APIError> {
  const thrown: unknown = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown instanceof APIError) return thrown;
  throw new Error(`The error is not an error of the API: ${String(thrown)}`);
}

it('returns the answer, the progress as a summary of reasoning, and the usage', async () => {
  const client = await serve('usage-last');
  const response = await client.responses.create(ask);
  expect([response.output_text, response.status]).toEqual(['Counted.', 'completed']);
  expect(response.output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
  expect(JSON.stringify(response.output[0])).toContain('Plan: 1 step');
  expect(response.usage).toEqual({
    input_tokens: 11,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 7,
    output_tokens_details: { reasoning_tokens: 3 },
    total_tokens: 18,
    cost: 0.000_42,
  });
  const quiet = await client.responses.create({ ...ask, model: 'podium-quiet' });
  expect(quiet.output.map(({ type }) => type)).toEqual(['message']);
});

it('streams events whose numbers rise, and from which the client builds the same response', async () => {
  upstream.script('slow@responses', 'slow');
  const client = await serve('slow@responses');
  const events: ResponseStreamEvent[] = [];
  const stream = client.responses.stream(ask).on('event', (event) => {
    events.push(event);
    // The answer arrives while the worker is still writing it.
    if (event.type === 'response.output_text.delta') upstream.release();
  });
  const response = await stream.finalResponse();
  expect(response.output_text).toBe('The first words and the last.');
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
  const types = events.map(({ type }) => type);
  expect(types.slice(0, 3)).toEqual(['response.created', 'response.in_progress', 'response.output_item.added']);
  expect(types.lastIndexOf('response.reasoning_summary_text.delta')).toBeLessThan(
    types.indexOf('response.output_text.delta'),
  );
  expect(types.at(-1)).toBe('response.completed');
});

it('turns instructions and earlier items into one question, and applies the parameters', async () => {
  const client = await serve('ok@items');
  const input: ResponseInput = [
    { role: 'user', content: 'First.' },
    { type: 'reasoning', id: 'rs_1', summary: [] },
    { role: 'assistant', content: 'Second.' },
    { role: 'user', content: [{ type: 'input_text', text: 'Third?' }] },
  ];
  await client.responses.create({ ...ask, input, instructions: 'Be brief.', temperature: 0.9, max_output_tokens: 77 });
  const { body } = upstream.calls('ok@items')[0] ?? {};
  expect(body).toMatchObject({ temperature: 0.9, max_tokens: 77 });
  expect(JSON.stringify(body)).toContain(
    'Instructions:\\nBe brief.\\n\\nUser:\\nFirst.\\n\\nAssistant:\\nSecond.\\n\\nUser:\\nThird?',
  );
});

it.each([false, true])(
  'passes tools on, and the results to the worker that called them (stream: %s)',
  async (stream) => {
    const model = `tools@responses-${stream}`;
    upstream.script(model, (exchange) => streamText(exchange, exchange.earlier === 0 ? CALL : 'It says hello.'));
    const client = await serve(model, ['--tools', 'forward']);
    const responseTo = (input: ResponseInput) => {
      const asked = { ...ask, input, tools: [READ] };
      return stream ? client.responses.stream(asked).finalResponse() : client.responses.create(asked);
    };
    const question: ResponseInput = [{ role: 'user', content: 'What does it say?' }];
    const first = await responseTo(question);
    const [called] = first.output.flatMap((item) => (item.type === 'function_call' ? [item] : []));
    expect(called).toMatchObject({ name: 'read_file', arguments: '{"path":"a"}', status: 'completed' });
    if (!called) return;
    const result = { type: 'function_call_output' as const, call_id: called.call_id, output: 'Hello.' };
    const second = await responseTo([...question, called, result]);
    expect(second.output_text).toBe('It says hello.');
    expect(upstream.calls(model)).toHaveLength(2);
    expect(JSON.stringify(upstream.calls(model)[1]?.body)).toContain('Result of read_file:\\nHello.');
  },
);

it('checks the format of the answer', async () => {
  upstream.script('json@responses', (exchange) => streamText(exchange, exchange.earlier === 0 ? 'Three.' : '{"n": 3}'));
  const client = await serve('json@responses');
  const schema = { type: 'object', properties: { n: { type: 'integer' } } };
  const text = { format: { type: 'json_schema' as const, name: 'n', schema } };
  expect((await client.responses.create({ ...ask, text })).output_text).toBe('{"n": 3}');
});

it.each([
  [{ previous_response_id: 'resp_1' }, 'previous_response_id'],
  [{ background: true }, 'background'],
  [{ conversation: 'conv_1' }, 'conversation'],
  [{ tools: [READ] }, 'tools'],
  [{ input: [{ type: 'item_reference' as const, id: 'x' }] }, 'input'],
  [{ input: [{ role: 'user' as const, content: [{ type: 'input_audio' as never }] }] }, 'input'],
])('refuses %j by name', async (given, param) => {
  const client = await serve('ok@refused');
  const error = await errorOf(client.responses.create({ ...ask, ...given }));
  expect(error).toMatchObject({ status: 400, param });
  expect(upstream.calls('ok@refused')).toEqual([]);
});

it('cancels the call to the worker if the client disconnects', async () => {
  const client = await serve('stall@responses');
  const controller = new AbortController();
  const call = client.responses.create({ ...ask, stream: true }, { signal: controller.signal });
  call.catch(() => undefined);
  await expect.poll(() => upstream.calls('stall@responses').length).toBe(1);
  controller.abort();
  expect(await upstream.calls('stall@responses')[0]?.ended).toBe('early');
});

it('ends with “incomplete” at the output limit, and with “failed” if a worker fails after the beginning', async () => {
  const cut = await (await serve('giant')).responses.create(ask);
  expect([cut.status, cut.incomplete_details]).toEqual(['incomplete', { reason: 'max_output_tokens' }]);
  const client = await serve('error-in-stream');
  const types: string[] = [];
  for await (const event of await client.responses.create({ ...ask, stream: true })) {
    types.push(event.type);
    if (event.type === 'response.failed') expect(event.response.error?.message).toContain('failed');
  }
  expect(types.at(-1)).toBe('response.failed');
});
