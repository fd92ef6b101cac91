import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/core/contract';
import { parseSearchEvent } from '../../../src/core/lessons/search-schema';
import { foldSearch } from '../../../src/core/lessons/search-state';
import { readPool } from '../../../src/node/pool';
import { temporaryFolder, writePool } from '../../fixtures/podium-server';
import { describedWorker, startSocietyServer, type SocietyServer } from '../../fixtures/lessons/server';
import { finishedRunBodies, runStarted, stampEvents } from '../../fixtures/run-events';
import { drawSociety, KINDS, societyTasks } from '../../fixtures/lessons/society';
import { command, type TerminalOptions } from '../terminal';

const SOCIETY = drawSociety(1);
let server: SocietyServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  server = await startSocietyServer(SOCIETY, { useful: 1, harmful: 0, leaking: 0 });
});
afterAll(() => server.close());
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

/** Writes the pool and the tasks. @returns the arguments of the command */
async function prepared(tasks: number, name = 'taught'): Promise<string[]> {
  const workers = [
    ...SOCIETY.workers.map((worker) => ({
      id: worker.id,
      model: worker.name.toLowerCase(),
      name: worker.name,
      description: describedWorker(worker),
    })),
    { id: 'planner', model: 'planner', name: 'Planner' },
    { id: 'reflector', model: 'reflector', name: 'Reflector' },
  ].map((worker) => ({ ...worker, baseUrl: server.url, limits: { concurrent: 8 } }));
  const pool = await writePool(folder.path, workers, {
    pool: SOCIETY.workers.map(({ id }) => id),
    conductor: 'endpoint:planner',
  });
  const file = join(folder.path, 'tasks.jsonl');
  const lines = societyTasks(1, tasks).map(({ id, question, reference, grader }) =>
    JSON.stringify({ id, question, reference, grader }),
  );
  await writeFile(file, lines.join('\n'));
  return ['teach', '--pool', pool, '--tasks', file, '--reflect', 'reflector', '--out', join(folder.path, name)];
}

const teach = (args: readonly string[], options?: TerminalOptions) => command(args, options);
const callsOf = () => [...server.calls.values()].reduce((sum, each) => sum + each, 0);

async function stateIn(name = 'taught') {
  const text = await readFile(join(folder.path, `${name}.podium-search.jsonl`), 'utf8');
  return foldSearch(
    text
      .trim()
      .split('\n')
      .flatMap((line) => parseSearchEvent(parseJson(line)) ?? []),
  );
}

async function linesOf(form: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(folder.path, `taught.${form}.jsonl`), 'utf8');
  const lines = text.trim().split('\n');
  return lines.map((line): Record<string, unknown> => ({ ...Object(parseJson(line)) }));
}

describe('podium teach', () => {
  it('learns lessons over HTTP, proves them, and writes a file with them', async () => {
    const args = await prepared(120);
    const { code, out, error } = await teach([...args, '--max-runs', '130', '--jobs', '8', '--prove', '--trainers']);
    expect(error).toContain('30 for training, 30 for validation, 60 for the test');
    expect(code, error).toBe(0);
    expect(out).toMatch(/^- For \w+ questions, use/m);
    expect(error).toMatch(/Better than the current prompt: \d+\.\d ± \d+\.\d points on 60 tasks\./);
    const file: unknown = JSON.parse(await readFile(join(folder.path, 'taught.podium-lessons.json'), 'utf8'));
    expect(file).toMatchObject({
      format: 'podium-lessons',
      learned: { conductor: 'endpoint:planner', pool: SOCIETY.workers.map(({ id, name }) => ({ id, name })) },
      proof: { verdict: 'better', isOwn: true, isUnseen: true },
    });
    const taught = await readPool(join(folder.path, 'taught.pool.json'));
    const [learned] = taught.preferences.prompts.learned ?? [];
    expect(learned?.lessons.map(({ text }) => `- ${text}\n`).join('')).toBe(out);
    const examples = await linesOf('sft');
    const pairs = await linesOf('preferences');
    const test = new Set((await stateIn())?.plan.split.test);
    expect(examples.length).toBeGreaterThan(5);
    expect(pairs.length).toBeGreaterThan(0);
    for (const line of [...examples, ...pairs]) {
      expect(JSON.stringify(line['prompt'])).not.toContain('Lessons');
      expect(test.has(String(line['task']))).toBe(false);
    }
    expect(examples[0]).toMatchObject({ completion: [{ role: 'assistant' }] });
    expect(pairs[0]).toMatchObject({ chosen: [{ role: 'assistant' }], rejected: [{ role: 'assistant' }] });
    const before = callsOf();
    expect((await teach([...args, '--max-runs', '130', '--jobs', '8', '--prove'])).out).toBe(out);
    expect(callsOf()).toBe(before);
    const used = await readFile(join(folder.path, 'podium-teach.used-tests.jsonl'), 'utf8');
    expect(parseJson(used)).toMatchObject({ type: 'tests-used', tasks: [...test] });
  });

  it('continues an interrupted search without paying twice', async () => {
    const args = await prepared(120);
    const interrupted = new AbortController();
    const stopping = teach([...args, '--max-runs', '90'], {
      interrupted: interrupted.signal,
      onError: (text) => {
        if (text.startsWith('Iteration 1')) interrupted.abort();
      },
    });
    expect((await stopping).code).toBe(130);
    const paid = (await stateIn())?.runs ?? 0;
    expect(paid).toBeGreaterThan(0);
    const before = server.calls.get('planner') ?? 0;
    const { error } = await teach([...args, '--max-runs', '90']);
    const state = await stateIn();
    expect(error).toContain(`${state?.runs ?? 0} graded runs`);
    expect((server.calls.get('planner') ?? 0) - before).toBeLessThanOrEqual((state?.runs ?? 0) - paid);
  });

  it('says what a small set of tasks means, without a call', async () => {
    const before = callsOf();
    const { code, error } = await teach([...(await prepared(40)), '--dry-run']);
    expect(code).toBe(0);
    expect(error).toContain(
      '200 for the test (generated, because fewer than 100 tasks are yours). The verdict will be: not proved on your questions.',
    );
    expect(callsOf()).toBe(before);
  });

  it('takes tasks from graded runs and from generated families', async () => {
    const [, , pool = ''] = await prepared(40);
    const runs = join(folder.path, 'saved.jsonl');
    const lines = Array.from({ length: 30 }, (_, index) => {
      const [, ...rest] = finishedRunBodies();
      const [marks, beasts] = [KINDS[index % KINDS.length] ?? '', `${index} ${'goose '.repeat(index)}`];
      const question = { text: `How many of the ${beasts} of ${marks} are left in barn ${index}?` };
      const bodies = rest.map((body) => (body.type === 'step-finished' ? { ...body, output: `${index}` } : body));
      const grade = { type: 'run-graded', correct: true, by: 'person', detail: '' } as const;
      const events = stampEvents([runStarted({ question }), ...bodies, grade], { runId: `run-${index}` });
      return JSON.stringify({ format: 'podium-run', version: 1, events });
    });
    await writeFile(runs, lines.join('\n'));
    const dry = ['teach', '--pool', pool, '--reflect', 'reflector', '--out', join(folder.path, 'own'), '--dry-run'];
    const own = await teach([...dry, '--graded', runs]);
    expect(own.error).toContain('15 for training, 14 for validation, 200 for the test (generated, because fewer than');
    const generated = await teach([...dry, '--generated', 'logic, data']);
    expect(generated.error).toContain('140 for training, 60 for validation, 200 for the test (generated, which');
    expect(generated.error).toContain('not proved on your questions');
    expect((await teach([...dry, '--generated', 'poetry'])).error).toContain(
      '“poetry” is no domain of generated tasks',
    );
    expect((await teach([...dry, '--generated', 'all', '--graded', runs])).error).toContain('Give exactly one of');
  });

  it('refuses Conductors that read no prompt, and a name of another search', async () => {
    const args = await prepared(40);
    expect((await teach([...args, '--conductor', 'policy'])).error).toContain('reads no lessons');
    await teach([...args, '--max-runs', '20']);
    const other = await teach([...args, '--max-runs', '20', '--seed', '5']);
    expect(other.code).toBe(2);
    expect(other.error).toContain('belongs to a search with other tasks');
  });
});
