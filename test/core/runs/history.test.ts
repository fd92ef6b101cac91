import { describe, expect, it } from 'vitest';
import { abortError, fault, FaultError, isAbort, type Grader } from '../../../src/core/contract';
import type { Runs } from '../../../src/core/runs/runs';
import { ANSWERING, Browser, newRun, opening, type Script } from './scripted';

/** The ids and grades of the runs in the history, sorted by id. */
async function gradedIn(runs: Runs): Promise<(readonly [string, boolean])[]> {
  const history = await runs.history();
  return history.map(({ runId, right }) => [runId, right] as const).sort(([one], [other]) => one.localeCompare(other));
}

async function play(runs: Runs, count: number): Promise<void> {
  for (let run = 0; run < count; run++) await (await runs.start(newRun())).done;
}

describe('history', () => {
  it('lists graded runs with the question, the grade, and the role of each called worker', async () => {
    const browser = new Browser();
    const { runs } = browser.tab();
    for (const correct of [true, false, null]) {
      const live = await runs.start(newRun());
      await live.done;
      if (correct !== null) await runs.grade(live.id, correct);
    }
    const expected = [
      { right: true, runId: 'run-1' },
      { right: false, runId: 'run-2' },
    ].map((each) => ({
      ...each,
      startedAt: expect.any(Number) as number,
      question: 'What is six times seven?',
      played: [{ workerId: 'ash', role: 'solve' }],
    }));
    const byId = (one: { runId: string }, other: { runId: string }) => one.runId.localeCompare(other.runId);
    expect([...(await runs.history())].sort(byId)).toEqual(expected);
    // A new tab reads the same history from the store.
    expect([...(await browser.tab().runs.history())].sort(byId)).toEqual(expected);
  });

  it('counts an imported grade only while the option for imported grades is on', async () => {
    const browser = new Browser();
    let countsImportedGrades = false;
    const { runs } = browser.tab(undefined, { countsImportedGrades: () => countsImportedGrades });
    await play(runs, 3);
    for (const id of ['run-1', 'run-2']) await runs.grade(id, true);
    await browser.markImported('run-1', 'run-2', 'run-3');
    await runs.reloadRuns();
    expect(await gradedIn(runs), 'no grade was given in this browser').toEqual([]);
    expect(await gradedIn(browser.tab().runs)).toEqual([]);

    await runs.grade('run-2', false);
    await runs.grade('run-3', true);
    const own = [
      ['run-2', false],
      ['run-3', true],
    ];
    expect(await gradedIn(runs), 'the grades given in this browser after the import').toEqual(own);
    countsImportedGrades = true;
    expect(await gradedIn(runs)).toEqual([['run-1', true], ...own]);
    countsImportedGrades = false;
    expect(await gradedIn(runs)).toEqual(own);
  });

  it('prefers a grader’s verdict from this browser to an imported grade', async () => {
    const browser = new Browser();
    const { runs } = browser.tab();
    await play(runs, 1);
    await runs.grade('run-1', true);
    await browser.markImported('run-1');
    await runs.grade('run-1', false, 'grader', 'It is 41.');
    await runs.reloadRuns();
    expect(await gradedIn(runs)).toEqual([['run-1', false]]);
  });

  it('lists each worker once per role, omits unfinished steps, and infers missing roles', async () => {
    const subtasks = ['Solve it.', 'Solve it again.', 'Check both results for mistakes.', 'Decide.'];
    const script: Script = async function* (request) {
      yield opening(request);
      yield { type: 'round-started', round: 0 };
      yield { type: 'plan-started', round: 0, conductor: request.start.conductor, messages: [] };
      const steps = subtasks.map((subtask, index) => ({ worker: index === 2 ? 1 : 0, subtask, access: [] }));
      const none = { usage: null, cost: null, finishReason: null };
      yield {
        type: 'plan-finished',
        round: 0,
        workflow: { steps },
        thought: '',
        text: '',
        source: 'conductor',
        ...none,
      };
      for (const step of [0, 1, 2]) {
        const key = { round: 0, step, attempt: 0 };
        yield { type: 'step-queued', ...key };
        yield { type: 'step-started', ...key, workerId: 'ash', messages: [], sha256: '' };
        yield { type: 'step-finished', ...key, output: '42', reasoning: '', ...none };
      }
      yield { type: 'run-finished', round: 0, step: 1 };
    };
    const { runs } = new Browser().tab(script);
    await play(runs, 1);
    await runs.grade('run-1', true);
    expect((await runs.history())[0]?.played).toEqual([
      { workerId: 'ash', role: 'solve' },
      { workerId: 'birch', role: 'verify' },
    ]);
  });

  it('is updated if a grade changes, is removed, or is deleted with its run', async () => {
    const { runs } = new Browser().tab();
    await play(runs, 2);
    await runs.grade('run-1', true);
    await runs.grade('run-2', true);
    await runs.grade('run-2', false);
    expect(await gradedIn(runs)).toEqual([
      ['run-1', true],
      ['run-2', false],
    ]);
    await runs.grade('run-2', null);
    expect(await gradedIn(runs)).toEqual([['run-1', true]]);
    await runs.delete('run-1');
    expect(await gradedIn(runs)).toEqual([]);
  });

  it('is updated by grades and deletions in another tab', async () => {
    const browser = new Browser();
    const [one, other] = [browser.tab().runs, browser.tab().runs];
    await play(one, 1);
    expect(await gradedIn(one)).toEqual([]);
    await other.grade('run-1', true);
    expect(await gradedIn(one)).toEqual([['run-1', true]]);
    await other.delete('run-1');
    expect(await gradedIn(one)).toEqual([]);
  });

  it('is passed to the Conductor of the next run', async () => {
    const { runs, requested } = new Browser().tab();
    await play(runs, 1);
    await runs.grade('run-1', true);
    await play(runs, 1);
    expect(requested[1]?.history).toMatchObject([{ runId: 'run-1', right: true }]);
  });

  it('includes the embeddings of its questions and the new question if a sentence model is available', async () => {
    const requested: (readonly string[])[] = [];
    const embeddings = {
      by: 'a model',
      storedAs: 'model',
      vectors: new Map([['any', Float32Array.of(1)]]),
    };
    let answer: typeof embeddings | null = embeddings;
    const embedder = {
      embed: (questions: readonly string[]) => {
        requested.push(questions);
        return Promise.resolve(answer);
      },
      forget: () => undefined,
    };
    const { runs, requested: executed } = new Browser().tab(ANSWERING, { embedder });
    await play(runs, 1);
    // Without a graded run, no question needs an embedding.
    expect(requested).toEqual([]);
    await runs.grade('run-1', true);
    const live = await runs.start(newRun({ question: 'What is seven times six?' }));
    await live.done;
    expect(requested).toEqual([['What is seven times six?', 'What is six times seven?']]);
    expect(executed[1]?.embeddings).toBe(embeddings);
    answer = null;
    const planHistory = await runs.historyFor('What is six times seven?', new AbortController().signal);
    expect(requested[1]).toEqual(['What is six times seven?']);
    expect(planHistory).toEqual({ history: [expect.objectContaining({ runId: 'run-1' })] });
  });

  it('waits at most 400 ms for a sentence model, unless a longer wait is requested', async () => {
    const embeddings = { by: 'a model', storedAs: 'model', vectors: new Map<string, Float32Array>() };
    let finish: (placed: typeof embeddings) => void = () => undefined;
    const work = new Promise<typeof embeddings>((resolve) => (finish = resolve));
    const browser = new Browser();
    const { runs } = browser.tab(ANSWERING, { embedder: { embed: () => work, forget: () => undefined } });
    await play(runs, 1);
    await runs.grade('run-1', true);
    const never = new AbortController().signal;
    const before = browser.clock.now();
    expect((await runs.historyFor('What is seven?', never)).embeddings).toBeUndefined();
    expect(browser.clock.now() - before).toBe(400);
    // A run also starts without the embeddings.
    await play(runs, 1);
    const patient = runs.historyFor('What is seven?', never, Infinity);
    const stop = new AbortController();
    const stopped = runs.historyFor('What is seven?', stop.signal, Infinity).catch((thrown: unknown) => thrown);
    stop.abort();
    expect(isAbort(await stopped)).toBe(true);
    finish(embeddings);
    expect((await patient).embeddings).toBe(embeddings);
  });

  it('is not read again if a run starts with the history of its preview plan', async () => {
    const { runs, requested } = new Browser().tab();
    await play(runs, 1);
    await runs.grade('run-1', true);
    const live = await runs.start(newRun({ planHistory: { history: [] } }));
    await live.done;
    expect(requested[1]?.history).toEqual([]);
    expect(requested[1]?.embeddings).toBeUndefined();
  });

  it('clears the cached embeddings in this tab after `delete`, and in all tabs after `deleteAll`', async () => {
    const forgot: string[] = [];
    const browser = new Browser();
    const tab = (name: string) => {
      const embedder = { embed: () => Promise.resolve(null), forget: () => void forgot.push(name) };
      return browser.tab(ANSWERING, { embedder }).runs;
    };
    const [one] = [tab('one'), tab('other')];
    await play(one, 1);
    await one.delete('run-1');
    expect(new Set(forgot)).toEqual(new Set(['one']));
    await one.deleteAll();
    expect(new Set(forgot)).toEqual(new Set(['one', 'other']));
  });

  it('calls `onDeleted` after runs are deleted', async () => {
    const browser = new Browser();
    const left: Promise<number>[] = [];
    const { runs } = browser.tab(ANSWERING, { onDeleted: () => void left.push(browser.store.count()) });
    await play(runs, 3);
    await runs.delete('run-1');
    await runs.deleteAll();
    expect(await Promise.all(left)).toEqual([2, 0]);
    // `reloadRuns` calls `onDeleted` too, because a restore may have deleted runs.
    await runs.reloadRuns();
    expect(left).toHaveLength(3);
  });

  it('returns the same object for an unchanged run, so that results can be cached', async () => {
    const { runs } = new Browser().tab();
    await play(runs, 2);
    await runs.grade('run-1', true);
    const [before] = await runs.history();
    await runs.grade('run-2', true);
    expect((await runs.history()).find(({ runId }) => runId === 'run-1')).toBe(before);
  });

  it('reads events once, and only events of graded runs', async () => {
    const browser = new Browser();
    const { runs } = browser.tab();
    await play(runs, 3);
    await runs.grade('run-2', true);
    const fresh = browser.tab().runs;
    const read: string[] = [];
    const original = browser.store.readMany.bind(browser.store);
    browser.store.readMany = (runIds) => {
      read.push(...runIds);
      return original(runIds);
    };
    await fresh.history();
    await fresh.history();
    expect(read).toEqual(['run-2']);
  });

  it('keeps no graded run in memory before its first use', async () => {
    const browser = new Browser();
    const { runs } = browser.tab();
    const live = await runs.start(newRun({ planHistory: { history: [] } }));
    await live.done;
    await runs.grade(live.id, true);
    browser.store.readMany = () => Promise.resolve([]);
    expect(await runs.history()).toEqual([]);
  });

  it('reads many runs in batches of 50', async () => {
    const browser = new Browser();
    const { runs } = browser.tab();
    for (let count = 0; count < 120; count++) {
      const live = await runs.start(newRun());
      await live.done;
      await runs.grade(live.id, true);
    }
    const readings: number[] = [];
    const original = browser.store.readMany.bind(browser.store);
    browser.store.readMany = (runIds) => {
      readings.push(runIds.length);
      return original(runIds);
    };
    expect(await browser.tab().runs.history()).toHaveLength(120);
    expect(readings).toEqual([50, 50, 20]);
  });

  it('is read again in every tab after `reloadRuns` or `deleteAll`', async () => {
    const browser = new Browser();
    const [one, other] = [browser.tab().runs, browser.tab().runs];
    for (let count = 0; count < 2; count++) {
      const live = await one.start(newRun());
      await live.done;
      await one.grade(live.id, true);
    }
    expect((await gradedIn(one)).length).toBe(2);
    expect(await gradedIn(other)).toEqual(await gradedIn(one));
    await browser.store.delete('run-1');
    await one.reloadRuns();
    expect([await gradedIn(one), await gradedIn(other)]).toEqual([[['run-2', true]], [['run-2', true]]]);
    await other.deleteAll();
    expect([await one.history(), await other.history()]).toEqual([[], []]);
  });

  it('keeps the newest 250 graded runs of batches, and all other graded runs', async () => {
    const browser = new Browser();
    const { runs } = browser.tab();
    await play(runs, 1);
    await runs.grade('run-1', true);
    const batch = { id: 'batch', dataset: 'd', task: 't', method: 'm' };
    const ids = Array.from({ length: 260 }, (_, repeat) => `unit-${repeat}`);
    for (const [repeat, id] of ids.entries()) {
      const live = await runs.start(newRun({ id, batch: { ...batch, repeat } }));
      await live.done;
      await browser.clock.sleep(1, new AbortController().signal);
    }
    // This tab loads the history before the runs are graded. So the history grows past the limit, and the oldest runs
    // must be dropped from memory. The newest run is graded first, so that the order of grading differs from the order
    // of the runs.
    await runs.history();
    for (const id of ids.toReversed()) await runs.grade(id, true);
    for (const history of [await runs.history(), await browser.tab().runs.history()]) {
      const kept = history.filter(({ isOfBatch }) => isOfBatch).map(({ runId }) => runId);
      expect(kept).toHaveLength(250);
      expect(new Set(kept)).toEqual(new Set(ids.slice(10)));
      expect(history.filter(({ isOfBatch }) => !isOfBatch).map(({ runId }) => runId)).toEqual(['run-1']);
    }
  });

  it('keeps the newest 500 graded runs', async () => {
    const browser = new Browser();
    const { runs } = browser.tab();
    // This tab loads the history before the runs exist, so the oldest runs must be dropped from memory.
    await runs.history();
    for (let count = 0; count < 502; count++) {
      const live = await runs.start(newRun());
      await live.done;
      await runs.grade(live.id, count >= 2);
      await browser.clock.advance(1000);
    }
    for (const history of [await runs.history(), await browser.tab().runs.history()]) {
      expect(history).toHaveLength(500);
      expect(history.every(({ right }) => right)).toBe(true);
    }
  });

  it('is omitted if it cannot be read, and runs still start', async () => {
    const browser = new Browser();
    browser.store.summaries = () => Promise.reject(new Error('disk'));
    const { runs, requested } = browser.tab();
    expect((await (await runs.start(newRun())).done).status).toBe('finished');
    expect(requested[0]?.history).toBeUndefined();
  });
});

describe('`gradeBy`', () => {
  const right: Grader = {
    grade: (task, answer) => Promise.resolve({ correct: answer === '42', detail: `${task.question} ${answer}` }),
  };
  const { signal } = new AbortController();

  it('records a grader’s verdict, but does not replace the user’s own grade', async () => {
    const { runs } = new Browser().tab();
    await play(runs, 1);
    const graded = await runs.gradeBy('run-1', right, signal);
    expect(graded.grade).toEqual({ correct: true, by: 'grader', detail: 'What is six times seven? 42' });
    await runs.grade('run-1', false);
    expect((await runs.gradeBy('run-1', right, signal)).grade).toMatchObject({ correct: false, by: 'person' });
    expect(await gradedIn(runs)).toEqual([['run-1', false]]);
  });

  it('rejects with a reason if the run has no answer or is missing', async () => {
    const script: Script = async function* (request) {
      yield opening(request);
      yield { type: 'run-failed', fault: { code: 'plan-failed', message: 'No plan.', retryable: false } };
    };
    const { runs } = new Browser().tab(script);
    await play(runs, 1);
    await expect(runs.gradeBy('run-1', right, signal)).rejects.toMatchObject({ fault: { code: 'nothing-to-grade' } });
    await expect(runs.gradeBy('run-9', right, signal)).rejects.toMatchObject({ fault: { code: 'run-missing' } });
  });

  it('rejects with the grader’s fault or abort, and records no grade', async () => {
    const { runs } = new Browser().tab();
    await play(runs, 1);
    const refuses: Grader = { grade: () => Promise.reject(new FaultError(fault('question-unreadable', 'No.'))) };
    const aborted: Grader = { grade: () => Promise.reject(abortError()) };
    await expect(runs.gradeBy('run-1', refuses, signal)).rejects.toMatchObject({ fault: { message: 'No.' } });
    await expect(runs.gradeBy('run-1', aborted, signal)).rejects.toMatchObject({ name: 'AbortError' });
    expect(await runs.history()).toEqual([]);
  });
});
