import { describe, expect, test } from 'vitest';
import { listModels } from '../../../src/platform/workers/list-models';
import { targetOf } from '../../../src/platform/workers/openai-client';
import { createWorkerTester } from '../../../src/platform/workers/tester';
import { FakeClock } from '../../fixtures/fake-clock';
import { setupOf } from './calls';

const never = () => new AbortController().signal;
const json = (body: unknown) => Promise.resolve(Response.json(body));

/** The ids that Podium reads from a list. @param pages the body of the reply for each query */
async function idsOf(body: unknown, pages: Readonly<Record<string, unknown>> = {}): Promise<readonly string[]> {
  const fetch = (url: string) => {
    const { search } = new URL(url);
    return json(search === '' ? body : (pages[search] ?? body));
  };
  const target = targetOf(setupOf('http://host.example/v1', 'any'), null);
  const listed = await listModels(target, { clock: new FakeClock(), timeout: 1000, fetch }, never());
  return listed.map(({ id }) => id);
}

describe('a list of models', () => {
  test.each([
    [
      'entries without a usable id',
      { data: [{ id: 'b' }, { id: null }, { id: '' }, { id: ' ' }, { id: 7 }, null, 3, { id: 'a' }] },
    ],
    ['names in place of entries', { data: ['b', 'a', ''] }],
    ['entries with only a name', { data: [{ name: 'b' }, { id: 5, name: 'a' }] }],
    ['no envelope', [{ id: 'a' }, { id: 'b' }]],
    ['the format of Ollama', { models: [{ name: 'b', model: 'b' }, { name: 'a' }] }],
    ['the format of Gemini', { models: [{ name: 'models/a' }, { name: 'models/b' }] }],
    ['both formats', { models: [{ name: 'other' }], data: [{ id: 'a' }, { id: 'b' }] }],
    [
      'fields of unexpected types',
      {
        data: [
          { id: 'a', architecture: 5, pricing: 'free' },
          { id: 'b', capabilities: [] },
        ],
      },
    ],
  ])('is read if it has %s', async (_what, body) => {
    expect(await idsOf(body)).toEqual(['a', 'b']);
  });

  test.each([{ data: null }, { object: 'list' }, { models: null }, { object: 'list', data: [] }, []])(
    'is empty if it is %j',
    async (body) => {
      expect(await idsOf(body)).toEqual([]);
    },
  );

  test.each([{}, { data: 'none' }, { error: 'no' }, 'models', null])('is refused if it is %j', async (body) => {
    await expect(idsOf(body)).rejects.toMatchObject({ fault: { code: 'broken-reply' } });
  });

  test.each([
    ['last_id', { data: [{ id: 'a' }], has_more: true, last_id: 'a' }, '?after_id=a'],
    ['last_id of OpenAI', { data: [{ id: 'a' }], has_more: true, last_id: 'a' }, '?after=a'],
    ['nextPageToken', { models: [{ name: 'models/a' }], nextPageToken: 'x' }, '?pageToken=x'],
    ['next', { data: [{ id: 'a' }], next: '/v1/models?page=2' }, '?page=2'],
  ])('is read to its end if it has pages with %s', async (_what, first, query) => {
    expect(await idsOf(first, { [query]: { data: [{ id: 'b' }] } })).toEqual(['a', 'b']);
  });

  test('is read once if a server repeats its first page for ever', async () => {
    expect(await idsOf({ data: [{ id: 'a' }], has_more: true, last_id: 'a', next: '?page=2' })).toEqual(['a']);
  });
});

test('a server with an empty list has no models yet', async () => {
  const tester = createWorkerTester({ clock: new FakeClock(), fetch: () => json({ object: 'list', data: null }) });
  await expect(tester.models('http://host.example/v1', null, never())).rejects.toMatchObject({
    fault: { message: expect.stringContaining('The server has no models yet') },
  });
});

test('states the context, the output limit and the parameters of a model, by any of the names that servers use', async () => {
  const data = [
    { id: 'a', context_length: 1000, top_provider: { max_completion_tokens: 100 }, supported_parameters: ['seed', 5] },
    { id: 'b', context_window: 2000, max_completion_tokens: 200 },
    { id: 'c', max_context_length: 3000 },
    { id: 'd', max_model_len: 4000 },
    { id: 'e', context_length: -1, top_provider: null, supported_parameters: 'all' },
  ];
  const target = targetOf(setupOf('http://host.example/v1', 'any'), null);
  const fetch = () => json({ data });
  expect(await listModels(target, { clock: new FakeClock(), timeout: 1000, fetch }, never())).toEqual([
    { id: 'a', contextWindow: 1000, maxOutput: 100, parameters: ['seed'] },
    { id: 'b', contextWindow: 2000, maxOutput: 200 },
    { id: 'c', contextWindow: 3000 },
    { id: 'd', contextWindow: 4000 },
    { id: 'e' },
  ]);
});

test('marks models that write no text, as far as the list shows it', async () => {
  const data = [
    { id: 'a', type: 'embedding' },
    { id: 'b', architecture: { output_modalities: ['embeddings'] } },
    { id: 'c', capabilities: { completion_chat: false } },
    { id: 'text-embedding-3-small' },
    { id: 'e', type: 'chat' },
    { id: 'f', architecture: { output_modalities: ['image', 'text'] } },
    { id: 'g', capabilities: { completion_chat: true } },
    { id: 'h' },
  ];
  const target = targetOf(setupOf('http://host.example/v1', 'any'), null);
  const fetch = () => json({ data });
  const listed = await listModels(target, { clock: new FakeClock(), timeout: 1000, fetch }, never());
  const ids = (isSilent: boolean) =>
    listed.filter((model) => (model.isSilent ?? false) === isSilent).map(({ id }) => id);
  expect(ids(true)).toEqual(['a', 'b', 'c', 'text-embedding-3-small']);
  expect(ids(false)).toEqual(['e', 'f', 'g', 'h']);
});
