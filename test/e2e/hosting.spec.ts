/** @file Tests the HTTP headers from the configuration file for each kind of host. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { CACHE, SECURITY_HEADERS } from '../../scripts/hosting';
import { readCaddyFile, readHeadersFile, readNginxFile } from '../fixtures/host-rules';
import { expect, test } from '@playwright/test';

const TARGETS = [
  { host: 'Netlify and Cloudflare Pages', file: '_headers', read: readHeadersFile },
  { host: 'nginx', file: '_nginx.conf', read: readNginxFile },
  { host: 'Caddy', file: '_Caddyfile', read: readCaddyFile },
];

const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

// All journeys open the page with the headers of the first of these files, so the page works with the others too.
for (const { host, file, read } of TARGETS) {
  test(`the file for ${host} adds only the security headers, and only files with a hash in their name are cached for long`, () => {
    const headersOf = read(readFileSync(join('dist', file), 'utf8'));
    const built = readdirSync('dist', { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = built.map(({ parentPath, name }) => `/${relative('dist', join(parentPath, name))}`);
    expect(paths.filter((path) => path.startsWith('/assets/')).length).toBeGreaterThan(50);
    for (const path of ['/', ...paths]) {
      const { 'cache-control': cache, 'content-type': _type, ...others } = lowerCase(headersOf(path));
      expect(others, path).toEqual(lowerCase(SECURITY_HEADERS));
      if (path.startsWith('/assets/')) expect(cache, path).toBe(CACHE.hashed);
      else expect(cache ?? CACHE.other, path).toBe(CACHE.other);
    }
    for (const path of ['/', '/sw.js', '/index.html'])
      expect(lowerCase(headersOf(path))['cache-control'], path).toBe(CACHE.other);
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
