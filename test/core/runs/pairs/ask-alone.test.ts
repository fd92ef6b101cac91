import { describe, expect, it } from 'vitest';
import {
  applyEvent,
  fault,
  foldEvents,
  isBlind,
  spentOnAnswer,
  type Message,
  type PairBody,
  type PoolWorker,
  type Run,
  type RunStarted,
  type WorkerEvent,
} from '../../../../src/core/contract';
import { askAlone, type AskAloneOptions } from '../../../../src/core/runs/pairs/ask-alone';
import { createPairDesk } from '../../../../src/core/runs/pairs/pair-desk';
import { finishedRunBodies, poolWorker, runStarted, stampEvents } from '../../../fixtures/run-events';

const PAID: PoolWorker = poolWorker(1, {
  kind: 'endpoint',
  origin: 'https://api.example.com',
  price: { input: 1000, output: 10_000 },
});
const finished: WorkerEvent = {
  type: 'finished',
  usage: { input: 100, output: 20 },
  cost: 0.3,
  finishReason: 'stop',
};
const failed: WorkerEvent = {
  type: 'failed',
  fault: fault('unauthorized', 'The key is wrong.'),
  usage: null,
  cost: 0,
};
type Script = readonly WorkerEvent[] | 'hangs';

const answered: Script = [{ type: 'delta', channel: 'content', text: 'Use all of them.' }, finished];

/** A finished run whose question was drawn. Its worker alone follows the scripts, one a call. */
function setUp(scripts: readonly Script[], more: Partial<RunStarted> = {}, isPrivate = false) {
  const [, ...rest] = finishedRunBodies();
  const started = runStarted({
    pool: [poolWorker(0), PAID, poolWorker(2)],
    alone: { worker: PAID.id, share: 1 },
    ...more,
  });
  let run: Run | null = foldEvents(stampEvents([started, ...rest]));
  const records: PairBody[] = [];
  const sent: (readonly Message[])[] = [];
  const now = () => run ?? expect.unreachable('the run has begun');
  const write = async (body: PairBody) => {
    records.push(body);
    run = applyEvent(now(), { ...body, runId: 'run-1', seq: now().lastSeq + 1, at: 7, segment: 0, elapsed: 0 });
    return run;
  };
  const options: AskAloneOptions = {
    workers: () => ({
      async *run(messages, _options, signal) {
        const script = scripts[sent.length] ?? expect.unreachable('no more calls are expected');
        sent.push(messages);
        if (script !== 'hangs') return yield* script;
        await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new DOMException('Stopped.', 'AbortError')));
        });
      },
    }),
    clock: { sleep: () => Promise.resolve() },
    day: null,
    isPrivate,
    write,
  };
  return {
    now,
    records,
    sent,
    options,
    write,
    ask: (signal = new AbortController().signal) => askAlone(now(), options, signal),
  };
}

describe('the answer of one worker alone', () => {
  it('is asked with nothing but the question, and its highest cost is stored before the call', async () => {
    const { now, ask, records, sent } = setUp([answered]);
    const before = now().spent;
    expect(isBlind(now())).toBe(true);
    const run = await ask();
    expect(records.map((each) => each.type === 'alone-answered' && [each.pending, each.output])).toEqual([
      [true, null],
      [undefined, 'Use all of them.'],
    ]);
    const [reserved] = records;
    expect(reserved?.type === 'alone-answered' && (reserved.cost ?? 0)).toBeGreaterThan(4096 * 0.01);
    const prompt = sent[0]?.map(({ content }) => content).join('\n') ?? '';
    expect(prompt).toContain('Use 3, 4, 7, 8, 25 and 50 to reach 537.');
    for (const { steps } of now().rounds) {
      for (const { output } of steps) expect(prompt).not.toContain(output);
    }
    expect(run.spent.usd - before.usd).toBeCloseTo(0.3);
    expect(spentOnAnswer(run).usd).toBeCloseTo(before.usd);
    expect(isBlind(run)).toBe(true);
  });

  it('is never asked for twice', async () => {
    const { ask, sent } = setUp([answered]);
    await ask();
    await ask();
    expect(sent).toHaveLength(1);
  });

  it('keeps the highest cost of a call that was cut off with its page, also after another call', async () => {
    const { ask, write, now } = setUp([answered]);
    const before = now().spent.usd;
    await write({ type: 'alone-answered', output: null, usage: null, cost: 2, pending: true });
    expect(now().spent.usd - before).toBeCloseTo(2);
    expect((await ask()).spent.usd - before).toBeCloseTo(2.3);
  });

  it('records why it is missing, and then the run is shown', async () => {
    const { ask, now } = setUp([[failed]]);
    await ask();
    expect(now().aloneAnswer).toMatchObject({ output: null, fault: { code: 'unauthorized' } });
    expect(isBlind(now())).toBe(false);
  });

  it.each<[string, Partial<RunStarted>, boolean]>([
    ['the cap on money', { caps: { rounds: 2, calls: 16, tokens: null, usd: 1 } }, false],
    ['the cap on tokens', { caps: { rounds: 2, calls: 16, tokens: 1000, usd: null } }, false],
    ['the cap on calls', { caps: { rounds: 2, calls: 3, tokens: null, usd: null } }, false],
    ['Private', {}, true],
  ])('is not asked for beyond %s', async (_name, more, isPrivate) => {
    const { ask, sent } = setUp([], more, isPrivate);
    const run = await ask();
    expect(sent).toHaveLength(0);
    expect(run.aloneAnswer).toMatchObject({ output: null, cost: 0, fault: { code: 'cap-reached' } });
  });

  it('is stopped if the user wants to see the run without a vote', async () => {
    const { now, write, options, sent } = setUp(['hangs']);
    const desk = createPairDesk({
      ...options,
      runs: { open: async () => ({ run: now(), events: [] }), live: () => null, addToPair: (_id, body) => write(body) },
      locks: { acquire: async () => () => undefined },
      dayFor: () => null,
      isPrivate: () => false,
    });
    const answer = desk.answer('run-1');
    await expect.poll(() => sent.length).toBe(1);
    expect(desk.isAnswering('run-1')).toBe(true);
    await Promise.all([expect(answer).rejects.toThrow('Stopped'), desk.compare('run-1', 'skipped')]);
    expect(now().vote).toEqual({ preferred: 'skipped', at: 7 });
    expect(now().aloneAnswer?.output).toBeNull();
    expect(isBlind(now())).toBe(false);
  });
});

describe('a worker that answers alone at equal cost', () => {
  const says = (text: string, cost: number): Script => [
    { type: 'delta', channel: 'content', text },
    { ...finished, cost },
  ];
  const equalCost = (seed: number) => ({
    seed,
    alone: { worker: PAID.id, share: 1, equalCost: true } as const,
    caps: { rounds: 1, calls: 20, tokens: null, usd: null },
  });
  /** The run of `setUp` costs this. */
  const usd = spentOnAnswer(setUp([]).now()).usd;

  it('answers as often as the cost of the run buys, and its most frequent answer counts', async () => {
    const answers = ['Answer: 5', 'Answer: 4', 'Answer: 4.0', 'Answer: 7', 'Answer: 4'];
    const { ask, sent, records } = setUp(
      answers.map((text) => says(text, usd / 5)),
      equalCost(1),
    );
    const run = await ask();
    expect(sent).toHaveLength(5);
    expect(run.aloneAnswer).toMatchObject({ output: 'Answer: 4', calls: 5 });
    expect(run.aloneAnswer?.cost).toBeCloseTo(usd, 9);
    expect(spentOnAnswer(run).usd).toBeCloseTo(usd, 9);
    expect(isBlind(run)).toBe(true);
    expect(records.filter((each) => each.type === 'alone-answered' && each.pending)).toHaveLength(5);
  });

  it('uses the first answer of a tie, and one more call to choose between answers that can’t be compared', async () => {
    const tied = setUp(
      ['Answer: 5', 'Answer: 4', 'Answer: 6'].map((text) => says(text, usd / 3)),
      equalCost(1),
    );
    expect((await tied.ask()).aloneAnswer?.output).toBe('Answer: 5');
    const poems = ['The sea\nis calm.', 'A hill\nat dawn.', 'Rain\non the roof.', 'A hill,\nthen.'];
    const prose = setUp(
      poems.map((text) => says(text, usd / 3)),
      equalCost(1),
    );
    const run = await prose.ask();
    expect(run.aloneAnswer).toMatchObject({ output: poems[3], calls: 4 });
    const choosing = prose.sent[3]?.map(({ content }) => content).join('\n') ?? '';
    for (const poem of poems.slice(0, 3)) expect(choosing).toContain(poem);
  });

  it('answers once, or checks and repairs its answer, if the cost buys less than three', async () => {
    const calls: Record<string, number> = {};
    for (let seed = 0; seed < 40; seed++) {
      const texts = ['Answer: 5', 'It is 4.', 'Answer: 4'];
      const { ask, sent } = setUp(
        texts.map((text) => says(text, usd / 2)),
        equalCost(seed),
      );
      const { aloneAnswer } = await ask();
      expect(aloneAnswer?.output).toBe(sent.length === 1 ? 'Answer: 5' : 'Answer: 4');
      calls[sent.length] = (calls[sent.length] ?? 0) + 1;
    }
    expect(Object.keys(calls)).toEqual(['1', '3']);
    const dear = setUp([says('Answer: 5', 3 * usd)], equalCost(1));
    expect((await dear.ask()).aloneAnswer).toMatchObject({ output: 'Answer: 5' });
  });

  it('keeps the answers so far if the limits of the run or a fault prevent the others', async () => {
    const texts = ['Answer: 5', 'Answer: 4', 'Answer: 4'];
    const { calls } = setUp([]).now().spent;
    const caps = { rounds: 1, calls: calls + 3, tokens: null, usd: null };
    const capped = setUp(
      texts.map((text) => says(text, usd / 9)),
      { ...equalCost(1), caps },
    );
    expect((await capped.ask()).aloneAnswer).toMatchObject({ output: 'Answer: 4', calls: 3 });
    const broken = setUp([says('Answer: 5', usd / 9), [failed]], equalCost(1));
    const run = await broken.ask();
    expect(run.aloneAnswer).toMatchObject({ output: 'Answer: 5' });
    expect(run.aloneAnswer?.fault).toBeUndefined();
  });
});

describe('the vote', () => {
  it('counts once', async () => {
    const { ask, write, now } = setUp([answered]);
    await ask();
    await write({ type: 'pair-compared', preferred: 'alone' });
    await write({ type: 'pair-compared', preferred: 'conductor' });
    expect(now().vote?.preferred).toBe('alone');
    expect(isBlind(now())).toBe(false);
  });

  it('is not asked for if the run was imported, ended early, failed, or was not drawn', () => {
    const { now } = setUp([]);
    const run = now();
    expect(isBlind({ ...run, importedAt: 1 })).toBe(false);
    expect(isBlind({ ...run, early: { round: 0, step: 0, during: 0 } })).toBe(false);
    expect(isBlind({ ...run, status: 'failed', answer: null })).toBe(false);
    const { alone: _drawn, ...others } = run;
    expect(isBlind(others)).toBe(false);
    expect(isBlind({ ...run, status: 'running', answer: null })).toBe(true);
  });
});
