import { afterEach, expect, test, vi } from 'vitest';
import { HUB_HOST } from '../../../../src/platform/engine/transformers/hub-address';
import { hubFiles } from '../../../../src/platform/engine/transformers/hub-files';

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['a file that exists', new Response('a', { status: 206, headers: { 'content-range': 'bytes 0-0/12' } }), 12],
  ['a file that does not exist', new Response(null, { status: 404 }), null],
])('asks the hub only once about %s', async (_, response, size) => {
  const requests: string[] = [];
  vi.stubGlobal('caches', { open: async () => ({ match: async () => undefined }) });
  vi.stubGlobal('fetch', async (address: string) => {
    requests.push(address);
    return response;
  });
  const model = { host: HUB_HOST, id: 'owner/model', revision: null };
  const files = await hubFiles(model, { label: 'Model', host: 'huggingface.co' });
  const expected = size === null ? null : { size, isHere: false };
  expect(await files.find('config.json')).toEqual(expected);
  expect(await files.find('config.json')).toEqual(expected);
  expect(requests).toEqual(['https://huggingface.co/owner/model/resolve/main/config.json']);
});
