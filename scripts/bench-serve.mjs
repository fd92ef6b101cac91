// The serve part of `npm run bench`: sends many requests at once to `podium serve --score`, three times. The workers are
// simulated.
//   npm run bench -- serve            # 200 requests
//   npm run bench -- serve 1000       # more requests
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const REQUESTS = 200;
const root = fileURLToPath(new URL('..', import.meta.url));
const podium = join(root, 'bin/podium.js');
/** The workflow to score: two workers solve, and a third worker compares their answers. */
const PLAN = `model_id = [0, 1, 2]
subtasks = ["Solve it.", "Solve it in another way.", "Compare the answers and give the right one."]
access_list = [[], [], [0, 1]]`;

/** @param {string} count number of requests. Default: 200 */
export async function benchServe(count) {
  const requests = count ? Number(count) : REQUESTS;
  for (const config of ['vite.node.config.ts', 'vite.programs.config.ts'])
    await build({ configFile: join(root, config), logLevel: 'warn' });
  const folder = mkdtempSync(join(tmpdir(), 'podium-bench-'));
  const out = join(folder, 'prompts');
  spawnSync(process.execPath, [podium, 'prompts', '--puzzles', String(requests), '--out', out]);
  const labels = readFileSync(`${out}.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(JSON.parse(line).label));
  const server = spawn(process.execPath, [podium, 'serve', '--score', '--port', '0'], { stdio: 'pipe' });
  try {
    const url = await new Promise((resolve, reject) => {
      server.stderr.on('data', (data) => {
        const found = / at (http:\/\/\S+)/.exec(String(data));
        if (found) resolve(found[1]);
      });
      server.once('exit', (code) => reject(new Error(`The server ended with the code ${code}.`)));
    });
    console.log(`\n${requests} scores at once over simulated workers, Node ${process.version}`);
    console.log(`  memory before: ${memoryOf(server.pid)}`);
    for (let turn = 0; turn < 3; turn++) {
      const before = performance.now();
      const scores = await Promise.all(labels.map((label, index) => score(url, label, `${turn}-${index}`)));
      const seconds = (performance.now() - before) / 1000;
      const answered = scores.filter((reward) => reward === 0.5 || reward === 1);
      const correct = scores.filter((reward) => reward === 1).length;
      console.log(
        `  turn ${turn + 1}: answered ${answered.length} of ${requests} (${correct} correct) in ${seconds.toFixed(1)} s; memory: ${memoryOf(server.pid)}`,
      );
    }
  } finally {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    console.log(`  exit code after SIGTERM: ${await ended}`);
    rmSync(folder, { recursive: true });
  }
}

async function score(url, label, id) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ items: [{ ...label, id, completion: PLAN }] }),
  });
  const { results } = await response.json();
  return results?.[0]?.reward ?? null;
}

/** Current and peak resident memory as text. `unknown` if the system does not report it. */
function memoryOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const megabytes = (name) => `${Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024)} MB`;
    return `${megabytes('VmRSS')}, at most ${megabytes('VmHWM')}`;
  } catch {
    return 'unknown';
  }
}
