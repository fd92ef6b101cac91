/** @file Tests what a new run records about how far it trusts its checks. */
import { describe, expect, it } from 'vitest';
import type {
  CheckObservation,
  CheckVerdict,
  Domain,
  EventBody,
  PoolWorker,
  Workflow,
} from '../../../src/core/contract';
import { Browser, newRun, opening, worker, type Script } from './scripted';

const NONE = { usage: null, cost: null, finishReason: null };
const RULES = { bound: 0.85, goOnShare: 0 };
const paid = (id: string) => worker(id, { kind: 'endpoint', origin: 'https://a.test' });

/** A run in which `ash` answers, `birch` checks the answer, and `ash` answers again. */
function checked(first: string, verdict: CheckVerdict, last: string): Script {
  const workflow: Workflow = {
    steps: [
      { worker: 0, subtask: 'Solve it.', access: [], role: 'solve' },
      { worker: 1, subtask: 'Check it.', access: [0], role: 'verify' },
      { worker: 0, subtask: 'Correct it.', access: [0, 1], role: 'refine' },
    ],
  };
  return async function* (request) {
    yield opening(request);
    yield { type: 'round-started', round: 0 };
    yield { type: 'plan-started', round: 0, conductor: request.start.conductor, messages: [] };
    yield { type: 'plan-finished', round: 0, workflow, thought: '', text: '', source: 'conductor', ...NONE };
    for (const [step, output] of [first, 'Checked.', last].entries()) {
      const key = { round: 0, step, attempt: 0 };
      yield { type: 'step-started', ...key, workerId: step === 1 ? 'birch' : 'ash', messages: [], sha256: '' };
      const verdicts = step === 1 ? { verdicts: [{ step: 0, verdict }] } : {};
      yield { type: 'step-finished', ...key, output, reasoning: '', ...NONE, ...verdicts } satisfies EventBody;
    }
    yield { type: 'round-finished', round: 0, outcome: 'answered' };
    yield { type: 'run-finished', round: 0, step: 2 };
  };
}

/** What a new run records after one graded run with a check. */
async function trustAfter(script: Script, correct: boolean, question = 'What is six times seven?') {
  const browser = new Browser();
  const earlier = browser.tab(script);
  const pool = [paid('ash'), paid('birch')];
  const { id, done } = await earlier.runs.start(newRun({ pool, question: 'What is two times three?' }));
  await done;
  await earlier.runs.grade(id, correct);
  const { runs, requested } = browser.tab();
  await runs.start(newRun({ pool, question, skipSettled: true, trustRules: RULES }));
  return requested[0]?.start.trust;
}

const RIGHT = { right: 1, of: 1 };
const NOT = { right: 0, of: 1 };
const UNSEEN = { right: 0, of: 0 };

describe('a new run records what is known of its checkers', () => {
  it.each([
    ['the same answer as a right one is right', ['Answer: 42', 'right', 'So 42.\nAnswer: 42'], true, RIGHT, UNSEEN],
    ['the same answer as a wrong one is wrong', ['Answer: 41', 'right', 'Answer: 41'], false, UNSEEN, RIGHT],
    ['an answer that differs from a right one is wrong', ['Answer: 41', 'wrong', 'Answer: 42'], true, UNSEEN, NOT],
    ['an unsure check does not say “right”', ['Answer: 42', 'unsure', 'Answer: 42'], true, NOT, UNSEEN],
  ] as const)('%s', async (_rule, [first, verdict, last], correct, ofRight, ofWrong) => {
    const trust = await trustAfter(checked(first, verdict, last), correct);
    expect(trust?.checkers).toEqual({ birch: { ofRight, ofWrong } });
    const isRight = ofRight.of === 1;
    expect(trust?.solvers).toEqual({ ash: { right: 2 + Number(isRight), of: 5 } });
    expect(trust?.bound).toBe(0.85);
  });

  it.each([
    ['differ from a wrong final answer', ['Answer: 41', 'right', 'Answer: 43'], false],
    ['can’t be compared with the final answer', ['I would go by train.', 'right', 'The train is better.'], true],
  ] as const)('but nothing about answers that %s', async (_rule, [first, verdict, last], correct) => {
    expect(await trustAfter(checked(first, verdict, last), correct)).toBeUndefined();
  });

  it('which counts as a quarter in another domain', async () => {
    const trust = await trustAfter(checked('Answer: 42', 'right', 'Answer: 42'), true, 'Write a poem about the sea.');
    expect(trust?.checkers.birch?.ofRight).toEqual({ right: 0.25, of: 0.25 });
  });
});

describe('a new run records what was measured of its checkers', () => {
  const planted = (domain: Domain | null): CheckObservation => ({
    checker: 'birch',
    domain,
    verdict: 'right',
    isRight: false,
  });

  it('by domain, together with the graded runs', async () => {
    const browser = new Browser();
    const earlier = browser.tab(checked('Answer: 42', 'right', 'Answer: 42'));
    const pool = [paid('ash'), paid('birch')];
    const { id, done } = await earlier.runs.start(newRun({ pool, question: 'Write a poem about the sea.' }));
    await done;
    await earlier.runs.grade(id, true);
    const asked: (readonly PoolWorker[])[] = [];
    const measuredChecks = (given: readonly PoolWorker[]) => {
      asked.push(given);
      return Promise.resolve([planted('maths'), planted('maths'), planted('code'), planted(null)]);
    };
    const { runs, requested } = browser.tab(undefined, { measuredChecks });
    await runs.start(newRun({ pool, question: 'What is 6 · 7?', skipSettled: true, trustRules: RULES }));
    expect(requested[0]?.start.trust?.checkers).toEqual({
      birch: { ofRight: { right: 0.25, of: 0.25 }, ofWrong: { right: 2.5, of: 2.5 } },
    });
    // The answers were made up, so they show nothing of solvers.
    expect(Object.keys(requested[0]?.start.trust?.solvers ?? {})).toEqual(['ash']);
    expect(asked).toEqual([pool]);
  });

  it('and does not embed the questions a second time for this', async () => {
    const browser = new Browser();
    const earlier = browser.tab(checked('42', 'right', '42'));
    const pool = [paid('ash'), paid('birch')];
    const { id, done } = await earlier.runs.start(newRun({ pool, question: 'What is two times three?' }));
    await done;
    await earlier.runs.grade(id, true);
    let asked = 0;
    const embed = () => {
      asked += 1;
      return Promise.resolve(null);
    };
    const { runs, requested } = browser.tab(undefined, { embedder: { embed, forget: () => undefined } });
    await runs.start(newRun({ pool, skipSettled: true, trustRules: RULES }));
    const once = asked;
    asked = 0;
    await runs.start(newRun({ pool }));
    expect(once).toBe(asked);
    expect(requested).toHaveLength(2);
  });

  it('and starts if the measurements can’t be read', async () => {
    const { runs, requested } = new Browser().tab(undefined, {
      measuredChecks: () => Promise.reject(new Error('broken')),
    });
    await runs.start(newRun({ pool: [paid('ash')], skipSettled: true, trustRules: RULES }));
    expect(requested[0]?.start.trust).toBeUndefined();
  });
});

describe('a share of runs goes on after each check', () => {
  const goingOn = async (pool: readonly ReturnType<typeof worker>[], goOnShare: number) => {
    const { runs, requested } = new Browser().tab();
    for (let seed = 0; seed < 200; seed++) {
      await (
        await runs.start(newRun({ pool, seed, skipSettled: true, trustRules: { bound: 0.85, goOnShare } }))
      ).done;
    }
    return requested.flatMap(({ start }) => (start.trust?.goesOn ? start.seed : []));
  };

  it('of a tenth if all workers are simulated, the same ones for the same seeds', async () => {
    const pool = [worker('ash'), worker('birch')];
    const seeds = await goingOn(pool, 0);
    expect(seeds.length).toBeGreaterThan(8);
    expect(seeds.length).toBeLessThan(35);
    expect(await goingOn(pool, 0)).toEqual(seeds);
  });

  it('only as far as the user allows if calls cost money', async () => {
    const pool = [worker('ash'), paid('birch')];
    expect(await goingOn(pool, 0)).toEqual([]);
    const half = (await goingOn(pool, 0.5)).length;
    expect(half).toBeGreaterThan(70);
    expect(half).toBeLessThan(130);
  });

  it('but none if the run skips no settled steps', async () => {
    const { runs, requested } = new Browser().tab();
    for (let seed = 0; seed < 50; seed++) await runs.start(newRun({ seed, trustRules: { bound: 0, goOnShare: 1 } }));
    expect(requested.some(({ start }) => start.trust)).toBe(false);
  });
});
