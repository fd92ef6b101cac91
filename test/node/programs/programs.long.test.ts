import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chromium, type Page } from 'playwright-core';
import { BROWSER_ARGS, findBrowser } from '../../../scripts/browser.mjs';
import { toPoolWorker } from '../../../src/core/contract';
import { createChromiumRunner, type ChromiumRunnerOptions } from '../../../src/node/programs/chromium-runner';
import { openProgramPage, serveProgramPage } from '../../../src/node/programs/program-page';
import { batchOf, methodSettings } from '../../fixtures/evaluation/practice';
import { streamText } from '../../fixtures/openai-scenarios';
import { startOpenAiServer } from '../../fixtures/openai-server';
import { CALL_CASES } from '../../fixtures/programs/call-cases';
import { STDIN_CASES } from '../../fixtures/programs/stdin-cases';
import { UNITTEST_CASES } from '../../fixtures/programs/unittest-cases';
import { verdictOn } from '../../fixtures/programs/verdict-on';
import { builtCommand, startProcess, waitFor } from '../built-command';
import { endpointSetup, importInPage, planFile, poolFile, testFolder } from '../eval/plans';
import { command } from '../terminal';
import { singleWorkerMethods } from '../../fixtures/evaluation/template-methods';
import { findChromium } from '../../../src/node/eval/plan-programs';

async function browser(): Promise<string> {
  const executable = await findBrowser();
  if (executable === undefined) throw new Error('These tests need Chromium.');
  return executable;
}

/**
 * Writes a shell script that runs the command `line` and then replaces itself with the browser. If `executable` is `null`, the
 * script fails after `line`. `--liftoff-only` skips the optimization of WebAssembly, which would delay the start of Python.
 */
async function browserScript(folder: string, line: string, executable: string | null): Promise<string> {
  const path = join(folder, 'browser.sh');
  const last = executable === null ? 'exit 127' : `exec "${executable}" --js-flags=--liftoff-only "$@"`;
  await writeFile(path, `#!/bin/sh\n${line}\n${last}\n`, { mode: 0o755 });
  return path;
}

async function startRunner(options: Partial<ChromiumRunnerOptions> = {}) {
  const { programs: folder } = await builtCommand();
  const executable = await browserScript(await testFolder(), ':', await browser());
  const runner = createChromiumRunner({ executable, folder, pages: 2, ...options });
  onTestFinished(() => runner.close());
  return runner;
}

/** Writes a small page that replaces the built page. @param room the members of the page's `ProgramRoom`, as JavaScript */
async function pageWith(room: string): Promise<string> {
  const folder = await testFolder();
  await writeFile(join(folder, 'index.html'), '<!doctype html><script src="main.js"></script>');
  await writeFile(join(folder, 'main.js'), `globalThis.podiumPrograms = { ${room} };`);
  return folder;
}

const LIMITS = { timeLimit: 20_000 };
/** Time limit of a test, ms. On a busy machine, Chromium and Python each take seconds to start. */
const PATIENCE = 300_000;
const { signal } = new AbortController();

describe('programs in Chromium', { timeout: PATIENCE }, () => {
  it('get the expected verdicts while two run at the same time', async () => {
    const runner = await startRunner();
    const names = [
      'reads with input()',
      'loops forever',
      'allocates 1 GB',
      'ends its process',
      'opens a connection from JavaScript',
      'reads the storage of the page',
      'has a class Solution',
    ];
    const cases = names.map((name) =>
      [...STDIN_CASES, ...CALL_CASES, ...UNITTEST_CASES].find((row) => row.name === name),
    );
    const found = await Promise.all(
      cases.map(async (row) => {
        if (!row) throw new Error('A case is missing.');
        return { name: row.name, ...(await verdictOn(row, runner)) };
      }),
    );
    expect(found).toEqual(
      cases.map((row) => ({
        name: row?.name,
        verdict: row?.verdict,
        sentence: expect.stringMatching(row?.detail ?? /./) as string,
      })),
    );
  });

  it('are stopped on abort or if their page hangs, and later programs run in new pages', async () => {
    const folder = await pageWith(`
      open: async () => 1,
      run: async (session, code) => {
        while (code === 'hang') continue;
        return { ok: true, stdout: code, stderr: '', time: 0 };
      },
      close: () => undefined,
    `);
    const runner = await startRunner({ folder, deadlines: { open: 60_000, answer: 6000, grace: 1 } });
    const stop = new AbortController();
    const aborted = await runner.open(stop.signal);
    const silent = runner.run('hang', { timeLimit: 1 }, signal);
    const one = aborted.run('hang', LIMITS, stop.signal);
    stop.abort();
    await expect(one).rejects.toMatchObject({ name: 'AbortError' });
    aborted.close();
    const message: unknown = expect.stringContaining('did not answer');
    expect(await silent).toMatchObject({ ok: false, fault: { kind: 'could-not-start', message } });
    const next = ['one', 'two'].map((code) => runner.run(code, LIMITS, signal));
    expect(await Promise.all(next)).toMatchObject([{ stdout: 'one' }, { stdout: 'two' }]);
  });

  it('get a fault of their own when they make the page of their session hang or crash', async () => {
    const folder = await pageWith(`
      open: async () => 1,
      run: () => new Promise(() => undefined),
      close: () => undefined,
    `);
    const started = await chromium.launch({ executablePath: await browser(), args: BROWSER_ARGS });
    onTestFinished(() => started.close());
    const server = await serveProgramPage(folder);
    onTestFinished(() => server.close());
    const open = (grace: number) => openProgramPage(started, server.url, { open: 60_000, answer: 60_000, grace });
    const silent = await open(1);
    const hung = await silent.run(await silent.open(signal), '', { timeLimit: 1 }, signal);
    expect(hung).toMatchObject({
      ok: false,
      fault: { kind: 'time-limit', message: 'It did not end within 0.001 s and was stopped.' },
    });
    silent.discard();
    const fragile = await open(60_000);
    const outcome = fragile.run(await fragile.open(signal), '', LIMITS, signal);
    const context = started.contexts().at(-1);
    const devTools = await context?.newCDPSession(context.pages()[0] as Page);
    // The call never returns, because the page has crashed.
    devTools?.send('Page.crash').catch(() => undefined);
    expect(await outcome).toMatchObject({ ok: false, fault: { kind: 'crashed' } });
    expect(fragile.isUsable).toBe(false);
  });

  it('end with a fault when the page is missing', async () => {
    const runner = await startRunner({ folder: join(await testFolder(), 'none') });
    const session = await runner.open(signal);
    expect((await session.run('1', LIMITS, signal)).fault).toMatchObject({ kind: 'could-not-start' });
  });
});

/** Writes a batch with one task. Two workers answer it once each. Grading an answer takes at least a second. */
async function programWorld() {
  const server = await startOpenAiServer();
  onTestFinished(() => server.close());
  const folder = await testFolder();
  const setups = ['ash', 'oak'].map((id) => endpointSetup(id, server.url));
  const code = (body: string) =>
    `\`\`\`python\nimport time\ndef task_func(x):\n    end = time.time() + 1\n    while time.time() < end: pass\n    return ${body}\n\`\`\``;
  server.script('ash', (exchange) => streamText(exchange, code('x * 2')));
  server.script('oak', (exchange) => streamText(exchange, code('x + 2')));
  const row = {
    task_id: 'BigCodeBench/0',
    complete_prompt: 'def task_func(x):\n    """Doubles x."""',
    canonical_solution: '    return 2 * x',
    test: 'import unittest\nclass TestCases(unittest.TestCase):\n    def test_double(self):\n        self.assertEqual(task_func(3), 6)',
    entry_point: 'task_func',
    libs: ['re'],
  };
  const data = join(folder, 'bigcodebench.jsonl');
  const text = `${JSON.stringify(row)}\n`;
  await writeFile(data, text);
  const { dataset, tasks } = await importInPage('bigcodebench.jsonl', text);
  const settings = methodSettings({ pool: setups.map((setup) => toPoolWorker(setup)) });
  const batch = batchOf(dataset, tasks, { methods: singleWorkerMethods(settings) });
  const plan = await planFile(folder, batch, 'programs.podium-batch.json');
  const given = [plan, '--pool', await poolFile(folder, setups), '--data', data];
  const out = join(folder, 'out');
  return { server, folder, given, args: ['eval', ...given, '--out', out, '-j', '1', '--json'], out };
}

/** How often a text occurs in a file. 0 if the file is missing. */
function count(path: string, text: string): number {
  try {
    return readFileSync(path, 'utf8').split(text).length - 1;
  } catch {
    return 0;
  }
}

/** Whether a process is running. A zombie (an ended process whose exit code is still unread) is not. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe('the podium command with programs', { timeout: PATIENCE }, () => {
  it('grades in the configured browser, resumes without new calls, and leaves no browser when killed', async () => {
    const { server, folder, args, out } = await programWorld();
    const pid = join(folder, 'pid');
    const configured = await browserScript(folder, `echo $$ >"${pid}"`, await browser());
    await writeFile(join(folder, 'podium.config.json'), JSON.stringify({ browser: configured }));
    const all = [...args, '--config', join(folder, 'podium.config.json')];
    const [outcomes, journal] = ['outcomes', 'runs'].map((name) => join(out, `shard-1-of-1.${name}.jsonl`)) as [
      string,
      string,
    ];

    // `run` succeeds, so this page passes the check before the evaluation. `open` fails, so no answer can be graded.
    const lost = await pageWith(`
      open: () => Promise.reject(new Error('The page is lost.')),
      run: async () => ({ ok: true, stdout: '', stderr: '', time: 0 }),
      close: () => undefined,
    `);
    const failed = await command(all, { programs: lost });
    expect(failed.code, failed.error).toBe(4);
    expect(lastLine(failed.out)).toMatchObject({ units: 2, graded: 0, failed: 2 });

    const started = [(await builtCommand()).script, ...all, '--resume', '--retry-errors'];
    const interrupted = startProcess(process.execPath, started);
    await waitFor(interrupted, () => count(journal, '"type":"run-finished"') === 1);
    interrupted.child.kill('SIGTERM');
    expect(await interrupted.ended, interrupted.error()).toBe(130);
    expect(count(outcomes, '"status":"graded"')).toBe(1);

    const killed = startProcess(process.execPath, started);
    await waitFor(killed, () => count(journal, '"type":"run-finished"') === 2);
    killed.child.kill('SIGKILL');
    expect(await killed.ended, killed.error()).toBe(null);
    expect(count(outcomes, '"status":"graded"')).toBe(1);
    const left = Number(await readFile(pid, 'utf8'));
    await expect.poll(() => runs(left), { timeout: PATIENCE }).toBe(false);

    const last = startProcess(process.execPath, started);
    expect(await last.ended, last.error()).toBe(0);
    expect(lastLine(last.out())).toMatchObject({ type: 'ended', units: 2, graded: 2, right: 1, notGradable: 0 });
    expect(count(outcomes, 'passed all 1 test')).toBeGreaterThan(0);
    expect(['ash', 'oak'].map((model) => server.calls(model).length)).toEqual([1, 1]);
  });

  it('ends with exit code 2 before any call when the browser can’t start', async () => {
    const { server, folder, args, out } = await programWorld();
    const broken = await browserScript(folder, 'echo "libnss3.so: cannot open shared object file" >&2', null);
    await writeFile(join(folder, 'podium.config.json'), JSON.stringify({ browser: broken }));
    const programs = await pageWith('');
    const result = await command([...args, '--config', join(folder, 'podium.config.json')], { programs });
    expect(result).toMatchObject({ code: 2, out: '' });
    expect(result.error).toContain('libnss3.so: cannot open shared object file');
    expect(result.error).toContain('“browser” in podium.config.json');
    expect(server.requests).toEqual([]);
    // The evaluation has not started, so the next attempt needs no --resume.
    await expect(readFile(join(out, 'shard-1-of-1.plan.json'))).rejects.toThrow('ENOENT');
  });

  // On macOS, `findChromium` also searches folders outside `PATH`. The tests can't hide a browser there.
  const reason = 'This machine has a browser in a usual folder.';
  const hasUsual = async () => (await findChromium(null, { PATH: '' })) !== null;

  it('warns in `podium plan` when no browser is found', async ({ skip }) => {
    skip(await hasUsual(), reason);
    const { given } = await programWorld();
    const environment = { PATH: await testFolder() };
    const { code, out, error } = await command(['plan', ...given], { environment });
    expect([code, error]).toEqual([0, expect.stringContaining('no Chromium or Chrome was found')]);
    expect(out).toContain('Runs:  2');
  });

  it('rejects a configured browser that can’t be started', async () => {
    await expect(findChromium('/no/such/browser', {})).rejects.toThrow('not a program that can be started');
  });

  it('finds no browser if neither PATH nor the usual folders contain one', async ({ skip }) => {
    skip(await hasUsual(), reason);
    expect(await findChromium(null, { PATH: await testFolder() })).toBeNull();
  });
});

/** Parses the last line that a command has printed. */
function lastLine(out: string): unknown {
  const value: unknown = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '');
  return value;
}
