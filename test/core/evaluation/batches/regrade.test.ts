import { describe, expect, it } from 'vitest';
import type { EvaluationTask } from '../../../../src/core/contract';
import type { UnitGraders } from '../../../../src/core/evaluation/batches/grading';
import { graderFor } from '../../../../src/core/graders/grader-for';
import { openPage, World } from './world';

/** A task of the grader `mathematics`, whose rules have a version. */
const TASKS: readonly EvaluationTask[] = ['7', '8'].map((reference) => ({
  id: `task-${reference}`,
  question: `What makes ${reference}?`,
  reference,
  grader: 'mathematics',
  domain: 'maths',
}));
const ANSWER = 'She pays $5 + $2 = $7.';

/** A grader of the version before versions were stored. It finds no answer to be right. */
const OLD: UnitGraders = {
  graderFor: (_kind, profile) =>
    profile === 'strict' ? { grade: async () => ({ correct: false, detail: 'No final answer was found.' }) } : null,
  checkGradable: async () => null,
};
const CURRENT: UnitGraders = { ...OLD, graderFor: (kind, profile) => graderFor(kind, profile) };

async function finished(graders: UnitGraders): Promise<World> {
  const world = new World(TASKS);
  await world.add();
  await (
    await openPage(world, { graders, answer: () => ANSWER }).runner.start('batch')
  ).done;
  return world;
}
const signal = new AbortController().signal;

describe('a batch whose verdicts come from an older version of a grader', () => {
  it('is graded again without calls, and reports what has changed', async () => {
    const world = await finished(OLD);
    const [calls, before] = [world.calls.length, await world.batches.outcomes('batch')];
    const { runner } = openPage(world, { graders: CURRENT });

    expect(await runner.outdated('batch')).toBe(6);
    expect(await runner.regrade('batch', signal)).toEqual({ checked: 6, nowRight: 3, nowWrong: 0, missing: 0 });

    expect(world.calls).toHaveLength(calls);
    expect(await runner.outdated('batch')).toBe(0);
    expect(await runner.progress('batch')).toMatchObject({ graded: 6, right: 3, done: 6 });
    const after = await world.batches.outcomes('batch');
    expect(after.map(({ verdicts: _, ...rest }) => rest)).toEqual(before.map(({ verdicts: _, ...rest }) => rest));
    expect(after.every(({ verdicts }) => verdicts.strict?.version === 3)).toBe(true);
    expect(after[0]?.verdicts).toHaveProperty('paper-artefact');
    const right = (await world.runs()).filter(({ run }) => run.grade?.correct);
    expect(right).toHaveLength(3);
    expect(right[0]?.events.at(-1)).toMatchObject({ type: 'run-graded', by: 'grader', version: 3 });
  });

  it('keeps the verdict of an answer whose run was deleted', async () => {
    const world = await finished(OLD);
    const [first] = await world.batches.outcomes('batch');
    await world.store.delete(first?.runId ?? '');
    const { runner } = openPage(world, { graders: CURRENT });

    expect(await runner.regrade('batch', signal)).toMatchObject({ checked: 5, missing: 1 });
    expect(await world.batches.outcomes('batch')).toContainEqual(first);
  });

  it('keeps the user’s own grade of a run', async () => {
    const world = await finished(OLD);
    const [first] = await world.batches.outcomes('batch');
    const { runner, runs } = openPage(world, { graders: CURRENT });
    await runs.grade(first?.runId ?? '', false, 'person', 'No.');

    await runner.regrade('batch', signal);

    expect((await runs.open(first?.runId ?? ''))?.run.grade).toMatchObject({ by: 'person', correct: false });
  });

  it('is not graded again while it is running', async () => {
    const world = await finished(OLD);
    await world.locks.tab().acquire('batch:batch');
    await expect(openPage(world, { graders: CURRENT }).runner.regrade('batch', signal)).rejects.toMatchObject({
      fault: { code: 'run-busy' },
    });
  });

  it('keeps the new verdicts so far when it is stopped', async () => {
    const world = await finished(OLD);
    const { runner } = openPage(world, { graders: CURRENT });
    const stop = new AbortController();

    await expect(runner.regrade('batch', stop.signal, () => stop.abort())).rejects.toThrow();

    expect(await runner.outdated('batch')).toBe(5);
  });
});

it('a batch with current verdicts has none to replace', async () => {
  const world = await finished(CURRENT);
  const { runner } = openPage(world, { graders: CURRENT });

  expect(await runner.outdated('batch')).toBe(0);
  expect(await runner.regrade('batch', signal)).toMatchObject({ checked: 0 });
});
