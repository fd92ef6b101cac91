/**
 * @file Runs the Python code in docs/grpo-export.md on exported rollouts (graded plans), with a
 * stub in place of TRL.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { formatWorkflow } from '../../../../src/core/conductor/format';
import type { EventBody, Workflow } from '../../../../src/core/contract';
import { rolloutLines } from '../../../../src/core/training/export/rollout-export';
import { MemoryStore } from '../../../fixtures/memory-store';
import { runStarted, stampEvents, step } from '../../../fixtures/run-events';
import { NOTHING_STORED } from '../../../fixtures/only-marked';

const run = promisify(execFile);
const PYTHON = await run('python3', ['--version']).then(
  () => true,
  () => false,
);
if (!PYTHON) console.log('Skips the test of the Python in docs/grpo-export.md: python3 is not installed.');

const Groups = z.array(
  z.object({ requested: z.array(z.string()), completions: z.array(z.string()), rewards: z.array(z.number()) }),
);

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podium-trl-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** The only block of Python in docs/grpo-export.md. */
async function snippet(): Promise<string> {
  const page = await readFile(new URL('../../../../docs/grpo-export.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/^```python\n(.*?)^```$/gms)].map(([, code = '']) => code);
  expect(blocks).toHaveLength(1);
  return blocks[0] ?? '';
}

const solve: Workflow = { steps: [step(0, 'Solve “it”')] };
const check: Workflow = { steps: [step(0, 'Solve it'), step(1, 'Check it', [0])] };
const text = (workflow: Workflow) => formatWorkflow(workflow, { access: 'fine' });

/** A graded run in which a model wrote this workflow for this question. */
function bodies(question: string, workflow: Workflow, correct: boolean): EventBody[] {
  const bill = { usage: null, cost: null };
  const conductor = { id: 'local:x', label: 'X', kind: 'webllm' as const, model: 'x' };
  const messages = [
    { role: 'system' as const, parts: [{ kind: 'literal' as const, text: 'You conduct, é.' }] },
    { role: 'user' as const, parts: [{ kind: 'question' as const }] },
  ];
  const key = { round: 0, step: 0, attempt: 0 };
  const done = { output: '42', reasoning: '', ...bill, finishReason: 'stop' as const };
  return [
    runStarted({ question: { text: question } }),
    { type: 'round-started', round: 0 },
    { type: 'plan-started', round: 0, conductor, messages },
    {
      type: 'plan-finished',
      round: 0,
      workflow,
      thought: '',
      text: text(workflow),
      source: 'conductor',
      ...bill,
      finishReason: 'stop',
    },
    { type: 'step-queued', ...key },
    { type: 'step-started', ...key, workerId: 'a', messages: [], sha256: '' },
    { type: 'step-finished', ...key, ...done },
    { type: 'run-finished', round: 0, step: 0 },
    { type: 'run-graded', correct, by: 'person', detail: '' },
  ];
}

it.runIf(PYTHON)(
  'the Python code in the docs replays exported plans, and skips a group with equal rewards',
  { timeout: 60_000 },
  async () => {
    const store = new MemoryStore();
    const runs = [
      bodies('What is it?', solve, true),
      bodies('What is it?', check, false),
      // Equal rewards give no learning signal, so the code skips this group.
      bodies('And what is that?', solve, true),
      bodies('And what is that?', check, true),
    ];
    for (const [index, all] of runs.entries()) {
      for (const event of stampEvents(all, { runId: `run-${index}` })) await store.append(event);
    }
    let lines = '';
    for await (const line of rolloutLines(store, { signal: new AbortController().signal, evaluation: NOTHING_STORED }))
      lines += line;
    expect(lines.trim().split('\n')).toHaveLength(4);
    await writeFile(join(folder, 'podium-rollouts.jsonl'), lines);
    await writeFile(join(folder, 'train.py'), await snippet());
    const stubs = new URL('../../../fixtures/trl/', import.meta.url).pathname;
    const env = { ...process.env, PYTHONPATH: stubs, PYTHONDONTWRITEBYTECODE: '1' };
    const { stdout } = await run('python3', ['train.py'], { cwd: folder, env });

    const [group, ...others] = Groups.parse(JSON.parse(stdout));
    expect(others).toEqual([]);
    expect(group?.requested).toHaveLength(8);
    expect(new Set(group?.requested)).toEqual(new Set(['<system>You conduct, é.<user>What is it?<assistant>']));
    const worth = new Map([
      [`${text(solve)}<end>`, 1],
      [`${text(check)}<end>`, 0.5],
    ]);
    expect(new Set(group?.completions)).toEqual(new Set(worth.keys()));
    expect(group?.rewards).toEqual(group?.completions.map((written) => worth.get(written)));
  },
);
