import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { DEFAULT_PREFERENCES, foldEvents, type WorkerSetup } from '../../src/core/contract';
import { readConfig } from '../../src/node/config';
import { main } from '../../src/node/main';
import { parseRunValue, VerifiedTexts } from '../../src/platform/store/run-file';
import { readPoolFile, writePoolFile } from '../../src/platform/store/pool-file';
import { streamText } from '../fixtures/openai-scenarios';
import { startOpenAiServer } from '../fixtures/openai-server';
import { shortenSleeps } from '../fixtures/short-sleeps';

shortenSleeps();
let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'podium-command-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const PUZZLE = 'Using the numbers 3, 7, 25 and 50, each at most once, make 82.';

/** Runs a command in this process. */
async function podium(args: readonly string[], { environment = {}, interrupted = new AbortController() } = {}) {
  let [out, error] = ['', ''];
  const code = await main(args, {
    environment,
    out: (text) => void (out += text),
    error: (text) => void (error += text),
    interrupted: interrupted.signal,
  });
  return { code, out, error };
}

async function runIn(path: string) {
  const parsed = parseRunValue(JSON.parse(await readFile(path, 'utf8')), new VerifiedTexts());
  if (!parsed.ok) throw new Error(parsed.message);
  const run = foldEvents(parsed.events);
  if (!run) throw new Error('The file has no run.');
  return run;
}

function setupAt(baseUrl: string, more: Partial<WorkerSetup> = {}): WorkerSetup {
  const usual = { id: 'desk', name: 'Desk', mark: 'De', colour: 1, model: 'reasoning', price: null, description: '' };
  return { ...usual, baseUrl, needsKey: false, ...more };
}

async function poolFile(setup: WorkerSetup, conductor = 'template:best-single'): Promise<string> {
  const path = join(folder, 'pool.json');
  const pool = { pool: null, workers: [setup], conductor, preferences: DEFAULT_PREFERENCES };
  await writeFile(path, writePoolFile(pool, '0.0.0'));
  return path;
}

describe('podium', () => {
  test.each([
    [['dance'], 2, 'There is no command “dance”.'],
    [['run'], 2, 'Give a question'],
    [['run', ' '], 2, 'Give a question'],
    [['run', 'two', 'words'], 2, 'Put the question in quotes'],
    [['run', 'Why?', '--colour'], 2, "Unknown option '--colour'"],
    [['run', 'Why?', '--seed', 'x'], 2, '--seed must be a whole number'],
    [['run', 'Why?', '--max-cost', '-1'], 2, "'--max-cost' argument"],
    [['run', 'Why?', '--pool', '/nowhere/pool.json'], 2, 'Couldn’t read /nowhere/pool.json'],
    [['run', 'Why?', '--config', '/nowhere/config.json'], 2, 'Couldn’t read'],
    [['run', 'Why?', '--conductor', 'karajan'], 2, 'There is no Conductor “karajan”. Available: policy'],
  ])('%j exits with %d and reports the problem', async (args, code, words) => {
    const out = args[0] === 'run' ? ['--out', join(folder, 'run.jsonl')] : [];
    const result = await podium([...args, ...out]);
    expect(result).toMatchObject({ code, out: '' });
    expect(result.error).toContain(words);
    expect(await readdir(folder)).toEqual([]);
  });

  test.each([[['--help']], [['run', '--help']]])('prints its usage for %j', async (args) => {
    const { code, out } = await podium(args);
    expect(code).toBe(0);
    expect(out).toContain('podium');
  });
});

describe('a configuration file', () => {
  const page = readFileSync('docs/command-line.md', 'utf8');
  const examples = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map(([, text = '']) => text);
  const exampleWith = (word: string) => examples.find((text) => text.includes(word)) ?? '';

  test('from docs/command-line.md can be parsed, and so can the pool file of that page', async () => {
    const pool = readPoolFile(exampleWith('podium-pool"'));
    expect(pool.workers.map(({ id, price }) => [id, price?.output])).toEqual([
      ['big', 10],
      ['small', 0],
    ]);
    expect(pool.preferences).toMatchObject({ maxTokens: 4096, caps: { usd: 0.5 } });
    const config = join(folder, 'podium.config.json');
    await writeFile(config, exampleWith('"serve"'));
    expect(await readConfig(config)).toMatchObject({ pool: join(folder, 'podium-pool.json'), maxCost: 2 });
  });

  test('is rejected with an error that names the unknown or invalid field', async () => {
    const config = join(folder, 'podium.config.json');
    const problems = {
      '{"serve":{"prt":1}}': '“serve.prt” is unknown',
      '{"maxCost":"2"}': '“maxCost” has an invalid value',
    };
    for (const [text, problem] of Object.entries(problems)) {
      await writeFile(config, text);
      await expect(readConfig(config)).rejects.toThrow(problem);
    }
  });
});

describe('podium run', () => {
  test('answers a puzzle with simulated workers, prints plan and steps, and writes a valid run file', async () => {
    const path = join(folder, 'run.podium.jsonl');
    const { code, out, error } = await podium([
      'run',
      PUZZLE,
      '--seed',
      '3',
      '--conductor',
      'template:best-single',
      '--out',
      path,
    ]);
    expect(code).toBe(0);
    const run = await runIn(path);
    expect(run.status).toBe('finished');
    expect(run.answer).toContain('**Answer:** ');
    expect(out).toBe(`${(run.answer ?? '').replace('**Answer:**', 'Answer:')}\n`);
    expect(error).toContain('Plan: 1 step');
    expect(error).toContain('✓ Step 1, solve');
    expect(await readdir(folder)).toEqual(['run.podium.jsonl']);
  });

  test('with --json, prints every event as a line of JSON', async () => {
    const path = join(folder, 'run.jsonl');
    const { out } = await podium(['run', PUZZLE, '--json', '--conductor', 'template:best-single', '--out', path]);
    const events = out
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(events.map((event) => (event as { seq: number }).seq)).toEqual(events.map((_, index) => index));
    expect(events.at(-1)).toMatchObject({ type: 'run-finished' });
  });

  test('sends the key for the worker’s origin, but does not write the key to the file or output', async () => {
    const server = await startOpenAiServer();
    onTestFinished(() => server.close());
    const origin = new URL(server.url).origin;
    const keys = join(folder, 'keys.json');
    await writeFile(keys, JSON.stringify({ [origin]: 'sk-secret-of-the-test' }), { mode: 0o600 });
    const pool = await poolFile(setupAt(server.url, { needsKey: true }));
    const path = join(folder, 'run.jsonl');
    const { code, out, error } = await podium(['run', 'Why?', '--pool', pool, '--keys', keys, '--out', path]);
    expect({ code, error }).toMatchObject({ code: 0 });
    const keysSent = server.requests.map(({ headers }) => headers['authorization']);
    expect(new Set(keysSent)).toEqual(new Set(['Bearer sk-secret-of-the-test']));
    expect(out + error + (await readFile(path, 'utf8'))).not.toContain('sk-secret');
    expect((await runIn(path)).rounds[0]?.steps[0]?.status).toBe('finished');
  });

  test('sends the system prompt and the extra fields of a pool file, and refuses fields that Podium sends itself', async () => {
    const server = await startOpenAiServer();
    onTestFinished(() => server.close());
    const more = { system: 'Be terse.', extraFields: { min_p: 0.1 } };
    const pool = await poolFile(setupAt(server.url, more));
    const path = join(folder, 'run.jsonl');
    expect(await podium(['run', 'Why?', '--pool', pool, '--out', path])).toMatchObject({ code: 0 });
    const sent = server.requests.map(({ body }) => Object(body)).find(({ messages }) => messages);
    expect(sent).toMatchObject({ min_p: 0.1, messages: [{ role: 'system', content: 'Be terse.' }, { role: 'user' }] });
    const wrong = await poolFile(setupAt(server.url, { extraFields: { models: ['other'] } }));
    const { code, error } = await podium(['run', 'Why?', '--pool', wrong, '--out', join(folder, 'other.jsonl')]);
    expect({ code, error }).toMatchObject({ code: 2, error: expect.stringContaining('“models” can’t be added') });
  });

  test('exits with 2 if a worker has no key, and explains how to set the key', async () => {
    const pool = await poolFile(setupAt('https://api.openai.com/v1', { needsKey: true }));
    const { code, error } = await podium(['run', 'Why?', '--pool', pool, '--out', join(folder, 'run.jsonl')]);
    expect(code).toBe(2);
    expect(error).toContain('Set OPENAI_API_KEY, or add https://api.openai.com to the keys file.');
  });

  test('sends the extra headers of the keys file, and asks for them if a worker needs them', async () => {
    const server = await startOpenAiServer();
    onTestFinished(() => server.close());
    const { origin } = new URL(server.url);
    const pool = await poolFile(setupAt(server.url, { extraNames: ['api-key'] }));
    const path = join(folder, 'run.jsonl');
    const bare = await podium(['run', 'Why?', '--pool', pool, '--out', path]);
    expect(bare).toMatchObject({ code: 2, error: expect.stringContaining(`Add them for ${origin} to the keys file`) });
    const keys = join(folder, 'keys.json');
    const extras = { 'API-Key': 'az-secret-of-the-test' };
    await writeFile(keys, JSON.stringify({ [origin]: { extras } }), { mode: 0o600 });
    const { code, out, error } = await podium(['run', 'Why?', '--pool', pool, '--keys', keys, '--out', path]);
    expect({ code, error }).toMatchObject({ code: 0 });
    expect(server.requests.map(({ headers }) => headers['api-key'])).toContain('az-secret-of-the-test');
    expect(out + error + (await readFile(path, 'utf8'))).not.toContain('az-secret');
    await writeFile(keys, JSON.stringify({ [origin]: { extras: { Host: 'x' } } }));
    expect(await podium(['run', 'Why?', '--pool', pool, '--keys', keys])).toMatchObject({ code: 2 });
  });

  test('rejects a keys file that other users can read', async () => {
    const keys = join(folder, 'keys.json');
    await writeFile(keys, '{}');
    await chmod(keys, 0o644);
    const { code, error } = await podium(['run', 'Why?', '--keys', keys, '--out', join(folder, 'run.jsonl')]);
    expect(code).toBe(2);
    expect(error).toContain('chmod 600');
  });

  test('skips workers of the pool that need the browser, and reports them', async () => {
    const path = join(folder, 'pool.json');
    const pool = {
      pool: ['sim:alder', 'python', 'local:x'],
      workers: [],
      conductor: 'local:x',
      preferences: DEFAULT_PREFERENCES,
    };
    await writeFile(path, writePoolFile(pool, '0.0.0'));
    const { code, error } = await podium(['run', PUZZLE, '--pool', path, '--out', join(folder, 'run.jsonl')]);
    expect(code).toBe(0);
    expect(error).toContain('The worker python works only in the browser and is left out.');
    expect(error).toContain('The worker local:x works only in the browser and is left out.');
    expect(error).toContain('Another Conductor plans instead.');
  });

  test('names the first invalid setting of a pool file, with its value', async () => {
    const path = join(folder, 'pool.json');
    const settings = { maxTokens: 512, caps: { rounds: '2' }, temperature: 'hot' };
    const given = { format: 'podium-pool', version: 1, settings };
    await writeFile(path, JSON.stringify(given));
    const { code, error } = await podium(['run', PUZZLE, '--pool', path, '--out', join(folder, 'run.jsonl')]);
    expect([code, error]).toEqual([2, `${path}: The setting “temperature” has an invalid value: "hot".\n`]);
  });

  test('stops when it is interrupted, and --resume finishes the run from its journal', async () => {
    const path = join(folder, 'run.jsonl');
    const interrupted = new AbortController();
    let error = '';
    const code = await main(['run', PUZZLE, '--out', path, '--seed', '3'], {
      environment: {},
      out: () => undefined,
      error(text) {
        error += text;
        // A step has started.
        if (text.includes('▸')) interrupted.abort();
      },
      interrupted: interrupted.signal,
    });
    expect(code).toBe(130);
    expect(error).toContain(`podium run --resume ${path}`);
    const resumed = await podium(['run', '--resume', path]);
    expect(resumed).toMatchObject({ code: 0 });
    expect((await runIn(path)).status).toBe('finished');
    expect(await readdir(folder)).toEqual(['run.jsonl']);
    expect((await podium(['run', '--resume', path])).code).toBe(2);
  });

  test('with --resume, creates no file if the given file or its folder does not exist', async () => {
    for (const path of ['no/run.jsonl', 'no.jsonl']) {
      const { code, error } = await podium(['run', '--resume', join(folder, path)]);
      expect(code).toBe(2);
      expect(error).toContain('There is no interrupted run to continue.');
      expect(await readdir(folder)).toEqual([]);
    }
  });

  test('rejects a new question, and changes no file, while the journal has an interrupted run', async () => {
    const path = join(folder, 'run.jsonl');
    const interrupted = new AbortController();
    interrupted.abort();
    expect((await podium(['run', PUZZLE, '--out', path], { interrupted })).code).toBe(130);
    const files = () => Promise.all([readFile(path, 'utf8'), readFile(`${path}.journal`, 'utf8')]);
    const before = await files();
    const { code, error } = await podium(['run', 'Another question?', '--out', path]);
    expect(code).toBe(2);
    expect(error).toContain(`podium run --resume ${path}`);
    expect(await files()).toEqual(before);
  });

  test('with --resume, stores a finished run whose first write failed, without calling a worker again', async () => {
    const server = await startOpenAiServer();
    onTestFinished(() => server.close());
    const pool = await poolFile(setupAt(server.url));
    const path = join(folder, 'run.jsonl');
    // The first write fails because a folder gets this path during the run.
    server.script('reasoning', async (exchange) => {
      await mkdir(path, { recursive: true });
      await streamText(exchange, 'Because.');
    });
    const failed = await podium(['run', 'Why?', '--pool', pool, '--out', path]);
    expect(failed.code).toBe(1);
    expect(failed.error).toContain(`Couldn’t use the file ${path}`);
    const calls = server.requests.length;
    await rm(path, { recursive: true });
    const resumed = await podium(['run', '--resume', path, '--pool', pool]);
    expect(resumed).toMatchObject({ code: 0, out: failed.out });
    expect(server.requests).toHaveLength(calls);
    expect((await runIn(path)).status).toBe('finished');
    expect(await readdir(folder)).toEqual(['pool.json', 'run.jsonl']);
  });

  test('exits with 3 if the caps of the pool allow no call', async () => {
    const caps = { ...DEFAULT_PREFERENCES.caps, tokens: 0 };
    const pool = join(folder, 'pool.json');
    const preferences = { ...DEFAULT_PREFERENCES, caps };
    await writeFile(pool, writePoolFile({ pool: null, workers: [], conductor: null, preferences }, '0.0.0'));
    const { code, error } = await podium(['run', PUZZLE, '--pool', pool, '--out', join(folder, 'run.jsonl')]);
    expect(error).toContain('The limits allow no calls.');
    expect(code).toBe(3);
  });

  test('exits with 0 if it is interrupted after the answer', async () => {
    const interrupted = new AbortController();
    let error = '';
    const code = await main(
      ['run', PUZZLE, '--conductor', 'template:best-single', '--out', join(folder, 'run.jsonl')],
      {
        environment: {},
        out: () => interrupted.abort(),
        error: (text) => void (error += text),
        interrupted: interrupted.signal,
      },
    );
    expect(error).toContain('Saved as');
    expect(code).toBe(0);
  });
});
