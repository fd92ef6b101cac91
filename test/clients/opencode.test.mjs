import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { servePodium } from './podium.mjs';

/** The agent for this machine. `null`: there is none. */
function agent() {
  const name = `opencode-${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin/opencode');
  } catch {
    return null;
  }
}

const skip = agent() === null ? 'opencode has no package for this machine' : false;

test('opencode: reads a file by a tool and answers from it', { skip, timeout: 240_000 }, async (context) => {
  const podium = await servePodium(['--tools', 'forward']);
  context.after(() => podium.stop());
  const home = join(podium.folder, 'work');
  await mkdir(home);
  await writeFile(join(home, 'notes.txt'), 'The password is swordfish.\n');
  const models = { 'podium-quick': { name: 'Podium', tool_call: true, cost: { input: 1, output: 1 } } };
  const options = { baseURL: podium.url, apiKey: 'any' };
  const provider = { podium: { npm: '@ai-sdk/openai-compatible', name: 'Podium', options, models } };
  const model = 'podium/podium-quick';
  const config = { autoupdate: false, share: 'disabled', model, small_model: model, provider };
  await writeFile(join(home, 'opencode.json'), JSON.stringify(config));
  const { PATH } = process.env;
  const off = { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_DEFAULT_PLUGINS: '1' };
  const child = spawn(agent(), ['run', '--format', 'json', 'Read notes.txt. What is the password?'], {
    cwd: home,
    env: { PATH, HOME: podium.folder, ...off },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
  assert.equal(await new Promise((resolve) => child.on('exit', resolve)), 0);
  const events = out.trim().split('\n').map(JSON.parse);
  const read = events.find(({ type }) => type === 'tool_use');
  assert.deepEqual([read.part.tool, read.part.state.status], ['read', 'completed']);
  assert.match(events.findLast(({ type }) => type === 'text').part.text, /swordfish/);
  const costs = events.filter(({ type }) => type === 'step_finish').map(({ part }) => part.cost);
  context.diagnostic(`cost: ${costs.map((cost) => `$${cost.toFixed(4)}`).join(' + ')}`);
});
