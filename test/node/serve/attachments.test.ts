import OpenAI, { APIError } from 'openai';
import type { ChatCompletionContentPart } from 'openai/resources/chat/completions';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { imageSize } from '../../../src/node/serve/model/image-size';
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

async function serve(model: string, canSee = true) {
  const worker = { id: model, baseUrl: upstream.url, model, canSee };
  const pool = await writePool(folder.path, [worker], { conductor: 'template:best-single' });
  const server = await servePodium(['--model', '--pool', pool]);
  servers.push(server);
  return new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'any', maxRetries: 0, dangerouslyAllowBrowser: true });
}

/** The beginning of a PNG image of 3 × 2 pixels. The last byte tells images apart. */
const png = (last = 0) => Buffer.from(`89504e470d0a1a0a0000000d494844520000000300000002080200000${last}`, 'hex');
const urlOf = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`;
const image = (bytes = png()): ChatCompletionContentPart => ({ type: 'image_url', image_url: { url: urlOf(bytes) } });
const words = (text: string): ChatCompletionContentPart => ({ type: 'text', text });
const ask = (...content: ChatCompletionContentPart[]) => ({
  model: 'podium',
  messages: [{ role: 'user' as const, content }],
});

async function errorOf(call: Promise<unknown>): Promise<APIError> {
  const thrown: unknown = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown instanceof APIError) return thrown;
  throw new Error(`The error is not an error of the API: ${String(thrown)}`);
}

it('sends images to the worker unchanged, each once, also with the Responses API', async () => {
  const client = await serve('ok@images');
  await client.chat.completions.create({
    model: 'podium',
    messages: [
      { role: 'user', content: [words('First.'), image()] },
      { role: 'assistant', content: 'Second.' },
      { role: 'user', content: [words('Third?'), image(), image(png(1))] },
    ],
  });
  const part = { type: 'input_image' as const, image_url: urlOf(png()), detail: 'auto' as const };
  const content = [{ type: 'input_text' as const, text: 'What is it?' }, part];
  await client.responses.create({ model: 'podium', input: [{ role: 'user', content }] });
  const sent = upstream.calls('ok@images').map(({ body }) => JSON.stringify(body).match(/data:image[^"]+/g));
  expect(sent).toEqual([[urlOf(png()), urlOf(png(1))], [urlOf(png())]]);
});

it('gives the text of files to the worker', async () => {
  const client = await serve('ok@files');
  const file_data = urlOf(Buffer.from('x,y\n1,2'), 'text/csv');
  await client.chat.completions.create(ask({ type: 'file', file: { filename: 'a.csv', file_data } }, words('Sum?')));
  const sent = JSON.stringify(upstream.calls('ok@files')[0]?.body);
  expect(sent).toContain('name=\\"a.csv\\" kind=\\"CSV\\"');
  expect(sent).toContain('x,y\\n1,2');
});

it.each([
  ['an address', [{ type: 'image_url' as const, image_url: { url: 'https://images.example/a.png' } }], 'data:'],
  ['a file on OpenAI’s servers', [{ type: 'file' as const, file: { file_id: 'file-1' } }], 'data:'],
  ['sound', [{ type: 'input_audio' as const, input_audio: { data: '', format: 'wav' as const } }], 'input_audio'],
  ['a damaged image', [image(Buffer.from('GIF89a'))], 'no PNG'],
  ['five images', [1, 2, 3, 4, 5].map((last) => image(png(last))), 'at most 4'],
  ['a large image', [image(Buffer.concat([png(), Buffer.alloc(5 * 2 ** 20)]))], '5 MB'],
  ['an empty file', [{ type: 'file' as const, file: { filename: 'a.txt', file_data: urlOf(Buffer.of()) } }], 'a.txt'],
])('refuses %s', async (_what, parts, reason) => {
  const client = await serve('ok@refused');
  const error = await errorOf(client.chat.completions.create(ask(words('What is it?'), ...parts)));
  expect([error.status, error.message]).toEqual([400, expect.stringContaining(reason)]);
  expect(upstream.calls('ok@refused')).toEqual([]);
});

it('refuses images if no worker can see them', async () => {
  const client = await serve('ok@blind', false);
  const error = await errorOf(client.chat.completions.create(ask(words('What is it?'), image())));
  expect([error.status, error.code]).toEqual([400, 'invalid_attachment']);
});

describe('the size of an image', () => {
  const riff = (chunk: string, data: string) =>
    Buffer.concat([Buffer.from(`RIFF____WEBP${chunk}____`, 'latin1'), Buffer.from(data, 'hex')]);
  it.each([
    ['image/png', png()],
    ['image/jpeg', Buffer.from('ffd8ffe000040000ffc0001108000200030301', 'hex')],
    ['image/webp', riff('VP8 ', '0000009d012a03000200')],
    // Lossless: the signature, then 14 bits each for the width and the height, both minus one.
    ['image/webp', riff('VP8L', '2f02400000000000000000')],
    ['image/webp', riff('VP8X', '00000000020000010000')],
  ])('is read from the first bytes: %s', (type, bytes) => {
    expect(imageSize(bytes)).toEqual({ type, width: 3, height: 2 });
  });

  it('is unknown for other bytes, and reading ends', () => {
    const endless = Buffer.from('ffd8ffe00000ffe00000', 'hex');
    for (const bytes of [Buffer.of(), endless, Buffer.from('RIFF'), png().subarray(0, 20)]) {
      expect(imageSize(bytes)).toBeNull();
    }
  });
});
