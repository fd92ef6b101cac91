import { describe, expect, it } from 'vitest';
import { UnitGrader } from '../../../../src/core/evaluation/batches/grading';
import { proofOf } from '../../../../src/core/lessons/proof';
import { generatedTestTasks, searchPlan, tasksForTest } from '../../../../src/core/lessons/search-plan';
import { applySearchEvent } from '../../../../src/core/lessons/search-state';
import { splitWords } from '../../../../src/core/lessons/search-words';
import { measuredTaskById, measuredTasks, withMeasuredGrader } from '../../../../src/core/lessons/tasks/measured-tasks';
import { GENERATED_TASKS } from '../../../../src/core/lessons/tasks/task-sources';
import { MEASURED_FAMILIES } from '../../../../src/core/measurement/families';
import { exactTasks, EXACT } from '../../evaluation/batches/world';

const { signal } = new AbortController();
const GIVEN = {
  seed: 3,
  start: [],
  lessonTokens: 400,
  caps: { runs: 100, usd: null },
  mode: 'rewrite',
  also: [],
} as const;

describe('generated tasks of the measurement', () => {
  it('are the tasks of the chosen domains, all different, and made again from their ids', () => {
    const tasks = [...measuredTasks(['logic', 'data'], 1, GENERATED_TASKS)];
    expect(new Set(tasks.map(({ question }) => question)).size).toBe(GENERATED_TASKS);
    const labels = MEASURED_FAMILIES.filter(({ domain }) => domain === 'logic' || domain === 'data').map(
      ({ label }) => label,
    );
    expect(new Set(tasks.map(({ group }) => group))).toEqual(new Set(labels));
    expect(tasks.map(({ id }) => measuredTaskById(id))).toEqual(tasks);
    expect(measuredTaskById('measured:no-such-family:1:2')).toBeNull();
  });

  it('are graded by the rules of their family, and other tasks as before', async () => {
    const tasks = [...measuredTasks(['data', 'language'], 1, 60)];
    const graders = withMeasuredGrader(EXACT, tasks);
    const grader = await graders.graderFor('exact', 'strict', null);
    for (const task of tasks) {
      const right = await grader?.grade(task, `I think:\n\n**Answer:** ${task.reference ?? ''}.`, signal);
      expect(right, task.question).toMatchObject({ correct: true });
      expect(await grader?.grade(task, 'Answer: none', signal)).toMatchObject({ correct: false });
    }
    const [other] = exactTasks(1);
    if (!other) throw new Error('There is no task.');
    expect(await grader?.grade(other, other.reference ?? '', signal)).toMatchObject({ correct: true });
    expect(await new UnitGrader(graders, null).refuse(other, signal)).toBeNull();
  });

  it('test a search with too few own tasks, in the domains of these', () => {
    const own = exactTasks(40).map((task) => ({ ...task, domain: 'code' as const }));
    const generated = [...tasksForTest(own, 3)];
    const families = MEASURED_FAMILIES.filter(({ domain }) => domain === 'code' || domain === 'data');
    expect(new Set(generated.map(({ group }) => group))).toEqual(new Set(families.map(({ label }) => label)));
    const plan = searchPlan({ ...GIVEN, own, areOwn: true, generated });
    if (!plan) throw new Error('There are too few tasks.');
    expect(generatedTestTasks(plan, new Set(own.map(({ id }) => id)))).toEqual(generated);
  });

  it('never give a verdict on the user’s questions, also if there are many of them', () => {
    const own = [...measuredTasks(['maths'], 1, 200)];
    const plan = searchPlan({ ...GIVEN, own, areOwn: false, generated: [...tasksForTest(own, 3)] });
    if (!plan) throw new Error('There are too few tasks.');
    expect(plan.split).toMatchObject({ testTasks: 'generated' });
    // Tasks of one family share their wording, and must not be taken for near-equal.
    expect([plan.split.train.length, plan.split.validation.length, plan.split.test.length]).toEqual([50, 50, 100]);
    expect(splitWords(plan.split)).toContain('not proved on your questions');
    let state = applySearchEvent(null, { type: 'search-started', plan });
    state = applySearchEvent(state, {
      type: 'iteration-started',
      iteration: 1,
      parent: 0,
      minibatch: plan.split.train.slice(0, 8),
    });
    state = applySearchEvent(state, { type: 'candidate-proposed', iteration: 1, parent: 0, lessons: ['Be careful.'] });
    state = applySearchEvent(state, { type: 'proof-started', candidate: 1, tasks: plan.split.test, isUnseen: true });
    for (const task of plan.split.test) {
      for (const candidate of [0, 1]) {
        const result = { score: candidate, usd: 0, unpriced: 0, calls: 1 };
        state = applySearchEvent(state, { type: 'run-graded', candidate, task, ...result });
      }
    }
    expect(proofOf(state)).toMatchObject({ verdict: 'better', isOwn: false });
  });
});
