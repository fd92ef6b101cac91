/** @file Tests runs that skip the steps after a check that found everything right. */
import { describe, expect, it } from 'vitest';
import {
  fault,
  foldEvents,
  renderMessages,
  type CheckerRates,
  type CheckTrust,
  type RunEvent,
  type Step,
  VERDICT_REQUEST,
} from '../../../src/core/contract';
import { parseRun } from '../../../src/core/contract/storage/schema';
import { step } from '../../fixtures/run-events';
import { settledAnswer } from '../../../src/core/executor/settled';
import {
  conductorWorker,
  delta,
  done,
  fails,
  finished,
  known,
  ofType,
  paidWorker,
  play,
  stage,
  started,
  wait,
} from './scripted';

const PLAN = [
  step(0, 'Solve the task.'),
  step(1, 'Check the result of step 1.', [0]),
  step(2, 'Correct the result of step 1 where the check found a mistake.', [0, 1]),
];
const POOL = [0, 1, 2, 3, 4].map((index) => paidWorker(index));
const ON = { skipSettled: true, pool: POOL };

/** Plays a plan. `texts` are the outputs of the workers by their index in the pool. */
const playWith = (texts: readonly string[], plan: readonly Step[] = PLAN, start: object = ON) =>
  play({ plan, start, work: ({ options }) => [delta(texts[options.worker.colour - 1] ?? 'None.'), done()] });

const RIGHT = 'It holds.\nVerdict on response 1: right';
const settledOf = (events: readonly RunEvent[]) =>
  ofType(events, 'step-settled').map(({ step: index, from, evidence }) => [index, from, evidence]);

describe('the step after a check', () => {
  it('is not called if the check found the answer right, and its output is that answer', async () => {
    const { events, run, workers } = await playWith(['Answer: 42', RIGHT, 'Answer: 43']);
    expect(run).toMatchObject({ status: 'finished', answer: 'Answer: 42', answerKey: { round: 0, step: 2 } });
    expect(settledOf(events)).toEqual([[2, 0, [1]]]);
    expect(workers.calls).toHaveLength(2);
    expect(run.rounds[0]?.steps[1]).toMatchObject({ verdicts: [{ step: 0, verdict: 'right' }] });
    expect(run.rounds[0]?.steps[2]).toMatchObject({ status: 'settled', attempts: [] });
  });

  it.each([
    ['found a mistake', ['Answer: 42', 'Verdict on response 1: wrong', 'Answer: 43']],
    ['is unsure', ['Answer: 42', 'Verdict on response 1: unsure', 'Answer: 43']],
    ['gives no verdict', ['Answer: 42', 'It holds.', 'Answer: 43']],
  ])('is called if the check %s', async (_what, texts) => {
    const { events, run } = await playWith(texts);
    expect(run.answer).toBe('Answer: 43');
    expect(settledOf(events)).toEqual([]);
  });

  it('is called if the setting is off, and then no verdict is asked for', async () => {
    const { events, run } = await playWith(['Answer: 42', RIGHT, 'Answer: 43'], PLAN, { pool: POOL });
    expect(run.answer).toBe('Answer: 43');
    const prompt = renderMessages(run, { round: 0, step: 1, attempt: 0 })?.[0]?.content ?? '';
    expect(prompt).not.toContain(VERDICT_REQUEST);
    expect(ofType(events, 'step-finished').some(({ verdicts }) => verdicts)).toBe(false);
  });

  it('is called if the worker of the check wrote the answer itself', async () => {
    const plan = PLAN.map((each, index) => (index === 1 ? { ...each, worker: 0 } : each));
    const { run } = await playWith([`Answer: 42\n${RIGHT}`, '', 'Answer: 43'], plan);
    expect(run.answer).toBe('Answer: 43');
  });
});

describe('a run that records how far it trusts its checks', () => {
  const rates = (fooled: number, of = 100): CheckerRates => ({
    ofRight: { right: 0.95 * of, of },
    ofWrong: { right: fooled * of, of },
  });
  const idAt = (index: number) => POOL[index]?.id ?? '';
  const trust = (more: Partial<CheckTrust> = {}): CheckTrust => ({
    bound: 0.85,
    checkers: {},
    solvers: { [idAt(0)]: { right: 70, of: 100 } },
    ...more,
  });
  const settledWith = async (given: CheckTrust, plan = PLAN, texts = ['Answer: 42', RIGHT, 'Answer: 43']) => {
    const { events } = await playWith(texts, plan, { ...ON, trust: given });
    return settledOf(events);
  };
  const SETTLED = [[2, 0, [1]]];

  it('settles if the check is rarely fooled, and not if it is often fooled', async () => {
    expect(await settledWith(trust({ checkers: { [idAt(1)]: rates(0.05) } }))).toEqual(SETTLED);
    expect(await settledWith(trust({ checkers: { [idAt(1)]: rates(0.4) } }))).toEqual([]);
    expect(await settledWith(trust({ bound: 0.5, checkers: { [idAt(1)]: rates(0.4) } }))).toEqual(SETTLED);
  });

  it('trusts the same check less if the solver is weaker', async () => {
    const checkers = { [idAt(1)]: rates(0.05) };
    expect(await settledWith(trust({ checkers, solvers: { [idAt(0)]: { right: 10, of: 100 } } }))).toEqual([]);
  });

  it('settles if too little is known about the check', async () => {
    expect(await settledWith(trust())).toEqual(SETTLED);
    expect(await settledWith(trust({ checkers: { [idAt(1)]: rates(0.9, 9) } }))).toEqual(SETTLED);
  });

  it('settles if one of two checks is trusted', async () => {
    const plan = [step(0, 'Solve the task.'), step(1, 'Check it.', [0]), step(2, 'Check it.', [0])];
    const two = [...plan, step(3, 'Decide.', [0, 1, 2])];
    const fooled = { [idAt(1)]: rates(0.4), [idAt(2)]: rates(0.4) };
    const texts = ['Answer: 42', RIGHT, RIGHT, 'Answer: 43'];
    expect(await settledWith(trust({ checkers: fooled }), two, texts)).toEqual([]);
    const one = { ...fooled, [idAt(2)]: rates(0.02) };
    expect(await settledWith(trust({ checkers: one }), two, texts)).toEqual([[3, 0, [1, 2]]]);
  });

  it('goes on after a check that found the answer right if it was drawn for that, and still records the verdict', async () => {
    const { run, events } = await playWith(['Answer: 42', RIGHT, 'Answer: 43'], PLAN, {
      ...ON,
      trust: trust({ goesOn: true }),
    });
    expect(settledOf(events)).toEqual([]);
    expect(run).toMatchObject({ answer: 'Answer: 43', trust: { goesOn: true } });
    expect(run.rounds[0]?.steps[1]?.verdicts).toEqual([{ step: 0, verdict: 'right' }]);
  });

  it('keeps its trust when it is resumed, whatever is known by then', async () => {
    const start = { ...ON, trust: trust({ checkers: { [idAt(1)]: rates(0.4) } }) };
    const { events: whole } = await playWith(['Answer: 42', RIGHT, 'Answer: 43'], PLAN, start);
    const at = whole.findIndex(({ type }, index) => type === 'step-finished' && index > 0);
    const check = whole.slice(at + 1).findIndex(({ type }) => type === 'step-finished') + at + 1;
    const last = whole[check];
    if (!last) throw new Error('The check did not finish.');
    const stored = parseRun(structuredClone(whole.slice(0, check + 1)));
    if (!stored.ok) throw new Error(stored.message);
    const run = foldEvents([...stored.events, { ...last, type: 'run-interrupted', seq: last.seq + 1 }]);
    if (!run) throw new Error('There is no run.');
    const work = () => [delta('Answer: 43'), done()];
    const journal = { append: () => Promise.resolve() };
    const resumed = await play({
      plan: [],
      start: ON,
      work,
      prior: { kind: 'resume', run },
      dependencies: { journal },
    });
    expect(settledOf(resumed.events)).toEqual([]);
    expect(resumed.run.answer).toBe('Answer: 43');
  });
});

it('only checks are asked for verdicts, on the answers that they see', async () => {
  const { run } = await playWith(['Answer: 42', RIGHT, 'Answer: 43']);
  const prompts = [0, 1].map((index) => renderMessages(run, { round: 0, step: index, attempt: 0 })?.[0]?.content ?? '');
  expect(prompts.map((prompt) => prompt.includes(VERDICT_REQUEST))).toEqual([false, true]);
  expect(prompts[1]).toContain('Verdict on response 1: …\n</subtask>');
});

describe('a step that sees several answers', () => {
  const plan = [
    step(0, 'Solve the task.'),
    step(1, 'Solve the task.'),
    step(2, 'Check the result of step 1.', [0]),
    step(3, 'Combine the results into the final answer.', [0, 1, 2]),
  ];
  const check = 'Verdict on response 1: right';

  it.each([
    ['agree', ['It is $\\frac{1}{2}$.\n\n**Answer:** $\\frac{1}{2}$', 'Answer: 0.5', check], true],
    ['differ', ['Answer: 42', 'Answer: 43', check], false],
    ['can’t be compared', ['I would go by train.', 'The train is the better choice.', check], false],
    ['are equal prose', ['I would go by train.', 'I would go by train.', check], true],
  ])('if the answers %s', async (_what, texts, isSettled) => {
    const { events } = await playWith(texts, plan);
    expect(settledOf(events)).toEqual(isSettled ? [[3, 0, [2]]] : []);
  });

  it('is called if two answers were found right but differ', async () => {
    const both = plan.map((each, index) => (index === 2 ? { ...each, access: [0, 1] } : each));
    const { events } = await playWith(['Answer: 42', 'Answer: 43', 'Verdict: right'], both);
    expect(settledOf(events)).toEqual([]);
  });

  it('is called if one of two checks disagrees', async () => {
    const two = [
      ...plan.slice(0, 1),
      step(1, 'Check it.', [0]),
      step(2, 'Check it.', [0]),
      step(3, 'Decide.', [0, 1, 2]),
    ];
    const { events } = await playWith(['Answer: 42', RIGHT, 'Verdict: wrong', 'x'], two);
    expect(settledOf(events)).toEqual([]);
  });
});

it('every later step is settled too, also a further check', async () => {
  const plan = [...PLAN, step(3, 'Check the result again.', [0, 1, 2]), step(4, 'Give the final answer.', [3])];
  const { events, run } = await playWith(['Answer: 42', RIGHT], plan);
  expect(settledOf(events)).toEqual([
    [2, 0, [1]],
    [3, 0, [1]],
    [4, 0, [1]],
  ]);
  expect(run.answer).toBe('Answer: 42');
});

it('the Conductor starts no other round if everything that it would see is settled', async () => {
  const start = {
    ...ON,
    recursion: true,
    pool: [paidWorker(0), paidWorker(1), conductorWorker(2)],
    caps: { rounds: 3, calls: 20, tokens: null, usd: null },
  };
  const plan = [step(0, 'Solve the task.'), step(1, 'Check the result.', [0]), step(2, 'Decide what to do.', [0, 1])];
  const { events, run } = await playWith(['Answer: 42', RIGHT], plan, start);
  expect(run).toMatchObject({ status: 'finished', answer: 'Answer: 42' });
  expect(run.rounds).toHaveLength(1);
  expect(settledOf(events)).toEqual([[2, 0, [1]]]);
});

it('a run that is interrupted at the skip is resumed to the same answer without another call', async () => {
  const texts = ['Answer: 42', RIGHT, 'Answer: 43'];
  const work = ({ options }: { options: { worker: { colour: number } } }) => [
    delta(texts[options.worker.colour - 1] ?? ''),
    done(),
  ];
  const { events: whole } = await play({ plan: PLAN, start: ON, work });
  const journal = { append: () => Promise.resolve() };
  for (const type of ['step-finished', 'step-settled', 'round-finished'] as const) {
    const at = whole.findLastIndex((event) => event.type === type);
    const before = whole.slice(0, at + 1);
    const last = before.at(-1);
    if (!last) throw new Error('There is no such event.');
    const run = foldEvents([...before, { ...last, type: 'run-interrupted', seq: last.seq + 1 }]);
    if (!run) throw new Error('There is no run.');
    const resumed = stage({ plan: PLAN, start: ON, work, prior: { kind: 'resume', run }, dependencies: { journal } });
    const events: RunEvent[] = [];
    for await (const event of resumed.events) events.push(event);
    expect(resumed.workers.calls, type).toHaveLength(0);
    expect(events.at(-1), type).toMatchObject({ type: 'run-finished', round: 0, step: 2 });
  }
});

describe('a fork of a run with a settled step', () => {
  const texts = ['Answer: 42', RIGHT, 'Answer: 43'];
  const work = ({ options }: { options: { worker: { colour: number } } }) => [
    delta(texts[options.worker.colour - 1] ?? ''),
    done(),
  ];
  const fork = async (step: number, start: object) => {
    const { run } = await play({ plan: PLAN, start: ON, work });
    return play({ plan: [], start, work, prior: { kind: 'fork', run, round: 0, step, again: [step] }, runId: 'fork' });
  };

  it('settles it again if the check is reused, also after an interruption', async () => {
    const { run: first } = await play({ plan: [...PLAN, step(3, 'Translate the answer.', [])], start: ON, work });
    const prior = { kind: 'fork', run: first, round: 0, step: 3, again: [3] } as const;
    const { events, workers } = await play({ plan: [], start: ON, work, prior, runId: 'fork' });
    expect(settledOf(events)).toEqual([[2, 0, [1]]]);
    expect(workers.countOf(2)).toBe(0);
    expect(ofType(events, 'step-reused').map(({ step: index, verdicts }) => [index, verdicts?.length])).toEqual([
      [0, undefined],
      [1, 1],
    ]);
    const at = events.findLastIndex(({ type, seq }) => type === 'step-reused' && seq > 0);
    const last = events[at];
    if (!last) throw new Error('No step was reused.');
    const run = foldEvents([...events.slice(0, at + 1), { ...last, type: 'run-interrupted', seq: last.seq + 1 }]);
    if (!run) throw new Error('There is no run.');
    const journal = { append: () => Promise.resolve() };
    const resumed = await play({ plan: [], work, prior: { kind: 'resume', run }, dependencies: { journal } });
    expect(settledOf(resumed.events)).toEqual([[2, 0, [1]]]);
  });

  it('settles it again if the check is called again, and finds the same', async () => {
    const { events, workers } = await fork(1, ON);
    expect(workers.calls).toHaveLength(1);
    expect(settledOf(events)).toEqual([[2, 0, [1]]]);
  });

  it('calls it if the fork skips no settled steps', async () => {
    const { events, run } = await fork(2, { pool: POOL });
    expect(run.answer).toBe('Answer: 43');
    expect(settledOf(events)).toEqual([]);
  });
});

describe('attempts that agree', () => {
  const scouts = [
    step(0, 'Solve the task.'),
    step(1, 'Solve the task.'),
    { ...step(2, 'Decide on the right answer.', [0, 1]), agreement: { among: [0, 1], rule: 'all' } as const },
    step(3, 'Check the result.', [2]),
    step(4, 'Correct the result.', [2, 3]),
  ];

  it('settle all later steps, and the run needs two calls', async () => {
    const { events, run, workers } = await playWith(['Answer: 0.5', 'Answer: 1/2'], scouts);
    expect(settledOf(events)).toEqual([
      [2, 0, [0, 1]],
      [3, 0, [0, 1]],
      [4, 0, [0, 1]],
    ]);
    expect(run).toMatchObject({ status: 'finished', answer: 'Answer: 0.5' });
    expect(workers.calls).toHaveLength(2);
  });

  it.each([
    ['differ', ['Answer: 42', 'Answer: 43']],
    ['can’t be compared', ['By train.', 'The train is the better choice.']],
  ])('settle nothing if they %s', async (_what, texts) => {
    const { events, workers } = await playWith([...texts, 'Answer: 44', 'Verdict: wrong', 'Answer: 45'], scouts);
    expect(settledOf(events)).toEqual([]);
    expect(workers.calls).toHaveLength(5);
  });

  it('settle nothing if the run does not skip settled steps', async () => {
    const { workers } = await playWith(['Answer: 42', 'Answer: 42', 'x', 'y', 'z'], scouts, { pool: POOL });
    expect(workers.calls).toHaveLength(5);
  });

  const LONG = { ...ON, maxSteps: 16 };
  const samples = [0, 1, 2, 3, 4].map((worker) => ({
    ...step(worker, 'Solve the task.'),
    ...(worker < 3 ? {} : { agreement: { among: [...Array(worker).keys()], rule: 'sure' } as const }),
  }));
  const vote = { ...step(0, 'Decide.', [0, 1, 2, 3, 4]), agreement: { among: [0, 1, 2, 3, 4], rule: 'most' } as const };

  it('stop further samples once one answer is surely the most frequent', async () => {
    const { events, workers } = await playWith(Array<string>(5).fill('Answer: 42'), [...samples, vote], LONG);
    expect(workers.calls).toHaveLength(4);
    expect(settledOf(events)).toEqual([
      [4, 0, [0, 1, 2, 3]],
      [5, 0, [0, 1, 2, 3]],
    ]);
  });

  it('stop further samples also if the plan arrives step by step', async () => {
    const steps = [...samples, vote];
    const plan = () => [started, ...steps.flatMap((each, index) => [known(index, each), wait(5)]), finished(steps)];
    const { workers } = await play({ plan, start: LONG, work: () => [delta('Answer: 42'), done()] });
    expect(workers.calls).toHaveLength(4);
  });

  it('let the most frequent answer win without a call if all samples were needed', async () => {
    const { events, run, workers } = await playWith(
      ['Answer: 1', 'Answer: 2', 'Answer: 2', 'Answer: 1', 'Answer: 2'],
      [...samples, vote],
      LONG,
    );
    expect(workers.calls).toHaveLength(5);
    expect(settledOf(events)).toEqual([[5, 1, [1, 2, 4]]]);
    expect(run.answer).toBe('Answer: 2');
  });

  it('are sure if the probability of the most frequent answer is at least 95 %, by integration', () => {
    const integral = (most: number, second: number, from: number) => {
      const slices = 20_000;
      const at = (p: number) => p ** most * (1 - p) ** second;
      const points = Array.from({ length: slices }, (_, index) => from + ((1 - from) * (index + 0.5)) / slices);
      return points.reduce((sum, p) => sum + at(p), 0) * (1 - from);
    };
    for (let most = 1; most <= 12; most++) {
      for (let second = 0; second <= most; second++) {
        const outputs = [...Array<string>(most).fill('Answer: 1'), ...Array<string>(second).fill('Answer: 2')];
        const among = [...outputs.keys()];
        const seen = outputs.map((output) => ({ step: step(0, 'Solve.'), output }));
        const last = { step: { ...step(0, 'Solve.'), agreement: { among, rule: 'sure' } as const }, output: null };
        const isSure = most + second >= 3 && integral(most, second, 0.5) / integral(most, second, 0) >= 0.95;
        expect(settledAnswer([...seen, last], among.length) !== null, `${most} to ${second}`).toBe(isSure);
      }
    }
  });

  it('wait for attempts that failed, and count only the others', async () => {
    const { events, run } = await play({
      plan: [...scouts.slice(0, 2), { ...vote, access: [0], agreement: { among: [0, 1], rule: 'most' } }],
      start: { ...ON, caps: { rounds: 1, calls: 20, tokens: null, usd: null } },
      work: ({ options }) => {
        if (options.worker.colour === 2) throw new Error('Down.');
        return [delta('Answer: 42'), done()];
      },
    });
    expect(settledOf(events)).toEqual([[2, 0, [0]]]);
    expect(run.answer).toBe('Answer: 42');
  });
});

describe('the step that decides between independent attempts, in a run that skips settled steps', () => {
  const agreement = { among: [0, 1, 2], rule: 'most' } as const;
  const DECIDE: Step = {
    worker: 4,
    subtask: 'Decide which one is right.',
    access: [0, 1, 2],
    role: 'decide',
    agreement,
  };
  const VOTE = [0, 1, 2].map((worker) => step(worker, 'Solve the task.')).concat(DECIDE);
  const vote = (texts: readonly string[], start: object = {}) =>
    playWith([...texts, '', 'Answer: called'], VOTE, { ...ON, ...start });

  it('is not called if its attempts state short answers, and its output is the most frequent one', async () => {
    const { events, run, workers } = await vote(['Answer: 41', 'Answer: 42', 'So 6 · 7.\nAnswer: 42']);
    expect(run).toMatchObject({ status: 'finished', answer: 'Answer: 42' });
    expect(settledOf(events)).toEqual([[3, 1, [1, 2]]]);
    expect(workers.calls).toHaveLength(3);
  });

  it('takes the first answer if all differ', async () => {
    expect((await vote(['Answer: 41', 'Answer: 42', 'Answer: 43'])).run.answer).toBe('Answer: 41');
  });

  it('is called if the attempts can’t be compared', async () => {
    const texts = ['A poem\nof the sea.', 'A song\nof the sea.', 'A tale\nof the sea.'];
    expect((await vote(texts)).run.answer).toBe('Answer: called');
  });

  it('is called without the setting', async () => {
    const texts = ['Answer: 42', 'Answer: 42', 'Answer: 42'];
    expect((await vote(texts, { skipSettled: false })).run.answer).toBe('Answer: called');
  });

  it('counts the other attempts if one has failed', async () => {
    const { run } = await play({
      plan: VOTE,
      start: { ...ON, leaveOutFailed: true },
      work: ({ options: { worker } }) =>
        worker.colour === 1 ? [fails(fault('bad-request', 'No.'))] : [delta(`Answer: ${worker.colour}`), done()],
    });
    expect(run).toMatchObject({ status: 'finished', answer: 'Answer: 2' });
  });
});
