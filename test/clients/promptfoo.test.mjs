import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import { servePodium } from './podium.mjs';

const SCRIPT = fileURLToPath(new URL('node_modules/promptfoo/dist/src/main.js', import.meta.url));

const skip = existsSync(SCRIPT) ? false : 'promptfoo is not installed';

let podium;
before(async () => {
  podium = await servePodium();
});
after(() => podium.stop());

/** Evaluates one question with a provider of promptfoo. @returns promptfoo's result */
async function evaluate(provider, asserted) {
  const file = join(podium.folder, 'evaluation.json');
  const out = join(podium.folder, 'results.json');
  const evaluation = {
    prompts: ['What is six times seven?'],
    providers: [provider],
    tests: [{ assert: asserted }],
  };
  await writeFile(file, JSON.stringify(evaluation));
  const { PATH } = process.env;
  const child = spawn(process.execPath, [SCRIPT, 'eval', '-c', file, '-o', out, '--no-cache', '--no-write'], {
    cwd: podium.folder,
    env: {
      PATH,
      HOME: podium.folder,
      PROMPTFOO_CONFIG_DIR: podium.folder,
      PROMPTFOO_DISABLE_TELEMETRY: '1',
      PROMPTFOO_DISABLE_UPDATE: '1',
      PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await new Promise((resolve) => child.on('exit', resolve));
  const { results } = JSON.parse(await readFile(out, 'utf8'));
  return results.results[0];
}

const RIGHT = { type: 'equals', value: 'The answer is 42.' };

test('promptfoo: an assertion on the answer passes with the quiet model', { skip }, async () => {
  const config = { apiBaseUrl: podium.url, apiKey: 'any' };
  const { success, error } = await evaluate({ id: 'openai:chat:podium-quiet', config }, [RIGHT]);
  assert.equal(success, true, error);
});

test('promptfoo: an assertion on the cost passes, with the cost of the usage', { skip }, async () => {
  // The provider for OpenAI computes costs from its own list of prices, and reads none from the usage.
  const config = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: { model: 'podium-quiet', messages: [{ role: 'user', content: '{{prompt}}' }] },
    transformResponse: '({ output: json.choices[0].message.content, cost: json.usage.cost })',
  };
  const cost = { type: 'cost', threshold: 1 };
  const result = await evaluate({ id: `${podium.url}/chat/completions`, config }, [RIGHT, cost]);
  assert.equal(result.success, true, result.error);
  assert.ok(result.cost > 0);
});
