import { describe, expect, test } from 'vitest';
import { planLine, timeInLine } from '../../../../src/app/shared/steps/run-line';
import { answerPlace, lookOf, stepFacts, stepSentence, stepViews } from '../../../../src/app/shared/steps/step-view';
import { callsSoFar } from '../../../../src/app/conduct/conduct-words';
import { finishedSentence, progressSentence } from '../../../../src/app/conduct/progress-words';
import { callsSentence } from '../../../../src/app/shared/plan/ceiling-words';
import { fault, foldEvents, type EventBody } from '../../../../src/core/contract';
import { finishedRunBodies, stampEvents } from '../../../fixtures/run-events';
import { finishedRun, scriptedRun } from '../../scripted-runs';

const running = scriptedRun({
  rounds: [
    {
      steps: [
        { worker: 1, start: 100, first: 300 },
        { worker: 4, start: 100, lostAt: 400 },
        { worker: 2, access: [0, 1], known: 50 },
      ],
    },
  ],
});
const sentence = (index: number) => {
  const view = stepViews(running)[index];
  return view ? stepSentence(running, view, running.time) : null;
};

describe('steps on the page', () => {
  test('show the fault and the planned retry between two attempts', () => {
    const bodies = finishedRunBodies();
    const start = bodies.findIndex(({ type }) => type === 'step-started');
    const lost = fault('rate-limited', 'Alder has had enough for a minute.', { retryable: true });
    const retried: EventBody = {
      type: 'step-retried',
      round: 0,
      step: 0,
      attempt: 0,
      fault: lost,
      usage: null,
      cost: 0,
      delay: 500,
    };
    const run = foldEvents(stampEvents([...bodies.slice(0, start + 1), retried]));
    const [view] = run ? stepViews(run) : [];
    expect(run && view && stepSentence(run, view, run.time)).toBe(
      'Alder has had enough for a minute. Retrying in 0.5 s.',
    );
    expect(run && view && stepSentence(run, view, run.time + 600)).toMatch(/ Retrying\.$/);
    expect(view && stepFacts(view.stepRun, 0)).toMatch(/ · waiting /);
  });

  test.each([
    [{ for: 'limit', delay: 12_000 }, 'Waiting for the rate limit of Alder, 8.0 s left.'],
    [{ for: 'place', delay: null }, 'Waiting for other calls to Alder to finish.'],
    [{ for: 'money', delay: null }, /could exceed the daily budget/],
    [{ for: null, delay: null }, 'Called. No reply yet.'],
  ] as const)('say what a call waits for: %j', (waiting, words) => {
    const bodies = finishedRunBodies();
    const start = bodies.findIndex(({ type }) => type === 'step-started');
    const held: EventBody = { type: 'step-waiting', round: 0, step: 0, attempt: 0, ...waiting };
    const run = foldEvents(stampEvents([...bodies.slice(0, start + 1), held]));
    const [view] = run ? stepViews(run) : [];
    expect(run && view && stepSentence(run, view, run.time + 4000)).toMatch(words);
  });

  test('measure the time of a call from the moment it was sent', () => {
    const bodies = finishedRunBodies();
    const start = bodies.findIndex(({ type }) => type === 'step-started');
    const key = { round: 0, step: 0, attempt: 0 };
    const sentLater: readonly EventBody[] = [
      { type: 'step-waiting', ...key, for: 'limit', delay: 12_000 },
      { type: 'step-waiting', ...key, for: null, delay: null },
    ];
    const at = (count: number) => {
      const events = stampEvents([...bodies.slice(0, start + 1), ...sentLater.slice(0, count)]);
      return foldEvents(events.map((event, index) => (index > start + 1 ? { ...event, elapsed: 12_000 } : event)));
    };
    const [waits] = stepViews(at(1) ?? finishedRun());
    expect(waits && [stepFacts(waits.stepRun, 5000), lookOf(waits.stepRun)]).toEqual(['waiting', 'ghost']);
    const [sent] = stepViews(at(2) ?? finishedRun());
    expect(sent && [stepFacts(sent.stepRun, 13_000), lookOf(sent.stepRun)]).toEqual(['1.0 s', 'full']);
  });

  test('say that a step waits for running calls because of the limits of the run', () => {
    const held = scriptedRun({
      rounds: [
        {
          steps: [
            { worker: 1, start: 100, first: 300 },
            { worker: 2, known: 50 },
          ],
        },
      ],
    });
    const [round] = held.rounds;
    const steps = round?.steps.map((each) => (each.index === 1 ? { ...each, status: 'queued' as const } : each));
    const run = round && steps ? { ...held, rounds: [{ ...round, steps }] } : held;
    const view = stepViews(run)[1];
    expect(view && stepSentence(run, view, run.time)).toMatch(/^Waiting for running calls, .* limit of this run\.$/);
  });

  test('share a row if they run in parallel, and list the numbers of seen steps', () => {
    const views = stepViews(finishedRun());
    expect(views.map(({ half, opensRow }) => [half, opensRow])).toEqual([
      [true, true],
      [true, false],
      [false, true],
      [false, true],
    ]);
    expect(views[3]?.sees).toEqual([
      { number: 1, colour: 2 },
      { number: 3, colour: 3 },
    ]);
    expect(views.map(({ isAnswer }) => isAnswer)).toEqual([false, false, false, true]);
  });

  test('say that they wait for a reply or for other steps', () => {
    expect(sentence(0)).toBe('');
    expect(sentence(1)).toBe('Called. No reply yet.');
    expect(sentence(2)).toBe('Waiting for steps 1 and 2.');
  });

  test('name the step whose missing result caused them to be skipped', () => {
    const failed = scriptedRun({
      rounds: [
        {
          steps: [
            { worker: 1, start: 100, end: 200, failed: 'timeout' },
            { worker: 2, access: [0], skippedBecause: 0 },
          ],
        },
      ],
      end: 'failed',
    });
    const view = stepViews(failed)[1];
    expect(view && stepSentence(failed, view, failed.time)).toBe('Not run, because step 1 has no result.');
  });

  test('list the time, tries, tokens and cost that are known', () => {
    const views = stepViews(finishedRun());
    expect(views[0] && stepFacts(views[0].stepRun, 0)).toBe('5.8 s · 520 tok · $0.0004');
    const [first, second] = stepViews(running);
    expect(first && stepFacts(first.stepRun, 1100)).toBe('1.0 s');
    expect(second && stepFacts(second.stepRun, 1100)).toBe('1.0 s · 2 tries');
  });

  test('provide the answer if they come last in a finished plan', () => {
    expect(answerPlace(finishedRun())).toEqual({ round: 0, step: 3 });
    expect(answerPlace(running)).toEqual({ round: 0, step: 2 });
  });
});

describe('sentences about a run', () => {
  test('summarize the plan in one line', () => {
    expect(planLine(finishedRun(), 0)).toBe('4 steps · planned in 7.4 s');
    expect(planLine(running, 0)).toBe('3 steps · planned instantly');
  });

  test.each([
    [{ for: 'limit', delay: 12_000 }, 'Planning. Waiting for the rate limit of api.example.com, 8.0 s left.'],
    [{ for: 'place', delay: null }, 'Planning. Waiting for other calls to api.example.com to finish.'],
    [{ for: 'money', delay: null }, /^Planning\. Waiting for running calls, .* exceed the daily budget\.$/],
    [{ for: null, delay: null }, 'Planning'],
  ] as const)('say what the call for the plan waits for: %j', (waiting, words) => {
    const bodies = finishedRunBodies().map((body): EventBody => {
      if (body.type !== 'plan-started') return body;
      return { ...body, conductor: { ...body.conductor, kind: 'endpoint', origin: 'https://api.example.com' } };
    });
    const start = bodies.findIndex(({ type }) => type === 'plan-started');
    const held: EventBody = { type: 'plan-waiting', round: 0, ...waiting };
    const run = foldEvents(stampEvents([...bodies.slice(0, start + 1), held]));
    expect(run && planLine(run, run.time + 4000)).toMatch(words);
  });

  test('say which plan is being written, and that planning is retried if all plans were invalid', () => {
    const bodies = finishedRunBodies().map((body): EventBody => {
      return body.type === 'run-started' ? { ...body, candidates: 2 } : body;
    });
    const start = bodies.findIndex(({ type }) => type === 'plan-started');
    const problem = { code: 'not-found' as const, message: 'There are no lists.', at: 0 };
    const drawn = (candidate: number): EventBody => {
      return {
        type: 'plan-candidate',
        round: 0,
        candidate,
        workflow: null,
        problem,
        text: '',
        usage: null,
        cost: null,
      };
    };
    const lines = [0, 1, 2].map((count) => {
      const events = [...bodies.slice(0, start + 1), ...[0, 1].slice(0, count).map(drawn)];
      const run = foldEvents(stampEvents(events));
      return run && planLine(run, run.time);
    });
    expect(lines).toEqual(['Writing plan 1 of 2', 'Writing plan 2 of 2', 'Retrying once']);
  });

  test('say that the plan of a later round waits for other calls', () => {
    const bodies = finishedRunBodies();
    const end = bodies.findIndex(({ type }) => type === 'round-finished');
    const start = bodies.find(({ type }) => type === 'plan-started');
    const held: EventBody = { type: 'plan-waiting', round: 1, for: 'place', delay: null };
    const again: EventBody[] = start?.type === 'plan-started' ? [{ ...start, round: 1 }] : [];
    const run = foldEvents(stampEvents([...bodies.slice(0, end), { type: 'round-started', round: 1 }, ...again, held]));
    expect(run && planLine(run, run.time)).toContain('Planning round 2. Waiting for other calls');
  });

  test('add up the time that all calls would take in sequence', () => {
    expect(timeInLine(finishedRun())).toBe(7400 + 5800 + 5600 + 2900 + 2900);
  });

  test('show how many steps and calls have started, and the limits of the run', () => {
    const ceiling = { calls: 5, tokens: null, usd: 0, free: true, range: { low: 0, high: 0 } };
    expect(progressSentence(running)).toBe('2 of 3 started');
    expect(callsSoFar(running, ceiling)).toBe('2 of at most 5 calls');
    const held: EventBody = { type: 'step-waiting', round: 0, step: 0, attempt: 0, for: 'limit', delay: 1000 };
    const bodies = finishedRunBodies();
    const finished = bodies.findIndex(({ type }) => type === 'step-finished');
    const first = foldEvents(stampEvents(bodies.slice(0, finished + 1)));
    expect(first && finishedSentence(first)).toBe('1 of 3 steps finished.');
    expect([finishedSentence(running), finishedSentence(finishedRun())]).toEqual(['', '']);
    const started = bodies.findIndex(({ type }) => type === 'step-started');
    const waits = foldEvents(stampEvents([...bodies.slice(0, started + 1), held]));
    expect(waits && [callsSoFar(waits, ceiling), progressSentence(waits)]).toEqual([
      '0 of at most 5 calls, 1 waiting',
      '0 of 3 started, 1 waiting',
    ]);
    const nothing = { output: '', reasoning: '', usage: null, cost: 0, sent: false } as const;
    const ends: readonly EventBody[] = [
      { type: 'step-cancelled', round: 0, step: 0, attempt: 0, ...nothing },
      {
        type: 'step-failed',
        round: 0,
        step: 0,
        attempt: 0,
        ...nothing,
        fault: fault('cap-reached', 'The day is spent.'),
      },
    ];
    for (const end of ends) {
      const discarded = foldEvents(stampEvents([...bodies.slice(0, started + 1), held, end]));
      expect(discarded && progressSentence(discarded)).toBe('0 of 3 started');
      const never = foldEvents(stampEvents([...bodies.slice(0, started + 1), end]));
      expect(never && progressSentence(never)).toBe('0 of 3 started');
      const released = foldEvents(stampEvents([...bodies.slice(0, started + 1), { ...held, for: null }, end]));
      expect(released?.rounds[0]?.steps[0]?.attempts[0]?.leftAt).toBeNull();
    }
    const answering = foldEvents(stampEvents([...bodies.slice(0, started + 1), held, { ...held, for: null }]));
    expect(answering && progressSentence(answering)).toBe('1 of 3 started');
    expect(callsSentence(ceiling)).toBe('At most 5 calls, free');
    const charged = { ...ceiling, free: false, usd: null };
    expect(callsSentence({ ...charged, range: { low: 0.0021, high: 0.5 } })).toBe('At most 5 calls, $0.0021 to $0.50');
    expect(callsSentence({ ...charged, range: { low: 0.5, high: 0.5 } })).toBe('At most 5 calls, at most $0.50');
    expect(callsSentence({ ...charged, range: { low: 1e-7, high: 1e-6 } })).toBe('At most 5 calls, under $0.0001');
    expect(callsSentence({ ...charged, calls: 1, range: null })).toBe('At most 1 call, price unknown');
    expect(callsSentence({ ...charged, usd: 0.5, range: null })).toBe('At most 5 calls, at most $0.50');
  });
});
