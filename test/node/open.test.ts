import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { CACHE, SECURITY_HEADERS } from '../../scripts/hosting';
import { command } from './terminal';

async function pageFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'podium-open-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'index.html'), '<title>Podium</title>');
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'assets/first.wasm'), 'code');
  return folder;
}

it.each([[['--port', '0']], [['open', '--port', '0']]])('podium %j serves and opens the page', async (args) => {
  const interrupted = new AbortController();
  const opened: string[] = [];
  const browse = async (url: string) => {
    opened.push(url);
    const page = await fetch(url);
    expect(await page.text()).toBe('<title>Podium</title>');
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect(page.headers.get(name), name).toBe(value);
    expect(page.headers.get('cache-control')).toBe(CACHE.other);
    const program = await fetch(`${url}assets/first.wasm`);
    expect(program.headers.get('content-type')).toBe('application/wasm');
    expect(program.headers.get('cache-control')).toBe(CACHE.hashed);
    expect((await fetch(`${url}%2e%2e/%2e%2e/etc/passwd`)).status).toBe(404);
    interrupted.abort();
  };
  const { code, out } = await command(args, { page: await pageFolder(), browse, interrupted: interrupted.signal });
  expect(code).toBe(0);
  expect(opened).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/)]);
  expect(out).toContain(`Podium is at ${opened[0]}`);
});

it('podium open prints the address even if no browser can be opened', async () => {
  const interrupted = new AbortController();
  const browse = () => {
    interrupted.abort();
    return Promise.reject(new Error('There is no browser.'));
  };
  const result = await command(['--port', '0'], { page: await pageFolder(), browse, interrupted: interrupted.signal });
  expect(result).toMatchObject({ code: 0, error: '' });
});

it('podium open says what to do if its port is taken', async () => {
  const other = createServer();
  onTestFinished(() => void other.close());
  const port = await new Promise<number>((resolve) => {
    other.listen(0, '127.0.0.1', () => {
      const address = other.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
  const result = await command(['--port', String(port)], { page: await pageFolder() });
  expect(result).toMatchObject({ code: 2, out: '' });
  expect(result.error).toContain(
    `Port ${port} is in use. If Podium is already running, open http://127.0.0.1:${port}/`,
  );
});

it.each([
  [['open', 'here'], '“here” is not an option'],
  [['--colour'], "Unknown option '--colour'"],
  [['open', '--port', '0.5'], '--port must be a whole number'],
])('podium %j is wrong input', async (args, words) => {
  const result = await command(args, { page: await pageFolder() });
  expect(result).toMatchObject({ code: 2, out: '' });
  expect(result.error).toContain(words);
});
