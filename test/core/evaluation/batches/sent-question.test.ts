import { describe, expect, it } from 'vitest';
import { domainOf } from '../../../../src/core/analysis/domain';
import { GRADER_KINDS, type EvaluationTask } from '../../../../src/core/contract';
import { answerInstruction, sentQuestion, hasTagTasks } from '../../../../src/core/evaluation/batches/sent-question';
import { EASY, HELD_OUT } from '../../analysis/domain-questions';
import { exactTasks, openPage, World, type PageOptions } from './world';

const TAGGED_GRADERS = ['letter', 'mathematics', 'rlpr', 'python'] as const;
const task = (more: Partial<EvaluationTask> = {}): EvaluationTask => ({
  id: 'one',
  question: 'How many?',
  reference: '7',
  grader: 'mathematics',
  domain: 'maths',
  ...more,
});

describe('the question that methods receive', () => {
  it.each(GRADER_KINDS)('is the dataset’s question if the batch sets no answer format (grader: %s)', (grader) => {
    expect(sentQuestion(task({ grader }), {})).toBe('How many?');
  });

  it('requests answer tags (<answer>) only with the graders in `TAGGED_GRADERS`', () => {
    for (const grader of GRADER_KINDS) {
      const sent = sentQuestion(task({ grader }), { answerFormat: 'answer-tags' });
      expect(sent.startsWith('How many?'), grader).toBe(true);
      expect(sent.includes('</answer>'), grader).toBe(TAGGED_GRADERS.some((tagged) => tagged === grader));
    }
  });

  it.each(TAGGED_GRADERS)('has the same domain with and without the request for answer tags (grader: %s)', (grader) => {
    const labelled = [EASY, HELD_OUT].flatMap((questions) => Object.values(questions).flat());
    // Some domain rules match across line breaks. Each of these texts nearly matches such a rule, so appended
    // text could complete the match.
    const partial = ['', 'hello', 'What is 7?', 'How long is it? 3', 'It costs $a^', 'Say `this', 'SELECT', 'Add 3 *'];
    const changed = [...labelled, ...partial].filter((question) => {
      const sent = sentQuestion(task({ grader, question }), { answerFormat: 'answer-tags' });
      return domainOf(sent) !== domainOf(question);
    });
    expect(changed).toEqual([]);
  });

  it('requests no answer tags for AIME and GPQA, because the paper’s code requests none', () => {
    expect(answerInstruction({ grader: 'mathematics', artefactRules: 'aime' })).toBe('');
    expect(answerInstruction({ grader: 'letter', artefactRules: 'gpqa' })).toBe('');
  });
});

describe('hasTagTasks', () => {
  const puzzle = task({ grader: 'puzzle' });
  const aime = task({ artefactRules: 'aime' });
  const fits = async (tasks: readonly EvaluationTask[]) => {
    const world = new World(tasks.map((each, index) => ({ ...each, id: `task-${index}` })));
    const { plan } = await world.add();
    return { plan, world, found: await hasTagTasks(plan, world.datasets) };
  };

  it.each<[boolean, string, readonly EvaluationTask[]]>([
    [true, 'mathematics', [task()]],
    [true, 'a mathematics task after many AIME tasks', [...Array.from({ length: 30 }, () => aime), task()]],
    [false, 'AIME', [aime]],
    [false, 'GPQA', [task({ grader: 'letter', artefactRules: 'gpqa' })]],
    [false, 'programs with unit tests', [task({ grader: 'unittest' })]],
    [false, 'puzzles', [puzzle, puzzle]],
  ])('returns %s for a batch with the tasks “%s”', async (expected, _tasks, tasks) => {
    expect((await fits(tasks)).found).toBe(expected);
  });

  it('returns null if a dataset is missing and no task of the other datasets requests answer tags', async () => {
    const { plan, world } = await fits([puzzle]);
    const gone = plan.datasets.map((dataset) => ({ ...dataset, id: 'gone' }));
    expect(await hasTagTasks({ datasets: [...gone, ...plan.datasets] }, world.datasets)).toBeNull();
    const other = await fits([task()]);
    expect(await hasTagTasks({ datasets: [...gone, ...other.plan.datasets] }, other.world.datasets)).toBe(true);
  });
});

describe('a batch that asks for answer tags', () => {
  const mathematics = exactTasks(1).map((each): EvaluationTask => ({ ...each, grader: 'mathematics' }));
  const play = async (world: World, id: string, options: PageOptions = {}) => {
    const { runner, close } = openPage(world, options);
    const { status } = await (await runner.start(id)).done;
    close();
    return status;
  };

  it('reuses the runs of another batch only if that batch also asks for answer tags', async () => {
    const world = new World(mathematics);
    await world.add({}, 'plain');
    expect(await play(world, 'plain')).toBe('finished');
    const plain = [...world.calls];
    expect(plain.every((call) => !call.includes('<answer>'))).toBe(true);

    await world.add({ answerFormat: 'answer-tags' }, 'tagged');
    expect(await play(world, 'tagged')).toBe('finished');
    const tagged = world.calls.slice(plain.length);
    expect(tagged).toHaveLength(plain.length);
    expect(tagged.every((call) => call.includes('<answer>'))).toBe(true);

    await world.add({ answerFormat: 'answer-tags' }, 'same');
    expect(await play(world, 'same')).toBe('finished');
    expect(world.calls).toHaveLength(2 * plain.length);
  });

  it('continues after a crash without repeating calls, and every question still asks for answer tags', async () => {
    const world = new World(mathematics);
    await world.add({ answerFormat: 'answer-tags', concurrency: 1 });
    const first = openPage(world, { crashAt: ({ type }) => type === 'run-finished' });
    await first.runner.start('batch');
    await first.crashed;
    first.close();
    expect(await play(world, 'batch')).toBe('finished');
    const runs = await world.runs();
    expect(runs).toHaveLength(3);
    expect(runs.every(({ run }) => run.question.text.includes('<answer>'))).toBe(true);
    // Each single worker is called once. The Mixture of Agents makes three calls.
    expect(world.calls).toHaveLength(5);
  });
});
