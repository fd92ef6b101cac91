import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
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

/** The page at `localhost` opens the page at 127.0.0.1 to get a copy of its data. */
const ALLOWS_POPUPS = { 'Cross-Origin-Opener-Policy': 'same-origin-allow-popups' };

it.each([[['--port', '0']], [['open', '--port', '0']]])('podium %j serves and opens the page', async (args) => {
  const interrupted = new AbortController();
  const opened: string[] = [];
  const browse = async (url: string) => {
    opened.push(url);
    const page = await fetch(url);
    expect(await page.text()).toBe('<title>Podium</title>');
    for (const [name, value] of Object.entries({ ...SECURITY_HEADERS, ...ALLOWS_POPUPS }))
      expect(page.headers.get(name), name).toBe(value);
    const handOver = await fetch(`${url}hand-over`);
    expect(await handOver.text()).toBe('<title>Podium</title>');
    expect(handOver.headers.get('cross-origin-opener-policy')).toBe('unsafe-none');
    expect(page.headers.get('cache-control')).toBe(CACHE.other);
    const program = await fetch(`${url}assets/first.wasm`);
    expect(program.headers.get('content-type')).toBe('application/wasm');
    expect(program.headers.get('cache-control')).toBe(CACHE.hashed);
    expect((await fetch(`${url}%2e%2e/%2e%2e/etc/passwd`)).status).toBe(404);
    interrupted.abort();
  };
  const { code, out } = await command(args, { page: await pageFolder(), browse, interrupted: interrupted.signal });
  expect(code).toBe(0);
  expect(opened).toEqual([expect.stringMatching(/^http:\/\/localhost:\d+\/$/)]);
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

it('podium open is at both addresses of localhost, and at no other', async () => {
  const interrupted = new AbortController();
  const browse = async (url: string) => {
    const { port } = new URL(url);
    for (const host of ['127.0.0.1', ...(hasIpv6() ? ['[::1]'] : [])])
      expect((await fetch(`http://${host}:${port}/`)).status, host).toBe(200);
    for (const { address, family } of outsideAddresses())
      await expect(fetch(`http://${family === 'IPv6' ? `[${address}]` : address}:${port}/`), address).rejects.toThrow();
    interrupted.abort();
  };
  const { code } = await command(['--port', '0'], {
    page: await pageFolder(),
    browse,
    interrupted: interrupted.signal,
  });
  expect(code).toBe(0);
});

const addresses = () => Object.values(networkInterfaces()).flatMap((each) => each ?? []);
const hasIpv6 = () => addresses().some(({ address }) => address === '::1');
const outsideAddresses = () => addresses().filter(({ internal, address }) => !internal && !address.startsWith('fe80'));

it.each(['127.0.0.1', ...(hasIpv6() ? ['::1'] : [])])(
  'podium open says what to do if its port is taken at %s',
  async (host) => {
    const other = createServer();
    onTestFinished(() => void other.close());
    const port = await new Promise<number>((resolve) => {
      other.listen(0, host, () => {
        const address = other.address();
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
    const result = await command(['--port', String(port)], { page: await pageFolder() });
    expect(result).toMatchObject({ code: 2, out: '' });
    expect(result.error).toContain(
      `Port ${port} is in use. If Podium is already running, open http://localhost:${port}/`,
    );
  },
);

it.each([
  [['open', 'here'], '“here” is not an option'],
  [['--colour'], "Unknown option '--colour'"],
  [['open', '--port', '0.5'], '--port must be a whole number'],
])('podium %j is wrong input', async (args, words) => {
  const result = await command(args, { page: await pageFolder() });
  expect(result).toMatchObject({ code: 2, out: '' });
  expect(result.error).toContain(words);
});
