/** Starts the built command line as a server, with two workers at the test's model server. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startUpstream } from './upstream.mjs';

export const SCRIPT = fileURLToPath(new URL('../../bin/podium.js', import.meta.url));

/** A model server, and the path of a pool with two workers there. `close` removes both. */
export async function startPool() {
  const upstream = await startUpstream();
  const folder = await mkdtemp(join(tmpdir(), 'podium-clients-'));
  const pool = join(folder, 'pool.json');
  const workers = ['one', 'two'].map((id) => {
    return { id, name: id, baseUrl: upstream.url, model: id, needsKey: false, price: { input: 1, output: 1 } };
  });
  await writeFile(pool, JSON.stringify({ format: 'podium-pool', version: 1, conductor: 'policy', workers }));
  const close = async () => {
    upstream.close();
    await rm(folder, { recursive: true });
  };
  return { upstream, pool, folder, close };
}

/** @param {readonly string[]} args of `podium serve` */
export async function servePodium(args = []) {
  const { upstream, pool, folder, close } = await startPool();
  const given = ['serve', '--model', '--port', '0', '--pool', pool, ...args];
  const child = spawn(process.execPath, [SCRIPT, ...given], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  const url = await new Promise((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text) => {
      log += text;
      const found = / at (http:\S+)/.exec(log);
      if (found) resolve(found[1]);
    });
    child.on('exit', () => reject(new Error(log)));
  });
  return {
    url,
    upstream,
    folder,
    async stop() {
      const ended = new Promise((resolve) => child.on('exit', resolve));
      child.kill('SIGTERM');
      child.kill('SIGTERM');
      await ended;
      await close();
    },
  };
}

/** Resolves when the condition holds. */
export async function until(condition) {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
