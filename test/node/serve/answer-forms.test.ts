import OpenAI, { APIError } from 'openai';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
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
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));
afterAll(async () => {
  await upstream.close();
  await folder.remove();
});

let models = 0;

/** Serves one worker that gives these answers, one after the other. */
async function serve(answers: readonly string[], args: readonly string[] = [], template = 'best-single') {
  const model = `forms-${models++}`;
  upstream.script(model, (exchange) => streamText(exchange, answers[exchange.earlier] ?? 'No more answers.'));
  const pool = await writePool(folder.path, [{ id: model, baseUrl: upstream.url, model }], {
    conductor: `template:${template}`,
  });
  const server = await servePodium(['--model', '--pool', pool, ...args]);
  servers.push(server);
  const client = new OpenAI({
    baseURL: `${server.url}/v1`,
    apiKey: 'any',
    maxRetries: 0,
    dangerouslyAllowBrowser: true,
  });
  return { client, sent: () => upstream.calls(model).map(({ body }) => JSON.stringify(body)) };
}

const user = (content: string): ChatCompletionMessageParam => ({ role: 'user', content });
const ask = { model: 'podium', messages: [user('What does notes.txt say?')] };
const READ: ChatCompletionTool = {
  type: 'function',
  function: {
    name: 'read_file',
    description: 'Reads a file',
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
  },
};
const LIST: ChatCompletionTool = { type: 'function', function: { name: 'list_files' } };
const CALL = '{"tool_calls": [{"name": "read_file", "arguments": {"path": "notes.txt"}}]}';
const FORWARD = ['--tools', 'forward'];

async function errorOf(call: Promise<unknown>): Promise<APIError> {
  const thrown: unknown = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown instanceof APIError) return thrown;
  throw new Error(`The error is not an error of the API: ${String(thrown)}`);
}

describe('tools', () => {
  it('are refused by default, with a sentence that names the other modes', async () => {
    const { client, sent } = await serve(['Yes.']);
    const error = await errorOf(client.chat.completions.create({ ...ask, tools: [READ] }));
    expect(error).toMatchObject({ status: 400, param: 'tools', code: 'unsupported_parameter' });
    expect(error.message).toMatch(/--tools forward.*--tools ignore/);
    expect(sent()).toEqual([]);
  });

  it('are left out with --tools ignore, and earlier calls are shown as text', async () => {
    const { client, sent } = await serve(['Yes.'], ['--tools', 'ignore']);
    const call = { id: 'x', type: 'function' as const, function: { name: 'read_file', arguments: '{"path":"a"}' } };
    const messages: ChatCompletionMessageParam[] = [
      user('Read it.'),
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'x', content: 'Hello.' },
      user('So?'),
    ];
    const { choices } = await client.chat.completions.create({ ...ask, messages, tools: [LIST] });
    expect(choices[0]?.message.content).toBe('Yes.');
    expect(sent()[0]).toContain('Calls read_file with');
    expect(sent()[0]).toContain('Result of read_file:\\nHello.');
    expect(sent()[0]).not.toContain('list_files');
    const demanded = client.chat.completions.create({ ...ask, tools: [LIST], tool_choice: 'required' });
    expect(await errorOf(demanded)).toMatchObject({ status: 400, param: 'tool_choice' });
  });

  it.each([false, true])('are called by the last step, which gets the results (stream: %s)', async (stream) => {
    const { client, sent } = await serve(
      ['A.', 'B.', 'C.', 'D.', `I read it.\n\`\`\`json\n${CALL}\n\`\`\``, 'Hello.'],
      FORWARD,
      'self-reflection',
    );
    const asked = { ...ask, tools: [READ, LIST] };
    const { message, finish } = await answerOf(client, asked, stream);
    const calls = message.tool_calls ?? [];
    expect(calls.map((call) => call.type === 'function' && call.function)).toEqual([
      { name: 'read_file', arguments: '{"path":"notes.txt"}' },
    ]);
    expect(finish).toBe('tool_calls');
    // Only the step that gives the answer gets the tools.
    expect(sent().map((body) => body.includes('Reads a file'))).toEqual([false, false, false, false, true]);
    const result = { role: 'tool' as const, tool_call_id: calls[0]?.id ?? '', content: 'It says hello.' };
    const messages = [...ask.messages, message, result];
    const next = await answerOf(client, { ...asked, messages }, stream);
    expect([next.message.content, next.finish]).toEqual(['Hello.', 'stop']);
    // The result goes to the worker in one call, without a plan of five steps.
    expect(sent()).toHaveLength(6);
    expect(sent()[5]).toContain('Result of read_file:\\nIt says hello.');
    expect(sent()[5]).toContain('Reads a file');
  });

  it.each<[string, string, Pick<OpenAI.ChatCompletionCreateParams, 'tool_choice'>, string]>([
    ['a tool that does not exist', CALL.replace('read_file', 'delete_all'), {}, 'does not exist'],
    ['broken JSON', CALL.slice(0, -3), {}, 'not valid JSON'],
    ['no tool although one is required', 'It says hello.', { tool_choice: 'required' as const }, 'uses no tool'],
    [
      'another tool than the chosen one',
      CALL,
      { tool_choice: { type: 'function' as const, function: { name: 'list_files' } } },
      'another tool than list_files',
    ],
  ])('corrects an answer that uses %s, once', async (_what, answer, given, problem) => {
    const right = typeof given.tool_choice === 'object' ? '{"tool_calls": [{"name": "list_files"}]}' : CALL;
    const { client, sent } = await serve([answer, right, answer, answer], FORWARD);
    const asked = { ...ask, ...given, tools: [READ, LIST] };
    const { choices, usage } = await client.chat.completions.create(asked);
    expect(choices[0]?.finish_reason).toBe('tool_calls');
    expect(sent()).toHaveLength(2);
    expect(sent()[1]).toContain(problem);
    // The usage counts both calls.
    expect(usage?.prompt_tokens).toBeGreaterThan((sent()[1]?.length ?? 0) / 4);
    const error = await errorOf(client.chat.completions.create(asked));
    expect(error).toMatchObject({ status: 502, code: 'invalid_answer' });
    expect(error.message).toContain(problem);
  });

  it('gives text that only mentions tool calls as text, and at most one call if the client wants one', async () => {
    const words = 'The field {"tool_calls": []} lists calls.';
    const two = '{"tool_calls": [{"name": "read_file"}, {"name": "list_files", "arguments": "{}"}]}';
    const { client } = await serve([words, two, two], FORWARD);
    const asked = { ...ask, tools: [READ, LIST] };
    expect((await client.chat.completions.create(asked)).choices[0]?.message.content).toBe(words);
    const callsOf = async (parallel: boolean) => {
      const { choices } = await client.chat.completions.create({ ...asked, parallel_tool_calls: parallel });
      return choices[0]?.message.tool_calls?.length;
    };
    expect([await callsOf(true), await callsOf(false)]).toEqual([2, 1]);
  });
});

async function answerOf(
  client: OpenAI,
  asked: Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'stream'>,
  stream: boolean,
): Promise<{ message: OpenAI.ChatCompletionMessage; finish: string | undefined }> {
  const completion = stream
    ? await client.chat.completions.stream(asked).finalChatCompletion()
    : await client.chat.completions.create(asked);
  const [choice] = completion.choices;
  if (!choice) throw new Error('There is no choice.');
  return { message: choice.message, finish: choice.finish_reason };
}

describe('response_format', () => {
  const SCHEMA = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  const json = { type: 'json_schema' as const, json_schema: { name: 'number', schema: SCHEMA } };

  it('makes the last step answer with JSON that is valid under the schema', async () => {
    const { client, sent } = await serve(['```json\n{"n": 3}\n```']);
    const { choices } = await client.chat.completions.create({ ...ask, response_format: json });
    expect(choices[0]?.message.content).toBe('{"n": 3}');
    expect(sent()[0]).toContain('valid under this schema');
  });

  it.each([
    ['It is 3.', json, 'is not JSON'],
    ['{"n": "three"}', json, 'must be integer'],
    ['[3]', { type: 'json_object' as const }, 'is not an object'],
  ])('corrects the answer %s, once', async (answer, format, problem) => {
    const { client, sent } = await serve([answer, '{"n": 3}', answer, answer]);
    const asked = { ...ask, response_format: format };
    expect((await client.chat.completions.create(asked)).choices[0]?.message.content).toBe('{"n": 3}');
    expect(sent()[1]).toContain(problem);
    const stream = client.chat.completions.stream({ ...asked, stream: true });
    expect((await errorOf(stream.finalChatCompletion())).message).toContain(problem);
  });

  it('refuses a schema that can’t be used', async () => {
    const { client, sent } = await serve([]);
    const wrong = { type: 'json_schema' as const, json_schema: { name: 'wrong', schema: { $ref: '#/missing' } } };
    const error = await errorOf(client.chat.completions.create({ ...ask, response_format: wrong }));
    expect(error).toMatchObject({ status: 400, param: 'response_format' });
    expect(sent()).toEqual([]);
  });

  it('applies to the answer after the calls of tools', async () => {
    const { client } = await serve([CALL, '{"n": 3}'], FORWARD);
    const asked = { ...ask, tools: [READ], response_format: json };
    const first = await client.chat.completions.create(asked);
    const message = first.choices[0]?.message;
    if (!message) throw new Error('There is no message.');
    const tool_call_id = message.tool_calls?.[0]?.id ?? '';
    const messages = [...ask.messages, message, { role: 'tool' as const, tool_call_id, content: '3' }];
    const second = await client.chat.completions.create({ ...asked, messages });
    expect(second.choices[0]?.message.content).toBe('{"n": 3}');
  });
});
