import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatWorkflow } from '../../../src/core/conductor';
import { foldEvents, type EventBody, type PlanEvent, type Workflow } from '../../../src/core/contract';
import { readRollout, workflowOf, type Rollout } from '../../../src/core/training/rollout';
import { rolloutLines, rolloutsOf, type RolloutProgress } from '../../../src/core/training/rollouts';
import { MemoryStore } from '../../fixtures/memory-store';
import { poolWorker, runStarted, stampEvents, step } from '../../fixtures/run-events';
import { workflowOf as anyWorkflow } from '../conductor/workflows';

const SUM = 'What is 17 + 25?';
const RIDDLE = 'What has keys but opens no lock?';
const bill = { usage: null, cost: null };
const local = { id: 'local:x', label: 'X', kind: 'webllm' as const, model: 'x' };
const builtIn = { id: 'heuristic', label: 'Built in', kind: 'heuristic' as const };
const messages = [
  { role: 'user' as const, parts: [{ kind: 'literal' as const, text: 'Q: ' }, { kind: 'question' as const }] },
];
const problem = { code: 'not-found' as const, message: 'There is no list.', at: 0 };
const two: Workflow = { steps: [step(0, 'Solve it'), step(1, 'Check "it"\n', [0])] };
const text = (workflow: Workflow) => `I would do this.\n\n${formatWorkflow(workflow, { access: 'fine' })}`;

const started = (written: boolean): PlanEvent =>
  written
    ? { type: 'plan-started', conductor: local, messages }
    : { type: 'plan-started', conductor: builtIn, messages: [] };
const finished = (workflow: Workflow, more: object = {}): PlanEvent => ({
  type: 'plan-finished',
  workflow,
  thought: '',
  text: text(workflow),
  source: 'conductor',
  finishReason: 'stop',
  ...bill,
  ...more,
});

type Said = PlanEvent | { readonly type: 'plan-edited'; readonly workflow: Workflow };

interface Told {
  readonly question?: string;
  readonly answer?: string;
  readonly correct?: boolean | null;
}

/** A run that planned so, answered with `answer`, and was graded. */
function runBodies(plan: readonly Said[], { question = SUM, answer = 'Answer: 42', correct = null }: Told = {}) {
  const key = { round: 0, step: 0, attempt: 0 };
  const bodies: EventBody[] = [
    runStarted({ question: { text: question } }),
    { type: 'round-started', round: 0 },
    ...plan.map((event): EventBody => ({ ...event, round: 0 })),
    { type: 'step-queued', ...key },
    { type: 'step-started', ...key, workerId: poolWorker(0).id, messages: [], sha256: '' },
    { type: 'step-finished', ...key, output: answer, reasoning: '', ...bill, finishReason: 'stop' },
    { type: 'run-finished', round: 0, step: 0 },
    ...(correct === null ? [] : [{ type: 'run-graded' as const, correct, by: 'person' as const, detail: '' }]),
  ];
  return bodies;
}

function rollouts(plan: readonly Said[], correct: boolean | null): Rollout[] {
  const run = foldEvents(stampEvents(runBodies(plan)));
  if (!run) throw new Error('the events hold no run');
  return rolloutsOf(run, correct);
}

const worth = (all: readonly Rollout[]) => all.map(({ id, reward, valid, correct }) => [id, reward, valid, correct]);

async function exported(store: MemoryStore, heard: RolloutProgress[] = [], signal = new AbortController().signal) {
  const lines: string[] = [];
  for await (const line of rolloutLines(store, { signal, heard: (progress) => heard.push(progress) })) lines.push(line);
  return lines;
}

async function keep(store: MemoryStore, runId: string, bodies: readonly EventBody[]) {
  for (const event of stampEvents(bodies, { runId })) await store.append(event);
}

function read(line: string): Rollout {
  const rollout = readRollout(line);
  if (!rollout.ok) throw new Error(rollout.message);
  return rollout.rollout;
}

describe('rollouts', () => {
  it('hold prompt, completion, pool and reward of a written plan', () => {
    const [rollout] = rollouts([started(true), finished(two)], true);
    expect(rollout).toMatchObject({
      id: 'run-1/first',
      prompt: [{ role: 'user', content: `Q: ${SUM}` }],
      completion: text(two),
      reward: 1,
      valid: true,
      correct: true,
      steps: 2,
      written: true,
      conductor: { id: 'local:x', kind: 'webllm', model: 'x' },
      logprobs: null,
    });
    expect(rollout?.pool.map(({ id }) => id)).toEqual([0, 1, 2].map((index) => poolWorker(index).id));
  });

  it.each([
    ['0.5 for a wrong answer', [started(true), finished(two)], false, [['run-1/first', 0.5, true, false]]],
    ['none while nobody can tell', [started(true), finished(two)], null, []],
    [
      '0 for what could not be read, whatever came after it',
      [
        started(true),
        { type: 'plan-retried', problem, fault: null, text: 'Hm.', next: 'stricter', ...bill },
        finished(two),
      ],
      true,
      [['run-1/first', 0, false, null]],
    ],
    [
      '0 for a plan that was refused though it reads',
      [
        started(true),
        { type: 'plan-retried', problem, fault: null, text: text(two), next: 'stricter', ...bill },
        finished(two),
      ],
      true,
      [['run-1/first', 0, false, null]],
    ],
    [
      'each candidate’s own, and null for a valid one that did not run',
      [
        started(true),
        { type: 'plan-candidate', candidate: 0, workflow: null, problem, text: 'Hm.', ...bill },
        { type: 'plan-candidate', candidate: 1, workflow: two, problem: null, text: text(two), ...bill },
        { type: 'plan-candidate', candidate: 2, workflow: two, problem: null, text: text(two), ...bill },
        { type: 'plan-chosen', candidate: 2, by: 'vote' },
        finished(two),
      ],
      false,
      [
        ['run-1/candidate-0', 0, false, null],
        ['run-1/candidate-1', null, true, null],
        ['run-1/candidate-2', 0.5, true, false],
      ],
    ],
    [
      'none for a model that a person corrected',
      [started(true), finished(two), { type: 'plan-edited', workflow: { steps: two.steps.slice(0, 1) } }],
      true,
      [],
    ],
  ] as const)('have their worth: %s', (_, plan, correct, expected) => {
    expect(worth(rollouts(plan, correct))).toEqual(expected);
  });

  it('of one prompt are of one group, whatever run they are from', () => {
    const groups = [
      ...rollouts([started(true), finished(two)], true),
      ...rollouts([started(true), finished({ steps: two.steps.slice(0, 1) })], false),
    ].map(({ group }) => group);
    expect(new Set(groups).size).toBe(1);
    expect(rollouts([started(false), finished(two)], true)[0]?.group).not.toBe(groups[0]);
  });
});

describe('a file of rollouts', () => {
  it('gives back every workflow, through our parser', async () => {
    await fc.assert(
      fc.asyncProperty(anyWorkflow(3, 5, 'fine'), fc.boolean(), fc.boolean(), async (workflow, written, correct) => {
        const store = new MemoryStore();
        await keep(store, 'run-1', runBodies([started(written), finished(workflow)], { correct }));
        const [line = ''] = await exported(store);
        const parsed = workflowOf(read(line));
        const bare = workflow.steps.map(({ worker, subtask, access }) => ({ worker, subtask, access }));
        expect(parsed.ok && parsed.workflow.steps).toEqual(bare);
        expect(read(line)).toMatchObject({ steps: bare.length, reward: correct ? 1 : 0.5 });
      }),
      { numRuns: 60 },
    );
  });

  it('holds what was graded or can be checked, and says how far it is', async () => {
    const store = new MemoryStore();
    const plan = [started(false), finished(two)];
    await keep(store, 'graded', runBodies(plan, { question: RIDDLE, correct: false }));
    await keep(store, 'checked-right', runBodies(plan));
    await keep(store, 'checked-wrong', runBodies(plan, { answer: 'Answer: 41' }));
    await keep(store, 'thumb', runBodies(plan, { answer: 'Answer: 41', correct: true }));
    await keep(store, 'unknown', runBodies(plan, { question: RIDDLE }));
    const heard: RolloutProgress[] = [];
    const lines = await exported(store, heard);
    const rewards = new Map(lines.map(read).map(({ id, reward }) => [id, reward]));
    expect(Object.fromEntries(rewards)).toEqual({
      'graded/plan': 0.5,
      'checked-right/plan': 1,
      'checked-wrong/plan': 0.5,
      'thumb/plan': 1,
    });
    expect(heard.at(-1)).toEqual({ runs: 5, of: 5, rollouts: 4 });
    for (const line of lines) expect(line.endsWith('\n') && !line.slice(0, -1).includes('\n')).toBe(true);
  });

  it('stops when it is told to', async () => {
    const store = new MemoryStore();
    for (const id of ['a', 'b', 'c']) await keep(store, id, runBodies([started(false), finished(two)]));
    const controller = new AbortController();
    const lines: string[] = [];
    const all = async () => {
      for await (const line of rolloutLines(store, { signal: controller.signal })) {
        lines.push(line);
        controller.abort();
      }
    };
    await expect(all()).rejects.toMatchObject({ name: 'AbortError' });
    expect(lines).toHaveLength(1);
  });

  it('names no key and no address', async () => {
    const store = new MemoryStore();
    const bodies = runBodies([started(false), finished(two)]);
    const [start, ...rest] = bodies;
    if (start?.type !== 'run-started') throw new Error('no start');
    const pool = start.pool.map((worker) => ({ ...worker, origin: 'https://private.example' }));
    await keep(store, 'run-1', [{ ...start, pool }, ...rest]);
    expect((await exported(store)).join('')).not.toContain('private.example');
  });

  it('is refused line by line, with a sentence', () => {
    for (const line of [
      '',
      '{',
      'null',
      '{"format":"podium-run","version":1,"events":[]}',
      '{"format":"podium-rollout"}',
    ]) {
      const refused = readRollout(line);
      expect(refused.ok).toBe(false);
      if (!refused.ok) expect(refused.message).toMatch(/Export the runs again\.$/);
    }
  });
});
