import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatWorkflow } from '../../../../src/core/conductor/format';
import {
  fault,
  foldEvents,
  ROUND_DISCOUNT,
  type EventBody,
  type PlanEvent,
  type Workflow,
} from '../../../../src/core/contract';
import { workflowOf, type Rollout } from '../../../../src/core/training/export/rollout-format';
import { readRollout } from '../../../fixtures/rollout-lines';
import { rolloutLines, rolloutsOf, type RolloutProgress } from '../../../../src/core/training/export/rollout-export';
import { MemoryStore } from '../../../fixtures/memory-store';
import { poolWorker, runStarted, stampEvents, step } from '../../../fixtures/run-events';
import { workflowOf as anyWorkflow } from '../../conductor/workflows';
import { NOTHING_STORED } from '../../../fixtures/only-marked';

// A rollout is one plan with its prompt and its reward, for training a Conductor.

const SUM = 'What is 17 + 25?';
const RIDDLE = 'What has keys but opens no lock?';
const bill = { usage: null, cost: null };
const local = { id: 'local:x', label: 'X', kind: 'webllm' as const, model: 'x' };
const builtIn = { id: 'heuristic', label: 'Built in', kind: 'heuristic' as const };
const messages = [
  { role: 'user' as const, parts: [{ kind: 'literal' as const, text: 'Q: ' }, { kind: 'question' as const }] },
];
const problem = { code: 'not-found' as const, message: 'There is no list.', at: 0 };
const unreachable = fault('unreachable', 'The server does not respond.', { retryable: true });
const refusedByLimit: PlanEvent = {
  type: 'plan-retried',
  problem: null,
  fault: fault('rate-limited', 'Too many calls.', { retryable: true }),
  text: '',
  next: 'stricter',
  ...bill,
};
const picture = { hash: 'a'.repeat(64), type: 'image/png' as const, width: 4, height: 4, size: 9 };
const two: Workflow = { steps: [step(0, 'Solve it'), step(1, 'Check "it"\n', [0])] };
const text = (workflow: Workflow) => `I would do this.\n\n${formatWorkflow(workflow, { access: 'fine' })}`;

const started = (written: boolean): PlanEvent =>
  written
    ? { type: 'plan-started', conductor: local, messages }
    : { type: 'plan-started', conductor: builtIn, messages: [] };
/** Starts a plan in which a model writes the subtasks of the policy's steps. */
const worded: PlanEvent = {
  type: 'plan-started',
  conductor: { ...local, id: 'policy+local:x', label: 'Policy, words by X' },
  messages,
  policy: { part: 'skeleton', revision: 'p1', logProbability: -2 },
};
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

type PlanBody = PlanEvent | { readonly type: 'plan-edited'; readonly workflow: Workflow };

interface RunOptions {
  readonly question?: string;
  readonly answer?: string;
  readonly correct?: boolean | null;
}

function runBodies(
  plan: readonly PlanBody[],
  { question = SUM, answer = 'Answer: 42', correct = null }: RunOptions = {},
) {
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

function rollouts(plan: readonly PlanBody[], correct: boolean | null): Rollout[] {
  const run = foldEvents(stampEvents(runBodies(plan)));
  if (!run) throw new Error('The events contain no run.');
  return rolloutsOf(run, [correct]);
}

const rewardsOf = (all: readonly Rollout[]) =>
  all.map(({ id, reward, valid, correct }) => [id, reward, valid, correct]);

async function exported(
  store: MemoryStore,
  progressReports: RolloutProgress[] = [],
  signal = new AbortController().signal,
) {
  const lines: string[] = [];
  for await (const line of rolloutLines(store, {
    signal,
    evaluation: NOTHING_STORED,
    onProgress: (progress) => progressReports.push(progress),
  }))
    lines.push(line);
  return lines;
}

async function keep(store: MemoryStore, runId: string, bodies: readonly EventBody[]) {
  for (const event of stampEvents(bodies, { runId })) await store.append(event);
}

describe('the export of an imported run with a grade', () => {
  it('checks the answer instead of using the grade, unless `countsImported` is set', async () => {
    const store = new MemoryStore();
    await keep(store, 'run-1', [
      ...runBodies([started(true), finished(two)], { answer: 'Answer: 7', correct: true }),
      { type: 'run-imported' },
    ]);
    const unread = runBodies([started(true), finished(two)], { question: 'Who wrote it?', correct: true });
    await keep(store, 'run-2', [...unread, { type: 'run-imported' }]);
    const { signal } = new AbortController();
    const worthOf = async (countsImported: boolean) => {
      const found: Rollout[] = [];
      for await (const line of rolloutLines(store, { signal, evaluation: NOTHING_STORED, countsImported }))
        found.push(readRollout(line));
      return found.map(({ id, reward }) => [id, reward]).toSorted();
    };
    expect(await worthOf(false)).toEqual([['run-1/first', 0.5]]);
    expect(await worthOf(true)).toEqual([
      ['run-1/first', 1],
      ['run-2/first', 1],
    ]);
  });
});

describe('rollouts', () => {
  it('keep the original step limit of a plan when its run is resumed with a lower limit', () => {
    const bodies = runBodies([started(true), finished(two)], { correct: true });
    const end = bodies.findIndex(({ type }) => type === 'step-queued');
    const resumed: EventBody[] = [{ type: 'run-interrupted' }, { type: 'run-resumed', maxSteps: 1 }];
    const run = foldEvents(stampEvents([...bodies.slice(0, end), ...resumed, ...bodies.slice(end)]));
    if (!run) throw new Error('The events contain no run.');
    expect(run.maxSteps).toBe(1);
    expect(rolloutsOf(run, [true])[0]).toMatchObject({ maxSteps: 5, valid: true, steps: 2, reward: 1 });
  });

  it('contain the prompt, completion, pool and reward of a plan that a model wrote', () => {
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
    ['none while the answer is ungraded', [started(true), finished(two)], null, []],
    [
      '0 for an invalid text, even if the retry gave a valid plan with a right answer',
      [
        started(true),
        { type: 'plan-retried', problem, fault: null, text: 'Hm.', next: 'stricter', ...bill },
        finished(two),
      ],
      true,
      [['run-1/first', 0, false, null]],
    ],
    [
      '0 for an invalid text after a rate limit',
      [
        started(true),
        refusedByLimit,
        { type: 'plan-retried', problem, fault: null, text: 'Hm.', next: 'stricter', ...bill },
        finished(two),
      ],
      true,
      [['run-1/first', 0, false, null]],
    ],
    [
      '1 for a plan with a right answer after a rate limit',
      [started(true), refusedByLimit, finished(two)],
      true,
      [['run-1/first', 1, true, true]],
    ],
    [
      '0 for a rejected plan, even if its text parses',
      [
        started(true),
        { type: 'plan-retried', problem, fault: null, text: text(two), next: 'stricter', ...bill },
        finished(two),
      ],
      true,
      [['run-1/first', 0, false, null]],
    ],
    [
      'a reward for the candidate that ran and for invalid candidates, but none for a valid candidate that did not run',
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
        ['run-1/candidate-2', 0.5, true, false],
      ],
    ],
    [
      '1 for subtasks that a model wrote for the policy’s steps',
      [worded, finished(two)],
      true,
      [['run-1/first', 1, true, true]],
    ],
    [
      '0 for invalid subtasks of a model, and none for the fallback plan of the policy',
      [
        worded,
        { type: 'plan-retried', problem, fault: null, text: 'Hm.', next: 'stricter', ...bill },
        { type: 'plan-retried', problem, fault: null, text: text(two), next: 'fallback', ...bill },
        finished(two, { text: '', source: 'fallback' }),
      ],
      true,
      [['run-1/first', 0, false, null]],
    ],
    [
      'none when the model’s call failed and the policy wrote a fallback plan',
      [
        worded,
        {
          type: 'plan-retried',
          problem: null,
          fault: fault('unauthorized', 'No.'),
          text: '',
          next: 'fallback',
          ...bill,
        },
        finished(two, { text: '', source: 'fallback' }),
      ],
      true,
      [],
    ],
    [
      'a reward for the ranked candidate that ran, and 0 for an invalid one',
      [
        { ...started(true), policy: { part: 'ranking', revision: 'p1' } },
        {
          type: 'plan-candidate',
          candidate: 0,
          workflow: two,
          problem: null,
          text: text(two),
          ...bill,
          score: { logProbability: -1, choices: 4 },
        },
        { type: 'plan-candidate', candidate: 1, workflow: null, problem, text: 'Hm.', ...bill },
        { type: 'plan-chosen', candidate: 0, by: 'rank' },
        finished(two),
      ],
      true,
      [
        ['run-1/candidate-0', 1, true, true],
        ['run-1/candidate-1', 0, false, null],
      ],
    ],
    [
      'none for a candidate whose call failed',
      [
        started(true),
        {
          type: 'plan-candidate',
          candidate: 0,
          workflow: null,
          problem: null,
          fault: unreachable,
          text: 'model_id =',
          ...bill,
        },
        { type: 'plan-candidate', candidate: 1, workflow: two, problem: null, text: text(two), ...bill },
        { type: 'plan-chosen', candidate: 1, by: 'vote' },
        finished(two),
      ],
      true,
      [['run-1/candidate-1', 1, true, true]],
    ],
    [
      'none for a plan that the user edited',
      [started(true), finished(two), { type: 'plan-edited', workflow: { steps: two.steps.slice(0, 1) } }],
      true,
      [],
    ],
  ] as const)('have the expected rewards: %s', (_, plan, correct, expected) => {
    expect(rewardsOf(rollouts(plan, correct))).toEqual(expected);
  });

  it('share a group if their prompts are equal, but not if their prompts differ', () => {
    const groups = [
      ...rollouts([started(true), finished(two)], true),
      ...rollouts([started(true), finished({ steps: two.steps.slice(0, 1) })], false),
    ].map(({ group }) => group);
    expect(new Set(groups).size).toBe(1);
    expect(rollouts([started(false), finished(two)], true)[0]?.group).not.toBe(groups[0]);
  });
});

describe('an interrupted plan', () => {
  const half: PlanEvent = { type: 'plan-delta', channel: 'content', text: 'I would do this.\n\nmodel_id = [0' };
  const before = (more: readonly EventBody[]): Rollout[] => {
    const bodies: EventBody[] = [
      runStarted({ question: { text: SUM } }),
      { type: 'round-started', round: 0 },
      ...[started(true), half].map((event): EventBody => ({ ...event, round: 0 })),
      ...more,
    ];
    const run = foldEvents(stampEvents(bodies));
    if (!run) throw new Error('The events contain no run.');
    expect(run.rounds[0]?.plan?.text).toBe(half.text);
    return rolloutsOf(run, [null]);
  };

  it.each([
    ['a stop', [{ type: 'run-cancelled' }]],
    ['a closed page', [{ type: 'run-interrupted' }]],
    ['a fault', [{ type: 'plan-failed', round: 0, problem: null, fault: unreachable, text: half.text, ...bill }]],
  ] as const)('is not exported after %s', (_, ending) => {
    expect(before(ending)).toEqual([]);
  });

  it('is exported as an invalid plan if the parser rejected its text', () => {
    const refused: EventBody = { type: 'plan-failed', round: 0, problem, fault: unreachable, text: half.text, ...bill };
    expect(rewardsOf(before([refused]))).toEqual([['run-1/first', 0, false, null]]);
  });
});

describe('a plan that no model wrote', () => {
  it('is attributed to the user if the user wrote it', () => {
    const [rollout] = rollouts([started(false), finished(two, { text: '', source: 'person' })], true);
    expect(rollout?.conductor).toMatchObject({ id: 'by-hand', kind: 'by-hand' });
  });

  it('has a prompt that mentions the question’s images', () => {
    const bodies = runBodies([started(false), finished(two)]).map((body): EventBody => {
      if (body.type !== 'run-started') return body;
      return { ...body, question: { text: SUM, images: [picture] } };
    });
    const run = foldEvents(stampEvents(bodies));
    const [rollout] = run ? rolloutsOf(run, [true]) : [];
    expect(rollout?.prompt.map(({ content }) => content).join('')).toContain('The question comes with 1 image.');
  });
});

describe('a workflow of the trained policy', () => {
  const policy = { id: 'policy', label: 'Policy', kind: 'policy' as const, model: 'r1' };
  const drew: PlanEvent = { type: 'plan-started', conductor: policy, messages: [] };
  const quiet = { problem: null, text: '', ...bill };

  it('has a log-probability if it is a candidate, and shares a group with the other candidates', () => {
    const one: Workflow = { steps: two.steps.slice(0, 1) };
    const all = [one, two].flatMap((chosen, candidate) =>
      rollouts(
        [
          drew,
          { type: 'plan-candidate', candidate: 0, workflow: one, ...quiet, logProbability: -1.5 },
          { type: 'plan-candidate', candidate: 1, workflow: two, ...quiet, logProbability: -3.25 },
          { type: 'plan-chosen', candidate, by: 'vote' },
          finished(chosen, { text: '', logProbability: candidate === 0 ? -1.5 : -3.25 }),
        ],
        candidate === 0,
      ),
    );
    expect(all.map(({ id, reward, logprobs, steps, written }) => [id, reward, logprobs, steps, written])).toEqual([
      ['run-1/candidate-0', 1, [-1.5], 1, false],
      ['run-1/candidate-1', 0.5, [-3.25], 2, false],
    ]);
    expect(new Set(all.map(({ group }) => group)).size).toBe(1);
    const alone = rollouts([drew, finished(two, { text: '', logProbability: -0.5 })], true);
    expect(
      alone.map(({ logprobs }) => logprobs),
      'a single plan has no log-probability, because it is not sampled',
    ).toEqual([null]);
  });

  it('is not exported when a workflow of the built-in rules replaced it', () => {
    const lost = { code: 'internal' as const, message: 'It could not be loaded.', retryable: true };
    const replacedPlan: readonly PlanBody[] = [
      drew,
      { type: 'plan-retried', problem: null, fault: lost, text: '', next: 'fallback', ...bill },
      finished(two, { text: '', source: 'fallback' }),
    ];
    expect(rollouts(replacedPlan, true)).toEqual([]);
  });
});

describe('rollouts of a run with two rounds', () => {
  const self = poolWorker(3, { id: 'conductor', name: 'Conductor', kind: 'conductor' });
  const again: Workflow = { steps: [step(0, 'Solve it'), step(3, 'Go on from there.', [0])] };
  const spoke = (round: number, output: string): EventBody[] => {
    const key = { round, step: 0, attempt: 0 };
    return [
      { type: 'step-queued', ...key },
      { type: 'step-started', ...key, workerId: poolWorker(0).id, messages: [], sha256: '' },
      { type: 'step-finished', ...key, output, reasoning: '', ...bill, finishReason: 'stop' },
    ];
  };
  const seen = [{ role: 'user' as const, parts: [{ kind: 'output' as const, round: 0, step: 0 }] }];

  /** `first` and `answer` are the outputs of the two rounds. `answer` is `null` if the second plan keeps the first output. */
  function recursed(first: string, second: readonly PlanBody[], answer: string | null, written = true): EventBody[] {
    const inRound = (round: number, plan: readonly PlanBody[]) => plan.map((event): EventBody => ({ ...event, round }));
    return [
      runStarted({
        question: { text: SUM },
        recursion: true,
        pool: [0, 1, 2].map((at) => poolWorker(at)).concat(self),
      }),
      { type: 'round-started', round: 0 },
      ...inRound(0, [started(written), finished(again)]),
      ...spoke(0, first),
      { type: 'round-finished', round: 0, outcome: 'recursed' },
      { type: 'round-started', round: 1 },
      ...inRound(1, second),
      ...(answer === null ? [] : spoke(1, answer)),
      { type: 'round-finished', round: 1, outcome: answer === null ? 'kept' : 'answered' },
      { type: 'run-finished', round: answer === null ? 0 : 1, step: 0 },
    ];
  }

  const secondPlanStarted: PlanEvent = { type: 'plan-started', conductor: local, messages: seen };
  const one: Workflow = { steps: two.steps.slice(0, 1) };
  const half = 0.75 * 0.5 + 0.25;

  it.each([
    ['a wrong answer is corrected', 'Answer: 41', [secondPlanStarted, finished(one)], 'Answer: 42', [half, 1]],
    [
      'a right answer is changed to a wrong one',
      'Answer: 42',
      [secondPlanStarted, finished(one)],
      'Answer: 41',
      [0.75 + 0.25 * 0.5, 0.5],
    ],
    ['the answer is kept', 'Answer: 42', [secondPlanStarted, finished({ steps: [] })], null, [1, 1]],
    [
      'the second plan is invalid',
      'Answer: 42',
      [
        secondPlanStarted,
        { type: 'plan-retried', problem, fault: null, text: 'Hm.', next: 'stricter', ...bill },
        finished(one),
      ],
      'Answer: 42',
      [0.75, 0],
    ],
  ] as const)(
    'give the first round a reward that combines both rounds: %s',
    async (_, first, second, answer, rewards) => {
      expect(ROUND_DISCOUNT).toBe(0.25);
      const store = new MemoryStore();
      await keep(store, 'run-1', recursed(first, second, answer));
      const lines = (await exported(store)).map(readRollout);
      expect(lines.map(({ id, round, reward }) => [id, round, reward])).toEqual([
        ['run-1/first', 0, rewards[0]],
        ['run-1/round-1/first', 1, rewards[1]],
      ]);
      const [begun, later] = lines;
      expect(later?.prompt).toEqual([{ role: 'user', content: first }]);
      expect(later?.group).not.toBe(begun?.group);
      expect(begun).toMatchObject({ recursion: true });
      // In the last round that a run allows, the Conductor cannot choose itself as a worker.
      expect(later).toMatchObject({ recursion: false });
      expect(later?.pool.map(({ kind }) => kind)).not.toContain('conductor');
    },
  );

  it('contain the prompt that a model would get, even if the Conductor is not a model', async () => {
    const store = new MemoryStore();
    await keep(store, 'run-1', recursed('Answer: 41', [started(false), finished(one)], 'Answer: 42', false));
    const [begun, later] = (await exported(store)).map(readRollout);
    expect([begun?.reward, later?.reward]).toEqual([half, 1]);
    expect(later?.prompt.map(({ content }) => content).join('')).toContain('Answer: 41');
    expect(begun?.prompt.map(({ content }) => content).join('')).not.toContain('Answer: 41');
  });

  it('omit the first round if its answer is not graded and can’t be checked', async () => {
    const store = new MemoryStore();
    const bodies = recursed('A piano.', [secondPlanStarted, finished(one)], 'A map.');
    const [start, ...rest] = bodies;
    if (start?.type !== 'run-started') throw new Error('There is no run-started event.');
    const graded: EventBody = { type: 'run-graded', correct: true, by: 'person', detail: '' };
    await keep(store, 'run-1', [{ ...start, question: { text: RIDDLE } }, ...rest, graded]);
    const lines = (await exported(store)).map(readRollout);
    expect(lines.map(({ id, reward }) => [id, reward])).toEqual([['run-1/round-1/first', 1]]);
  });
});

describe('the export of rollouts', () => {
  it('writes workflows that the parser reads back unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(anyWorkflow(3, 5, 'fine'), fc.boolean(), fc.boolean(), async (workflow, written, correct) => {
        const store = new MemoryStore();
        await keep(store, 'run-1', runBodies([started(written), finished(workflow)], { correct }));
        const [line = ''] = await exported(store);
        const parsed = workflowOf(readRollout(line));
        const bare = workflow.steps.map(({ worker, subtask, access }) => ({ worker, subtask, access }));
        expect(parsed.ok && parsed.workflow.steps).toEqual(bare);
        expect(readRollout(line)).toMatchObject({ steps: bare.length, reward: correct ? 1 : 0.5 });
      }),
      { numRuns: 60 },
    );
  });

  it('contains every run that is graded or whose answer can be checked, and reports its progress', async () => {
    const store = new MemoryStore();
    const plan = [started(false), finished(two)];
    await keep(store, 'graded', runBodies(plan, { question: RIDDLE, correct: false }));
    await keep(store, 'checked-right', runBodies(plan));
    await keep(store, 'checked-wrong', runBodies(plan, { answer: 'Answer: 41' }));
    await keep(store, 'thumb', runBodies(plan, { answer: 'Answer: 41', correct: true }));
    await keep(store, 'unknown', runBodies(plan, { question: RIDDLE }));
    const progressReports: RolloutProgress[] = [];
    const lines = await exported(store, progressReports);
    const rewards = new Map(lines.map(readRollout).map(({ id, reward }) => [id, reward]));
    expect(Object.fromEntries(rewards)).toEqual({
      'graded/plan': 0.5,
      'checked-right/plan': 1,
      'checked-wrong/plan': 0.5,
      'thumb/plan': 1,
    });
    expect(progressReports.at(-1)).toEqual({ runs: 5, of: 5, rollouts: 4 });
    // Trainers accept only numbers as rewards.
    expect([...rewards.values()]).not.toContain(null);
    for (const line of lines) expect(line.endsWith('\n') && !line.slice(0, -1).includes('\n')).toBe(true);
  });

  it('stops when the signal is aborted', async () => {
    const store = new MemoryStore();
    for (const id of ['a', 'b', 'c']) await keep(store, id, runBodies([started(false), finished(two)]));
    const controller = new AbortController();
    const lines: string[] = [];
    const all = async () => {
      for await (const line of rolloutLines(store, { signal: controller.signal, evaluation: NOTHING_STORED })) {
        lines.push(line);
        controller.abort();
      }
    };
    await expect(all()).rejects.toMatchObject({ name: 'AbortError' });
    expect(lines).toHaveLength(1);
  });

  it('contains no address of a worker', async () => {
    const store = new MemoryStore();
    const bodies = runBodies([started(false), finished(two)]);
    const [start, ...rest] = bodies;
    if (start?.type !== 'run-started') throw new Error('There is no run-started event.');
    const pool = start.pool.map((worker) => ({ ...worker, origin: 'https://private.example' }));
    await keep(store, 'run-1', [{ ...start, pool }, ...rest]);
    expect((await exported(store)).join('')).not.toContain('private.example');
  });
});
