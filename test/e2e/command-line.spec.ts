import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RIGHT_KEY } from '../fixtures/openai-scenarios';
import { expect, test } from './podium';
import { importText, savedText, withoutPicker } from './run-files';

const run = promisify(execFile);
const PODIUM = join(import.meta.dirname, '../../bin/podium.js');

test('the command line runs a question with an exported pool, and the page imports the run @smoke', async ({
  page,
  podium,
  server,
}) => {
  // The command line builds itself when it is first used.
  test.setTimeout(120_000);
  const folder = await mkdtemp(join(tmpdir(), 'podium-journey-'));
  try {
    await withoutPicker(page);
    await podium.addWorker({ address: server.urlOf('wrong-key'), model: 'm', key: RIGHT_KEY, name: 'Desk' });
    const exported = await savedText(page, () => page.getByRole('button', { name: 'Export pool' }).click());
    expect(exported).not.toContain(RIGHT_KEY);
    const [pool, keys, out] = ['pool.json', 'keys.json', 'run.podium.jsonl'].map((name) => join(folder, name));
    if (!pool || !keys || !out) throw new Error('The folder has no paths.');
    await writeFile(pool, exported);
    await writeFile(keys, JSON.stringify({ [new URL(server.url).origin]: RIGHT_KEY }), { mode: 0o600 });

    const question = 'What is six times seven?';
    const args = ['run', question, '--conductor', 'template:best-single', '--pool', pool, '--keys', keys, '--out', out];
    const { stdout, stderr } = await run(process.execPath, [PODIUM, ...args]);
    const beginning = 'I was sent 1 messages.';
    expect(stdout).toContain(beginning);
    expect(stderr).toContain('✓ Step 1, solve, Desk');
    expect(await readFile(out, 'utf8')).not.toContain(RIGHT_KEY);

    await podium.open('/#/runs');
    await importText(page, await readFile(out, 'utf8'));
    await expect(page.getByText('1 run added.')).toBeVisible();
    await page.getByRole('link', { name: question }).first().click();
    await expect(podium.answer).toContainText('Same as the output of step 1');
    await expect(page.getByRole('main')).toContainText(beginning);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
