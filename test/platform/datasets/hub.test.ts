import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterEach, expect, test } from 'vitest';
import { FaultError, type Fault } from '../../../src/core/contract';
import { openTable } from '../../../src/platform/datasets/open-table';
import { createTableOpener } from '../../../src/platform/datasets/table-opener';
import { COMMIT, readAll, signal, startHub, waitlessClock } from './harness';

type Hub = Awaited<ReturnType<typeof startHub>>;

const hubs: Hub[] = [];
afterEach(() => {
  for (const hub of hubs.splice(0)) hub.close();
});

const LINES = Array.from({ length: 400 }, (_, index) => JSON.stringify({ q: `Question ${index}` }));
const FILES = {
  'README.md': Buffer.from('# Set'),
  'data/test set.jsonl': Buffer.from(LINES.join('\n')),
  'data/train.parquet': new Uint8Array(
    parquetWriteBuffer({ columnData: [{ name: 'q', data: LINES, type: 'STRING' }] }),
  ),
};
const JSONL = { repository: 'owner/set', file: 'data/test set.jsonl' };

async function hubWith(...parameters: Partial<Parameters<typeof startHub>>) {
  const [files = FILES, answer] = parameters;
  const hub = await startHub(files, answer);
  hubs.push(hub);
  const clock = waitlessClock();
  return { ...hub, clock, opener: createTableOpener(openTable, clock, hub.host) };
}

async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  const thrown: unknown = await promise.catch((reason: unknown) => reason);
  if (thrown instanceof FaultError) return thrown.fault;
  throw new Error(`no fault: ${String(thrown)}`);
}

test('lists the tables of a dataset given as a web address', async () => {
  const { opener, host } = await hubWith();
  const files = await opener.listHub({ repository: `${host.origin}/datasets/owner/set/` }, signal());
  expect(files.map(({ path, format }) => [path, format])).toEqual([
    ['data/test set.jsonl', 'jsonl'],
    ['data/train.parquet', 'parquet'],
  ]);
});

test.each(['data/test set.jsonl', 'data/train.parquet'])(
  'reads all rows of %s at the commit of the default revision',
  async (file) => {
    const { opener } = await hubWith();
    const table = await opener.openHub({ repository: 'owner/set', file }, signal());
    expect(table.source).toEqual({ kind: 'hub', repository: 'owner/set', revision: COMMIT, file });
    expect(table.preview).toHaveLength(5);
    const { values, read } = await readAll(table);
    expect(values).toHaveLength(400);
    expect(read).toBe(table.bytes);
  },
);

test('sends the token to the hub, but not to the host that the hub redirects to', async () => {
  const { opener, seen } = await hubWith();
  await readAll(await opener.openHub({ ...JSONL, token: 'hf_secret' }, signal()));
  expect(seen.filter(({ isHub }) => isHub).every(({ authorization }) => authorization === 'Bearer hf_secret')).toBe(
    true,
  );
  const redirected = seen.filter(({ isHub }) => !isHub);
  expect(redirected.length).toBeGreaterThan(0);
  expect(redirected.every(({ authorization }) => authorization === null)).toBe(true);
});

test('requires a path only if the dataset has several tables, and rejects an unknown path', async () => {
  const one = await hubWith({ 'README.md': FILES['README.md'], 'a.jsonl': FILES['data/test set.jsonl'] });
  expect((await one.opener.openHub({ repository: 'owner/set' }, signal())).bytes).toBe(
    FILES['data/test set.jsonl'].length,
  );
  const { opener } = await hubWith();
  const several = await faultOf(opener.openHub({ repository: 'owner/set' }, signal()));
  expect(several.message).toBe('owner/set has several tables. Choose one: data/test set.jsonl, data/train.parquet.');
  const missing = await faultOf(opener.openHub({ repository: 'owner/set', file: 'b.csv' }, signal()));
  expect(missing).toMatchObject({ code: 'not-found', message: expect.stringContaining('has no table “b.csv”') });
});

test('explains why a file of unknown size or an empty file can’t be read', async () => {
  const siblings = [{ rfilename: 'a.jsonl' }, { rfilename: 'b.jsonl', size: null }, { rfilename: 'c.jsonl', size: 0 }];
  const { opener } = await hubWith({}, ({ path }, response) => {
    if (!path.startsWith('/api/')) return false;
    response.end(JSON.stringify({ sha: COMMIT, siblings }));
    return true;
  });
  for (const file of ['a.jsonl', 'b.jsonl']) {
    const found = await faultOf(opener.openHub({ repository: 'owner/set', file }, signal()));
    expect(found.message).toBe(
      `The hub doesn’t report the size of ${file}. Download the file, then import it from here.`,
    );
  }
  const empty = await faultOf(opener.openHub({ repository: 'owner/set', file: 'c.jsonl' }, signal()));
  expect(empty.message).toBe('c.jsonl is empty. Choose another file.');
});

test.each<[string, number, string, string | undefined, string, string]>([
  ['a gated dataset without a token', 401, 'GatedRepo', undefined, 'unauthorized', 'Request access at '],
  ['a gated dataset with a token', 403, 'GatedRepo', 't', 'forbidden', 'has no access to owner/set'],
  ['a rejected token', 401, '', 't', 'unauthorized', 'doesn’t accept this access token'],
  ['an unknown dataset', 401, 'RepoNotFound', undefined, 'not-found', 'no public dataset “owner/set”'],
  ['an unknown dataset with a token', 404, 'RepoNotFound', 't', 'not-found', 'no public dataset “owner/set”'],
  ['an unknown revision', 404, 'RevisionNotFound', undefined, 'not-found', 'no revision “main”'],
])('reports %s', async (_, status, errorCode, token, code, words) => {
  const { opener, host } = await hubWith(FILES, (_seen, response) => {
    response.writeHead(status, errorCode === '' ? {} : { 'x-error-code': errorCode }).end();
    return true;
  });
  const found = await faultOf(opener.openHub({ ...JSONL, ...(token !== undefined && { token }) }, signal()));
  expect(found).toMatchObject({ code, status });
  expect(found.message).toContain(words);
  if (errorCode === 'GatedRepo') expect(found.message).toContain(`${host.origin}/datasets/owner/set`);
});

test('explains how to get access if the hub describes a dataset, but refuses to send its files', async () => {
  const { opener } = await hubWith(FILES, ({ path }, response) => {
    if (!path.includes('/resolve/')) return false;
    response.writeHead(401, { 'x-error-code': 'GatedRepo' }).end();
    return true;
  });
  expect((await faultOf(opener.openHub(JSONL, signal()))).message).toContain('then enter an access token');
});

test('reports a rate limit immediately when a table is opened', async () => {
  const { opener, clock } = await hubWith(FILES, (_, response) => {
    response.writeHead(429, { ratelimit: '"resolvers";r=0;t=178' }).end();
    return true;
  });
  const found = await faultOf(opener.openHub(JSONL, signal()));
  expect(found).toMatchObject({ code: 'rate-limited', retryAfter: 178_000 });
  expect(found.message).toContain('Try again in 178 seconds');
  // The next request fails immediately as well.
  expect(await faultOf(opener.openHub(JSONL, signal()))).toMatchObject({ code: 'rate-limited' });
  expect(clock.waits).toEqual([]);
});

test('waits during an import until a rate limit ends, then continues', async () => {
  let refusals = 0;
  const { opener, clock } = await hubWith(FILES, ({ path }, response) => {
    if (refusals === 0 || !path.includes('/resolve/')) return false;
    refusals -= 1;
    response.writeHead(429, { 'retry-after': '30' }).end();
    return true;
  });
  const table = await opener.openHub(JSONL, signal());
  refusals = 2;
  expect((await readAll(table)).values).toHaveLength(400);
  expect(clock.waits).toEqual([30_000, 30_000]);
});

test('retries server errors', async () => {
  let errors = 2;
  const { opener, clock } = await hubWith(FILES, (_, response) => {
    if (errors === 0) return false;
    errors -= 1;
    response.writeHead(502).end();
    return true;
  });
  expect((await opener.openHub(JSONL, signal())).preview).toHaveLength(5);
  expect(clock.waits).toEqual([1000, 5000]);
});

test('resumes an interrupted download where it stopped', async () => {
  const bytes = FILES['data/test set.jsonl'];
  let isCut = false;
  const { opener, seen } = await hubWith(FILES, ({ range }, response, isHub) => {
    if (isHub || isCut || !range?.startsWith('bytes=0-')) return false;
    isCut = true;
    response.writeHead(206, { 'content-length': bytes.length });
    response.write(bytes.subarray(0, 1000), () => response.destroy());
    return true;
  });
  const { values, problems } = await readAll(await opener.openHub(JSONL, signal()));
  expect(values).toHaveLength(400);
  expect(problems).toEqual([]);
  expect(seen.map(({ range }) => range)).toContain(`bytes=1000-${bytes.length - 1}`);
});

test('reports a retryable fault if the download breaks at every attempt', async () => {
  const { opener } = await hubWith(FILES, (_, response, isHub) => {
    if (isHub) return false;
    response.writeHead(206, { 'content-length': 1000 });
    response.flushHeaders();
    setImmediate(() => response.destroy());
    return true;
  });
  expect((await faultOf(opener.openHub(JSONL, signal()))).retryable).toBe(true);
});

test('rejects a redirect to a host that does not belong to the hub', async () => {
  const { opener } = await hubWith(FILES, ({ path }, response, isHub) => {
    if (!isHub || !path.includes('/resolve/')) return false;
    response.writeHead(302, { location: `http://localhost:${new URL(hubs[0]?.host.origin ?? '').port}/x` }).end();
    return true;
  });
  expect(await faultOf(opener.openHub(JSONL, signal()))).toMatchObject({ code: 'bad-address' });
});

test('rejects a reply that contains the whole file instead of the requested part', async () => {
  const { opener } = await hubWith(FILES, (_, response, isHub) => {
    if (isHub) return false;
    response.writeHead(200).end(FILES['data/train.parquet']);
    return true;
  });
  const opening = opener.openHub({ repository: 'owner/set', file: 'data/train.parquet' }, signal());
  const found = await faultOf(opening.then((table) => readAll(table)));
  expect(found.code).toBe('broken-reply');
});

test.each(['', 'a/b/c', '../x', 'owner/set?x', 'https://example.com/owner/set'])(
  'rejects %j as the name of a dataset without sending a request',
  async (repository) => {
    const { opener, seen } = await hubWith();
    expect((await faultOf(opener.listHub({ repository }, signal()))).code).toBe('bad-address');
    expect(seen).toEqual([]);
  },
);

test('reports that the hub can’t be reached', async () => {
  const { opener, close } = await hubWith();
  close();
  expect((await faultOf(opener.listHub({ repository: 'owner/set' }, signal()))).code).toBe('unreachable');
});

test('rejects with an AbortError when the signal aborts', async () => {
  const { opener } = await hubWith(FILES, () => true);
  const controller = new AbortController();
  const opening = opener.openHub(JSONL, controller.signal);
  controller.abort();
  await expect(opening).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
});
