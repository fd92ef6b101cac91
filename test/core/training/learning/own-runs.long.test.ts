/**
 * @file Tests which of the user's own runs become examples for training, and how a training course uses these examples.
 */
import { describe, expect, it } from 'vitest';
import { foldEvents, type EventBody, type Run } from '../../../../src/core/contract';
import { SUBTASK } from '../../../../src/core/conductor/wording';
import { PARAMETER_NAMES } from '../../../../src/core/policy/parameters';
import { useBackend } from '../../../../src/core/training/learning/backend';
import { distanceBetween, Learner } from '../../../../src/core/training/learning/learner';
import { readOrder, type TrainingOrder } from '../../../../src/core/training/orders';
import { lessonOf, readOwnLessons, type OwnLesson } from '../../../../src/core/training/learning/own-runs';
import { createCourse, OWN_RUNS_EVERY, OWN_RUNS_SHARE } from '../../../../src/core/training/learning/course';
import { DEFAULT_COURSE, type CourseOptions } from '../../../../src/core/training/learning/course-options';
import { MemoryStore } from '../../../fixtures/memory-store';
import { finishedRunBodies, poolWorker, runStarted, stampEvents, step } from '../../../fixtures/run-events';
import { SMALL_TRAINING, smallSociety } from '../society';

const graded = (correct: boolean | null): EventBody => ({ type: 'run-graded', correct, by: 'person', detail: '' });

function run(bodies: readonly EventBody[], runId = 'run-1', at = 1_000): Run {
  const folded = foldEvents(stampEvents(bodies, { runId, at }));
  if (!folded) throw new Error('The events contain no run.');
  return folded;
}
const right = (runId = 'run-1', at = 1_000) => run([...finishedRunBodies(), graded(true)], runId, at);

/** A run with these steps, graded right. */
function planned(steps: readonly ReturnType<typeof step>[], started = runStarted()): Run {
  return run([
    started,
    { type: 'round-started', round: 0 },
    { type: 'plan-started', round: 0, conductor: started.conductor, messages: [] },
    {
      type: 'plan-finished',
      round: 0,
      workflow: { steps },
      thought: '',
      text: '',
      source: 'conductor',
      usage: null,
      cost: null,
      finishReason: null,
    },
    ...steps.map((_, index): EventBody => ({ type: 'step-queued', round: 0, step: index, attempt: 0 })),
    { type: 'run-finished', round: 0, step: steps.length - 1 },
    graded(true),
  ]);
}

describe('an example', () => {
  it('has the policy’s input for a run, and the worker, move and access list of each step', () => {
    const lesson = lessonOf(right(), []);
    expect(lesson?.skeleton).toEqual([
      { row: 0, move: 'solve', access: [] },
      { row: 1, move: 'solve', access: [] },
      { row: 2, move: 'decide', access: [0, 1] },
    ]);
    expect(lesson?.input.rows).toEqual([0, 1, 2]);
  });

  it('has the move `solveAnotherWay` for its wording, and sorted access lists', () => {
    const lesson = lessonOf(
      planned([step(0, SUBTASK.solve), step(1, SUBTASK.solveAnotherWay), step(0, SUBTASK.decide, [1, 0])]),
      [],
    );
    expect(lesson?.skeleton.map(({ move }) => move)).toEqual(['solve', 'solveAnotherWay', 'decide']);
    expect(lesson?.skeleton.at(-1)?.access).toEqual([0, 1]);
  });

  it('has only earlier runs in its history, not the run that it was made from', () => {
    const worker = poolWorker(0).id;
    const past = (runId: string, startedAt: number) => ({
      runId,
      startedAt,
      question: runStarted().question.text,
      right: true,
      played: [{ workerId: worker, role: 'solve' as const }],
    });
    const blank = lessonOf(right('run-1', 1_000), []);
    expect(lessonOf(right('run-1', 1_000), [past('run-1', 500), past('later', 2_000)])).toEqual(blank);
    expect(lessonOf(right('run-1', 1_000), [past('before', 500)])).not.toEqual(blank);
  });

  it('is not made from a wrong or ungraded run', () => {
    expect(lessonOf(run(finishedRunBodies()), [])).toBeNull();
    expect(lessonOf(run([...finishedRunBodies(), graded(false)]), [])).toBeNull();
  });

  it('is not made from a run that was graded before its import, unless the user counts imported grades', async () => {
    const imported: EventBody = { type: 'run-imported' };
    expect(lessonOf(run([...finishedRunBodies(), imported, graded(true)]), []), 'graded here').not.toBeNull();
    expect(
      lessonOf(run([...finishedRunBodies(), graded(true), imported]), [], true),
      'imported grades count',
    ).not.toBeNull();
    expect(lessonOf(run([...finishedRunBodies(), graded(true), imported]), [])).toBeNull();
    const store = new MemoryStore();
    for (const event of stampEvents([...finishedRunBodies(), graded(true), imported])) await store.append(event);
    expect(await readOwnLessons(store, new AbortController().signal)).toEqual([]);
    expect(await readOwnLessons(store, new AbortController().signal, true)).toHaveLength(1);
  });

  it('is not made from a workflow that the policy cannot write', () => {
    expect(lessonOf(planned([step(0, SUBTASK.verify)]), []), 'nothing to check').toBeNull();
    expect(lessonOf(planned([step(0, SUBTASK.plan)]), []), 'ends without an answer').toBeNull();
    const many = runStarted({
      pool: Array.from({ length: 9 }, (_, index) => poolWorker(index, { id: `sim:${index}` })),
    });
    expect(lessonOf(planned([step(0, SUBTASK.solve)], many), []), 'too many workers').toBeNull();
  });

  it('is made from each stored run that was graded right', async () => {
    const store = new MemoryStore();
    for (const [id, correct] of [
      ['a', true],
      ['b', false],
      ['c', true],
      ['d', null],
    ] as const) {
      for (const event of stampEvents([...finishedRunBodies(), graded(correct)], { runId: id })) {
        await store.append(event);
      }
    }
    const lessons = await readOwnLessons(store, new AbortController().signal);
    expect(lessons).toHaveLength(2);
    await expect(readOwnLessons(store, AbortSignal.abort())).rejects.toThrow();
    const order: TrainingOrder = {
      kind: 'train',
      seed: 1,
      updates: 1,
      loss: 'default',
      start: null,
      own: lessons,
      revision: 'test',
      scale: SMALL_TRAINING,
    };
    expect(readOrder(structuredClone(order)), 'the Web Worker receives the order unchanged').toEqual(order);
  });
});

describe('a training course with the user’s own runs', () => {
  const options = {
    ...DEFAULT_COURSE,
    seed: 5,
    // One update follows the first imitation.
    updates: OWN_RUNS_EVERY + 1,
    pretrainingUpdates: 0,
    requests: 2,
    group: 4,
    items: 6,
    width: 8,
  };
  const society = smallSociety();

  /**
   * Runs a training course.
   * @returns the gradient of each update, and the weights before the first update and after each update
   */
  async function follow(own?: readonly OwnLesson[], from: Partial<CourseOptions> = {}) {
    const course = createCourse(society, { ...options, ...from }, undefined, own);
    const gradients: number[] = [];
    const weights = [await course.parameters()];
    for await (const { gradient } of course.steps(new AbortController().signal)) {
      gradients.push(gradient);
      weights.push(await course.parameters());
    }
    return { gradients, weights };
  }

  it('is reproducible, and differs from a course without own runs only after the first imitation', async () => {
    expect(await useBackend('wasm')).toBe(true);
    const lesson = lessonOf(right(), []);
    if (!lesson) throw new Error('There is no example.');
    const without = await follow();
    expect(await follow([])).toEqual(without);
    const withOwnRuns = await follow([lesson]);
    expect(
      withOwnRuns.gradients.slice(0, OWN_RUNS_EVERY),
      'all gradients up to the first imitation are identical',
    ).toEqual(without.gradients.slice(0, OWN_RUNS_EVERY));
    expect(withOwnRuns.weights.slice(0, OWN_RUNS_EVERY)).toEqual(without.weights.slice(0, OWN_RUNS_EVERY));
    const last = withOwnRuns.weights[OWN_RUNS_EVERY];
    expect(last).not.toEqual(without.weights[OWN_RUNS_EVERY]);
    expect(PARAMETER_NAMES.every((name) => last?.[name].values.every(Number.isFinite))).toBe(true);
    expect(await follow([lesson])).toEqual(withOwnRuns);
  });

  it('makes each imitation step much smaller than the GRPO step before it', async () => {
    expect(await useBackend('wasm')).toBe(true);
    const lesson = lessonOf(right(), []);
    if (!lesson) throw new Error('There is no example.');
    for (const learningRate of [DEFAULT_COURSE.learningRate, 100 * DEFAULT_COURSE.learningRate]) {
      const from = { updates: OWN_RUNS_EVERY, learningRate };
      const [plain, taught] = [await follow([], from), await follow([lesson], from)];
      const [before, after, own] = [plain.weights.at(-2), plain.weights.at(-1), taught.weights.at(-1)];
      if (!before || !after || !own) throw new Error('There are no weights.');
      const moved = distanceBetween(before, after);
      const more = distanceBetween(after, own);
      expect(moved).toBeGreaterThan(0);
      expect(more).toBeGreaterThan(0);
      // The tolerance covers rounding to 32 bits.
      expect(more).toBeLessThanOrEqual(1.001 * OWN_RUNS_SHARE * moved);
    }
  });

  it('imitates the user’s runs without changing the optimizer’s moments for GRPO', async () => {
    expect(await useBackend('wasm')).toBe(true);
    const lesson = lessonOf(right(), []);
    if (!lesson) throw new Error('There is no example.');
    const [inputs, skeletons] = [[lesson.input], [lesson.skeleton]];
    const weightsAfter = async (imitatesBounded: boolean) => {
      const learner = new Learner({ seed: 1, group: 1, size: { width: 8 } });
      await learner.imitate(inputs, skeletons, 1e-2);
      // A step of size 0 leaves the weights unchanged, so only the moments could differ.
      if (imitatesBounded) await learner.imitateBounded(inputs, skeletons, 1e-2, 0);
      await learner.imitate(inputs, skeletons, 1e-2);
      const parameters = await learner.parameters();
      learner.dispose();
      return parameters;
    };
    expect(await weightsAfter(true)).toEqual(await weightsAfter(false));
  });
});
