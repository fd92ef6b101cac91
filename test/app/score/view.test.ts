/**
 * @file Tests the score, which is the drawing of a workflow. A stave is the line of a worker or of the Conductor. A note is a
 * step. A cue marks the time at which a step was assigned to its worker.
 */
import { describe, expect, test } from 'vitest';
import { foldEvents, type ConductorInfo, type EventBody, type Workflow } from '../../../src/core/contract';
import { readsInTime, emptyScore, scoreOf, type Note, type ScoreView } from '../../../src/app/score/view';
import { finishedRunBodies, poolWorker, stampEvents, step } from '../../fixtures/run-events';
import { finishedRun, FOUR, POOL, scriptedRun, type ScriptedStep } from '../scripted-runs';

const builtIn: ConductorInfo = { id: 'heuristic', label: 'Built in', kind: 'heuristic' };
const template: ConductorInfo = { id: 'template:debate', label: 'Debate', kind: 'template' };

const note = (view: ScoreView, number: number): Note => {
  const found = view.notes.find((each) => each.number === number);
  if (!found) throw new Error(`no note ${number}`);
  return found;
};
const names = (view: ScoreView) => view.staves.map((stave) => stave.name);
const preview = (workflow: Workflow, conductor = builtIn, pool = POOL) =>
  scoreOf({ conductor, pool, workflow }, { mode: 'time' });
const end = ({ left, width }: { left: number; width: number }) => left + width;
/** The steps of `FOUR` as they were `moment` ms after the run started. */
const asOf = (moment: number): ScriptedStep[] =>
  FOUR.map((each) => ({
    ...each,
    start: (each.start ?? 0) <= moment ? each.start : undefined,
    first: (each.first ?? 0) <= moment ? each.first : undefined,
    end: (each.end ?? 0) <= moment ? each.end : undefined,
  }));

describe('a finished run on a time axis', () => {
  const view = scoreOf(finishedRun(), { mode: 'time' });

  test('has a stave for the Conductor and one for each worker in the order of the plan', () => {
    expect(names(view)).toEqual(['Conductor', 'Birch', 'Elm', 'Cedar', 'Alder']);
    expect(view.height).toBe(5 * 46);
  });

  test('places all notes on one time scale', () => {
    const perSecond = note(view, 1).left / 2.1;
    expect(note(view, 3).left).toBeCloseTo(9.2 * perSecond, 1);
    expect(end(note(view, 4))).toBeCloseTo(15 * perSecond, 1);
    expect(end(note(view, 4))).toBeLessThan(100);
    expect(view.plans[0]?.width).toBeCloseTo(7.4 * perSecond, 1);
  });

  test('has notes that are filled from the time of the first token on', () => {
    expect(note(view, 1).fullFrom).toBeCloseTo((500 / 5800) * 100, 1);
  });

  test('names every note by its number, role, worker, state, and the steps that it sees', () => {
    expect(view.notes.map(({ name }) => name)).toEqual([
      'Step 1, Solve, Birch, finished',
      'Step 2, Solve, Elm, finished',
      'Step 3, Verify, Cedar, finished, sees 1 and 2',
      'Step 4, Decide, Alder, finished, sees 1 and 3',
    ]);
    expect(note(view, 1)).toMatchObject({ label: 'Solve', detail: '5.8 s', look: 'done', colour: 2 });
  });

  test('names a note with “sees earlier rounds” if its step sees them', () => {
    const solve: ScriptedStep = { worker: 0, role: 'solve', start: 100, first: 110, end: 200 };
    const later: ScriptedStep[] = [
      { ...solve, seesEarlier: true, start: 300, first: 310, end: 400 },
      { ...solve, seesEarlier: true, access: [0], start: 500, first: 510, end: 600 },
    ];
    const twoRounds = scriptedRun({
      rounds: [
        { steps: [solve], ended: 200, recursed: true },
        { planStart: 210, steps: later },
      ],
      end: 'finished',
    });
    expect(scoreOf(twoRounds, { mode: 'time' }).notes.map(({ name }) => name)).toEqual([
      'Step 1, Solve, Alder, finished',
      'Step 2, Solve, Alder, finished, sees earlier rounds',
      'Step 3, Solve, Alder, finished, sees 2 and earlier rounds',
    ]);
  });

  test('has a cue for each step, with a line to the note if the step waited after its assignment', () => {
    expect(view.cues.map(({ row, waitsTo }) => [row, waitsTo !== null])).toEqual([
      [1, false],
      [2, false],
      [3, true],
      [4, true],
    ]);
    expect(view.cues[2]?.waitsTo).toBe(note(view, 3).left);
  });

  test('has a curve from each step to each step that sees it, colored by the seen step’s worker', () => {
    expect(view.curves.map(({ key, colour, ghost }) => [key, colour, ghost])).toEqual([
      ['0.0-0.2', 2, false],
      ['0.1-0.2', 5, false],
      ['0.0-0.3', 2, false],
      ['0.2-0.3', 3, false],
    ]);
    const [from] = view.curves[0]?.path.slice(1).split(' ') ?? [];
    expect(Number(from)).toBeCloseTo(end(note(view, 1)), 1);
  });

  test('has ticks at round values and no playhead', () => {
    expect(view.ticks.map(({ label }) => label)).toEqual(['0 s', '5 s', '10 s', '15 s']);
    expect(view.playhead).toBeNull();
  });

  test('counts as readable unless a step is too short to be distinguished', () => {
    expect(readsInTime(finishedRun())).toBe(true);
    const steps: ScriptedStep[] = [
      { worker: 0, start: 100, end: 7900 },
      { worker: 4, start: 8000, end: 8010 },
    ];
    expect(readsInTime(scriptedRun({ rounds: [{ steps }], end: 'finished' }))).toBe(false);
  });
});

describe('the drawing without a time axis', () => {
  test('has columns of the same width, and parallel steps share a column', () => {
    const view = scoreOf(finishedRun(), { mode: 'order' });
    const lefts = [1, 2, 3, 4].map((number) => note(view, number).left);
    expect(lefts[0]).toBe(lefts[1]);
    expect((lefts[2] ?? 0) - (lefts[1] ?? 0)).toBeCloseTo((lefts[3] ?? 0) - (lefts[2] ?? 0), 1);
    expect(new Set(view.notes.map(({ width }) => width)).size).toBe(1);
    expect(view).toMatchObject({ ticks: [], cues: [], playhead: null });
  });

  test('is always used for a plan that has not run, with planned notes and colored curves', () => {
    const view = preview({ steps: [step(1, 'Search widely'), step(2, 'Check it', [0])] });
    expect(view.mode).toBe('order');
    expect(view.notes.map(({ look }) => look)).toEqual(['planned', 'planned']);
    expect(view.curves).toMatchObject([{ ghost: false, colour: 2 }]);
    expect(view.plans).toMatchObject([{ label: 'Plan', detail: 'instant' }]);
  });

  test('has no stave for the Conductor if the Conductor is a template', () => {
    const view = preview({ steps: [step(0, 'Answer')] }, template);
    expect(names(view)).toEqual(['Alder']);
    expect(view.plans).toEqual([]);
  });
});

describe('the drawing of special cases', () => {
  test('gives a worker a second stave (voice) for parallel steps, but not for sequential ones', () => {
    const twice = preview({ steps: [step(4, 'One way'), step(4, 'Another way'), step(4, 'Choose', [0, 1])] });
    expect(names(twice)).toEqual(['Conductor', 'Elm', 'Elm, voice 2']);
    const inLine = preview({ steps: [step(4, 'Try'), step(4, 'Again', [0]), step(4, 'Again', [0, 1])] });
    expect(names(inLine)).toEqual(['Conductor', 'Elm']);
  });

  test('bends a curve between two notes of one stave only if another note is between them', () => {
    const view = preview({ steps: [step(4, 'Try'), step(4, 'Again', [0]), step(4, 'Again', [0, 1])] });
    expect(view.curves.map(({ path }) => path.includes('C'))).toEqual([false, true, false]);
  });

  test('marks the second-to-last note of a stave if the last note is near the right edge', () => {
    const view = preview({
      steps: [step(4, 'Try'), step(2, 'Check', [0]), step(4, 'Again', [1]), step(4, 'Again', [2])],
    });
    expect(view.notes.map(({ beforeLast }) => beforeLast)).toEqual([false, false, true, false]);
  });

  test('keeps all notes inside the drawing for sixteen steps that see all earlier steps', () => {
    const pool = Array.from({ length: 9 }, (_, index) => poolWorker(index));
    const all = (count: number) => Array.from({ length: count }, (_, index) => index);
    const view = preview({ steps: all(16).map((index) => step(index % 9, 'Do it', all(index))) }, template, pool);
    expect(view.staves).toHaveLength(9);
    expect(view.dense).toBe(true);
    for (const each of view.notes) {
      expect(each.left).toBeGreaterThanOrEqual(0);
      expect(end(each)).toBeLessThanOrEqual(100);
      expect(each.left + each.room).toBeLessThanOrEqual(100.01);
    }
  });

  test('labels a step without a role with the first words of its subtask', () => {
    const view = preview({
      steps: [step(0, 'List all the prime numbers below one hundred.'), step(0, 'Internationalization-of-everything')],
    });
    expect(view.notes.map(({ label }) => label)).toEqual(['List all the…', 'Internationalization-of…']);
  });

  test('marks a failed attempt at the time of the attempt', () => {
    const view = scoreOf(
      scriptedRun({
        rounds: [{ steps: [{ worker: 1, start: 100, lostAt: 1100, first: 3100, end: 4100 }] }],
        end: 'finished',
      }),
      { mode: 'time' },
    );
    expect(note(view, 1)).toMatchObject({
      failures: [{ left: 0, width: 25 }],
      fullFrom: 75,
      detail: '4.0 s, on try 2',
    });
  });

  test('draws the pause before a retry, and adds the failed attempt and the pause to the note’s name', () => {
    const steps = [{ worker: 1, start: 100, lostAt: 1100, first: 3100, end: 4100 }];
    const view = scoreOf(scriptedRun({ rounds: [{ steps }], end: 'finished' }), { mode: 'time' });
    expect(note(view, 1).pauses).toEqual([{ left: 25, width: 12.5 }]);
    expect(note(view, 1).name).toMatch(/, 1 failed try, waited 0\.5 s \(retry\)$/);
    expect(view.waits, 'the first attempt did not wait').toEqual([]);
  });

  test('draws the wait of a call as a line up to its note, but only on a time axis', () => {
    const wait = { for: 'limit', delay: 2000, sentAt: 2100 } as const;
    const run = scriptedRun({ rounds: [{ steps: [{ worker: 1, start: 100, wait, end: 4100 }] }], end: 'finished' });
    const view = scoreOf(run, { mode: 'time' });
    const [bar] = view.waits;
    expect(bar && end(bar)).toBeCloseTo(note(view, 1).left, 1);
    expect(bar?.width).toBeCloseTo(note(view, 1).width, 1);
    expect(note(view, 1).name).toMatch(/, waited 2\.0 s \(rate limit\)$/);
    expect(scoreOf(run, { mode: 'order' }).waits).toEqual([]);
    const [attempt] = run.rounds[0]?.steps[0]?.attempts ?? [];
    expect(attempt).toMatchObject({ waitedFor: 'limit', wait: null });
  });

  test('draws a step that was skipped after a failure as a dashed (ghost) note at the end', () => {
    const failed = scriptedRun({
      rounds: [
        {
          steps: [
            { worker: 0, start: 100, first: 300, end: 2000 },
            { worker: 1, start: 100, end: 800, failed: 'unauthorized' },
            { worker: 2, access: [0, 1], skippedBecause: 1, known: 2000 },
          ],
        },
      ],
      end: 'failed',
    });
    const view = scoreOf(failed, { mode: 'time' });
    expect(note(view, 2)).toMatchObject({
      look: 'failed',
      detail: 'key refused',
      name: 'Step 2, Find one exact…, Birch, failed',
    });
    expect(note(view, 3)).toMatchObject({ look: 'ghost', detail: 'not run' });
    expect(note(view, 3).left).toBeGreaterThan(end(note(view, 1)));
    expect(view.curves.every(({ ghost }) => ghost)).toBe(true);
  });

  test('continues the step numbers through the rounds, with a double bar between two rounds', () => {
    const pool = [
      ...POOL,
      poolWorker(5, { id: 'conductor:heuristic', kind: 'conductor', name: 'Built in', colour: 0 }),
    ];
    const run = scriptedRun({
      pool,
      start: { recursion: true },
      rounds: [
        {
          ended: 5000,
          recursed: true,
          steps: [
            { worker: 0, start: 100, first: 200, end: 4900 },
            { worker: 5, access: [0], subtask: 'Look again' },
          ],
        },
        { planStart: 5000, planEnd: 6000, steps: [{ worker: 2, start: 6000, first: 6100, end: 9000 }] },
      ],
      end: 'finished',
    });
    for (const mode of ['time', 'order'] as const) {
      const view = scoreOf(run, { mode });
      expect(view.notes.map(({ number, place }) => [number, place.round, place.step])).toEqual([
        [1, 0, 0],
        [2, 0, 1],
        [3, 1, 0],
      ]);
      expect(view.plans.map(({ label }) => label)).toEqual(['Plan', 'Plan']);
      expect(view.roundEnds).toHaveLength(1);
      expect(view.rounds.map(({ label }) => label)).toEqual(['Round 1', 'Round 2']);
      expect(view.rounds[0]?.name).toBe('Round 1, 2 steps, 5.0 s, handed over');
      const [first, second] = view.rounds;
      if (!first || !second) throw new Error('no rounds');
      expect(end(first)).toBeLessThanOrEqual(second.left + 0.1);
      expect(end(second)).toBeCloseTo(end(note(view, 3)), 1);
      expect(view.roundEnds[0]?.left).toBeGreaterThanOrEqual(end(note(view, 1)) - 0.1);
      expect(view.roundEnds[0]?.left).toBeLessThan(note(view, 3).left);
      // A step of the Conductor is on the Conductor's stave.
      expect(note(view, 2)).toMatchObject({ row: 0, state: 'handed-over', label: '' });
      expect(names(view)).toEqual(['Conductor', 'Alder', 'Cedar']);
    }
  });

  test('has distinct ticks and keeps all notes inside the drawing even if the run took no time', () => {
    const at = { start: 0, first: 0, end: 0 };
    const run = scriptedRun({ rounds: [{ planEnd: 0, steps: [at, at].map((each, worker) => ({ worker, ...each })) }] });
    for (const now of [0, 1, 99, 100]) {
      const { ticks, notes } = scoreOf(run, { mode: 'time', now });
      expect(new Set(ticks.map(({ left }) => left)).size).toBe(ticks.length);
      expect(notes.every((each) => end(each) <= 100)).toBe(true);
    }
    expect(scoreOf(run, { mode: 'time', upTo: 0 }).ticks).toHaveLength(1);
  });

  test('has empty staves for a pool without a plan', () => {
    expect(emptyScore(POOL)).toMatchObject({ notes: [], height: 6 * 46 });
  });
});

describe('a live run', () => {
  test('draws running steps up to now, and future steps after the playhead', () => {
    const view = scoreOf(scriptedRun({ rounds: [{ planEnd: 7400, steps: asOf(11_000) }] }), {
      mode: 'time',
      now: 11_000,
    });
    expect(view.playhead?.label).toBe('11.0 s');
    expect(note(view, 3)).toMatchObject({ state: 'streaming', look: 'live', detail: 'streaming' });
    expect(end(note(view, 3))).toBeCloseTo(view.playhead?.left ?? 0, 1);
    expect(note(view, 4)).toMatchObject({ state: 'planned', look: 'ghost' });
    expect(note(view, 4).left).toBeGreaterThan(view.playhead?.left ?? 100);
  });

  test('draws a future step to the right of the steps that it sees', () => {
    const view = scoreOf(scriptedRun({ rounds: [{ planEnd: 20, steps: asOf(20) }] }), { mode: 'time', now: 20 });
    const lefts = view.notes.map(({ left }) => left);
    expect(lefts[0]).toBe(lefts[1]);
    expect(lefts[2]).toBeGreaterThan(lefts[1] ?? 0);
    expect(lefts[3]).toBeGreaterThan(lefts[2] ?? 0);
    expect(Math.max(...view.notes.map(end))).toBeLessThanOrEqual(100);
  });

  test('shows the current time at the playhead, and keeps the relative positions of finished notes', () => {
    const run = scriptedRun({ rounds: [{ planEnd: 7400, steps: asOf(10_000) }] });
    const [early, late] = [10_000, 12_000].map((now) => scoreOf(run, { mode: 'time', now }));
    if (!early || !late) throw new Error('no views');
    expect(note(late, 2).left / note(late, 1).left).toBeCloseTo(note(early, 2).left / note(early, 1).left, 2);
    expect(late.playhead?.label).toBe('12.0 s');
  });
});

test('a plan is labeled “waiting” while its call waits, and “writing” once the call is sent', () => {
  const bodies = finishedRunBodies();
  const untilPlan = bodies.slice(0, bodies.findIndex(({ type }) => type === 'plan-started') + 1);
  const detailAfter = (cause: 'limit' | null) => {
    const run = foldEvents(stampEvents([...untilPlan, { type: 'plan-waiting', round: 0, for: cause, delay: null }]));
    return run && scoreOf(run, { mode: 'time', now: run.time }).plans.map(({ detail }) => detail);
  };
  expect(detailAfter('limit')).toEqual(['waiting']);
  expect(detailAfter(null)).toEqual(['writing']);
});

describe('a call that waits', () => {
  const limit = { for: 'limit', delay: 9000 } as const;

  test('is drawn as waiting, with the reason and, if known, the remaining time', () => {
    const run = scriptedRun({ rounds: [{ steps: [{ worker: 1, start: 100, wait: limit }] }] });
    const view = scoreOf(run, { mode: 'time', now: 1100 });
    expect(note(view, 1)).toMatchObject({ state: 'waiting', look: 'ghost', detail: 'waiting, rate limit 8.0 s' });
    expect(note(view, 1).name).toBe('Step 1, Find one exact…, Birch, waiting');
    expect(note(view, 1).left).toBeGreaterThan(view.playhead?.left ?? 0);
    const place = scriptedRun({
      rounds: [{ steps: [{ worker: 1, start: 100, wait: { for: 'place', delay: null } }] }],
    });
    expect(note(scoreOf(place, { mode: 'order', now: 1100 }), 1).detail).toBe('waiting, other calls');
  });

  test('is drawn from the moment when it was sent, also in a replay', () => {
    const steps = [{ worker: 1, start: 100, wait: { ...limit, sentAt: 5100 }, first: 6100, end: 9100 }];
    const run = scriptedRun({ rounds: [{ steps }], end: 'finished' });
    const view = scoreOf(run, { mode: 'time' });
    expect(note(view, 1)).toMatchObject({ detail: '4.0 s', fullFrom: 25 });
    expect(view.cues[0]?.waitsTo).toBe(note(view, 1).left);
    expect(note(scoreOf(run, { mode: 'time', upTo: 3000 }), 1)).toMatchObject({ state: 'waiting', detail: 'waiting' });
    expect(note(scoreOf(run, { mode: 'time', upTo: 5500 }), 1)).toMatchObject({ state: 'started' });
  });

  test('is shown as not run if it was stopped before it was sent', () => {
    const stopped = scriptedRun({ rounds: [{ steps: [{ worker: 1, start: 100, wait: limit }] }], end: 'interrupted' });
    expect(note(scoreOf(stopped, { mode: 'time' }), 1)).toMatchObject({ state: 'not-run', look: 'ghost' });
  });

  test('counts down to its next attempt after a failure', () => {
    const lost = scriptedRun({ rounds: [{ steps: [{ worker: 1, start: 100, lostAt: 600 }] }] });
    const [round] = lost.rounds;
    const [step] = round?.steps ?? [];
    const [first] = step?.attempts ?? [];
    if (!round || !step || !first) throw new Error('the script has no attempt');
    const retrying = { ...step, status: 'queued' as const, attempts: [first] };
    const view = scoreOf({ ...lost, time: 700, rounds: [{ ...round, steps: [retrying] }] }, { mode: 'time', now: 700 });
    expect(note(view, 1)).toMatchObject({ state: 'retrying', detail: 'too many calls, retry in 0.4 s' });
  });
});

describe('a run that is replayed', () => {
  const view = scoreOf(finishedRun(), { mode: 'time', upTo: 10_800 });
  const whole = scoreOf(finishedRun(), { mode: 'time' });

  test('keeps the positions of the whole run', () => {
    expect(view.notes.map(({ left }) => left)).toEqual(whole.notes.map(({ left }) => left));
    expect(view.played).toBe(whole.played);
  });

  test('shows each step as it was at the replayed moment', () => {
    expect(view.notes.map(({ look }) => look)).toEqual(['done', 'done', 'live', 'ghost']);
    expect(note(view, 3).detail).toBe('1.6 of 2.9 s');
    expect(note(view, 4)).toMatchObject({ state: 'later', detail: 'later' });
    expect(view.curves.map(({ ghost }) => ghost)).toEqual([false, false, true, true]);
    expect(view.playhead).toMatchObject({ label: '10.8 s' });
  });

  test('has no cues and only dashed (ghost) notes at the beginning', () => {
    const start = scoreOf(finishedRun(), { mode: 'time', upTo: 0 });
    expect(start.cues).toEqual([]);
    expect(start.notes.every(({ look }) => look === 'ghost')).toBe(true);
    expect(start.plans).toMatchObject([{ width: 0, state: 'writing' }]);
  });
});

describe('a run of thousands of steps', () => {
  const steps = Array.from({ length: 3_000 }, (_, index) =>
    step(index % 3, `Part ${index}`, index === 0 ? [] : [index - 1]),
  );
  const planned: Workflow = { steps };

  test('is drawn up to step 120, and states how many steps are left out', () => {
    const drawn = preview(planned);
    expect([drawn.notes.length, drawn.omitted]).toEqual([120, 2_880]);
    const [started, round, planStarted] = stampEvents(finishedRunBodies());
    if (!started || !round || !planStarted) throw new Error('too few events');
    const { runId, seq } = planStarted;
    const finished = { type: 'plan-finished', round: 0, workflow: planned, thought: '', text: '' } as const;
    const bill = { source: 'conductor', usage: null, cost: null, finishReason: null } as const;
    const stamp = { runId, seq: seq + 1, at: 0, segment: 0, elapsed: 900 };
    const run = foldEvents([started, round, planStarted, { ...finished, ...bill, ...stamp }]);
    const view = run && scoreOf(run, { mode: 'order' });
    expect([view?.notes.length, view?.omitted]).toEqual([120, 2_880]);
  });

  test('leaves out steps, unlike a short run', () => {
    expect(scoreOf(finishedRun(), { mode: 'time' }).omitted).toBe(0);
  });
});

describe('a step whose call was never sent', () => {
  const key = { round: 0, step: 1, attempt: 0 };
  const refused = { code: 'cap-reached', message: 'No room.', retryable: false } as const;
  const ended = { type: 'step-failed', fault: refused, output: '', reasoning: '', usage: null, cost: 0 } as const;
  const started = { type: 'step-started', workerId: 'sim:birch', messages: [], sha256: '' } as const;
  const run = (...bodies: EventBody[]) => {
    const earlier = finishedRunBodies().filter(({ type }) => /^(run|round)-started|^plan-/.test(type));
    const folded = foldEvents(stampEvents([...earlier, ...bodies, { type: 'run-failed', fault: refused }]));
    if (!folded) throw new Error('No run.');
    return folded;
  };

  test.each<[string, EventBody[]]>([
    ['failed before its call', [{ ...ended, ...key }]],
    [
      'failed after it started, but before its call was sent',
      [
        { ...started, ...key },
        { ...ended, ...key, sent: false },
      ],
    ],
  ])('is drawn as failed, to the right of the run’s end, if it %s', (_how, bodies) => {
    const view = scoreOf(run(...bodies), { mode: 'time' });
    expect(note(view, 2)).toMatchObject({ state: 'failed', look: 'failed' });
    expect(note(view, 2).left).toBeGreaterThan(view.played);
  });
});
