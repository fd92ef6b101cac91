/** @file Serves the page that runs programs. Only processes on this machine can reach the server. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { BOOTSTRAP } from '../../platform/sandbox/frame';

export interface PageServer {
  readonly url: string;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.zip': 'application/zip',
};

/** Lets the page load files only from this server. The sandbox in the page inherits this policy and adds stricter rules. */
const POLICY = [
  "default-src 'none'",
  `script-src 'self' 'wasm-unsafe-eval' 'sha256-${createHash('sha256').update(BOOTSTRAP).digest('base64')}'`,
  "connect-src 'self'",
  'worker-src blob:',
].join('; ');

/** Serves the current files of `folder` on a free port of 127.0.0.1. Rejects if the folder can't be read. */
export async function servePage(folder: string): Promise<PageServer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  // Only these files are served, so that no requested path can lead out of the folder.
  const files = new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [`/${relative(folder, file).split(sep).join('/')}`, file]),
  );
  const server = createServer((request, response) => {
    const [pathname = '/'] = (request.url ?? '/').split('?');
    const file = files.get(pathname === '/' ? '/index.html' : pathname);
    if (file === undefined) return void response.writeHead(404).end();
    readFile(file).then(
      (content) => {
        response.writeHead(200, {
          'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
          'content-security-policy': POLICY,
          'cache-control': 'max-age=86400',
        });
        response.end(content);
      },
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
