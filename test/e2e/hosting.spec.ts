/**
 * @file Tests that the built page works with the HTTP headers from the configuration file for each
 * kind of host.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CACHE, SECURITY_HEADERS } from '../../scripts/hosting';
import { readCaddyFile, readHeadersFile, readNginxFile } from '../fixtures/host-rules';
import { startStaticHost } from '../fixtures/static-host';
import { expect, test } from './podium';

test.use({ serviceWorkers: 'allow' });

const TARGETS = [
  { host: 'Netlify and Cloudflare Pages', file: '_headers', read: readHeadersFile },
  { host: 'nginx', file: '_nginx.conf', read: readNginxFile },
  { host: 'Caddy', file: '_Caddyfile', read: readCaddyFile },
];

for (const { host: name, file, read } of TARGETS) {
  test(`a run works with the headers for ${name}, and only files with a hash in their name are cached for long`, async ({
    page,
    podium,
  }) => {
    const host = await startStaticHost();
    host.headers = read(readFileSync(join('dist', file), 'utf8'));
    const seen = new Map<string, Record<string, string>>();
    page.on('response', (response) => {
      // The page's Web Workers start from blobs, which have no headers.
      if (response.url().startsWith(host.url)) seen.set(new URL(response.url()).pathname, response.headers());
    });
    await podium.open(host.url);
    await podium.chooseEffort('Quick');
    await podium.run.click();
    await podium.ended();
    await expect(podium.answer.getByText('Answer:')).toBeVisible();
    for (const path of ['/sw.js', '/index.html', '/manifest.webmanifest'])
      seen.set(path, (await page.request.get(`${host.url}${path}`)).headers());
    expect([...seen.keys()].filter((path) => path.startsWith('/assets/')).length).toBeGreaterThan(5);
    const expected = Object.fromEntries(
      Object.entries(SECURITY_HEADERS).map(([key, value]) => [key.toLowerCase(), value]),
    );
    for (const [path, headers] of seen) {
      expect(headers, path).toMatchObject(expected);
      if (path.startsWith('/assets/')) expect(headers['cache-control'], path).toBe(CACHE.hashed);
      else expect(headers['cache-control'] ?? CACHE.other, path).toBe(CACHE.other);
    }
    for (const path of ['/', '/sw.js', '/index.html'])
      expect(seen.get(path)?.['cache-control'], path).toBe(CACHE.other);
    await host.close();
  });
}

/**
 * Runs the program's own check of its configuration. Skips the test if the program is not
 * installed.
 */
function checkSyntax(program: string, args: (folder: string) => string[], site: string, name: string): void {
  const found = spawnSync(program, [program === 'nginx' ? '-v' : 'version']);
  if (found.error) console.log(`Skipped: ${program} is not installed, so it can't check its file.`);
  test.skip(Boolean(found.error), `${program} is not installed`);
  const folder = mkdtempSync(join(tmpdir(), 'podium-host-'));
  try {
    writeFileSync(join(folder, name), site);
    const { status, stderr } = spawnSync(program, args(folder), { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('nginx accepts its configuration file', () => {
  const root = resolve('dist');
  // The default folders of nginx are not writable for every user.
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${kind};`)
    .join(' ');
  const site = `events {}\nhttp { access_log off; ${folders} server { listen 127.0.0.1:8080; root ${root}; include ${root}/_nginx.conf; } }\n`;
  checkSyntax(
    'nginx',
    (folder) => ['-t', '-p', folder, '-c', join(folder, 'nginx.conf'), '-g', `pid ${folder}/pid; error_log stderr;`],
    site,
    'nginx.conf',
  );
});

test('Caddy accepts its configuration file', () => {
  const root = resolve('dist');
  const site = `http://127.0.0.1:8080 {\n\troot * ${root}\n\timport ${root}/_Caddyfile\n}\n`;
  checkSyntax(
    'caddy',
    (folder) => ['validate', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
    site,
    'Caddyfile',
  );
});
