import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
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
    await podium.addWorker({ address: server.urlOf('wrong-key'), model: 'wrong-key', key: RIGHT_KEY, name: 'Desk' });
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

test('the package works in an empty folder: it answers a question, and serves the built page', async () => {
  test.setTimeout(300_000);
  const folder = await mkdtemp(join(tmpdir(), 'podium-package-'));
  try {
    // This also builds the page and the command line, unless the builds are newer than the sources.
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder]);
    const files = z.array(z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) }));
    const [tarball] = files.parse(JSON.parse(stdout));
    expect(tarball?.files.filter(({ path }) => !/^(?:bin|dist|dist-node)\/|^[^/]+$/.test(path))).toEqual([]);
    const packed = tarball?.files.map(({ path }) => path) ?? [];
    const built = (await readdir('dist', { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const page = built.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => !path.endsWith('.map'));
    expect(packed.filter((path) => path.startsWith('dist/')).sort(), 'the whole page without source maps').toEqual(
      page.sort(),
    );
    expect(packed.filter((path) => path.endsWith('.map'))).toEqual([]);
    await run('npm', [
      'install',
      '--prefix',
      folder,
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      join(folder, tarball?.filename ?? ''),
    ]);
    const installed = (await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('.'));
    expect(installed.sort()).toEqual(['playwright-core', 'podium']);

    const script = join(folder, 'node_modules/.bin/podium');
    const answered = await run(script, ['run', 'Using the numbers 3 and 7, make 21.'], { cwd: folder });
    expect(answered.stdout).toContain('21');

    const serving = spawn(script, ['--port', '0'], { cwd: folder, env: { ...process.env, CI: '1' } });
    try {
      const url = await new Promise<string>((resolve, reject) => {
        serving.on('exit', () => reject(new Error('The server has ended.')));
        serving.stdout.on('data', (text: Buffer) => {
          const found = /http:\S+/.exec(text.toString());
          if (found) resolve(found[0]);
        });
      });
      const served = await fetch(url);
      expect(served.status).toBe(200);
      const html = await served.text();
      expect(html).toBe(await readFile('dist/index.html', 'utf8'));
      for (const [, path = ''] of html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g))
        expect(await (await fetch(new URL(path, url))).text(), path).toBe(await readFile(join('dist', path), 'utf8'));
    } finally {
      serving.kill();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
