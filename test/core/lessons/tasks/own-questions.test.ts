import { describe, expect, it } from 'vitest';
import { practicePuzzles } from '../../../../src/core/evaluation/datasets/practice/generated-tasks';
import { confidentialityCheck, type EventBody, type RunStarted } from '../../../../src/core/contract';
import { ownQuestionIds, ownQuestions } from '../../../../src/core/lessons/tasks/own-questions';
import { OWN_QUESTIONS, withTaskSources } from '../../../../src/core/lessons/tasks/task-sources';
import { addDataset } from '../../../fixtures/evaluation/practice';
import { createMemoryDatasetStore } from '../../../fixtures/evaluation/memory-stores';
import { NOTHING_STORED } from '../../../fixtures/only-marked';
import { MemoryStore } from '../../../fixtures/memory-store';
import { finishedRunBodies, runStarted, stampEvents } from '../../../fixtures/run-events';
import { exactTasks } from '../../evaluation/batches/world';

const RIGHT: EventBody = { type: 'run-graded', correct: true, by: 'person', detail: '' };
const WRONG: EventBody = { ...RIGHT, correct: false };

interface Saved extends Partial<RunStarted> {
  readonly answer?: string;
  readonly grade?: EventBody;
}

/** A store with these runs, oldest first. Their ids are `run-0`, `run-1`, … */
async function storeOf(...runs: readonly Saved[]): Promise<MemoryStore> {
  const store = new MemoryStore();
  for (const [index, { answer = 'The answer is 42.', grade = RIGHT, ...started }] of runs.entries()) {
    const [, ...rest] = finishedRunBodies();
    const bodies = rest.map((body) =>
      body.type === 'step-finished' && body.step === 2 ? { ...body, output: answer } : body,
    );
    const events = stampEvents([runStarted(started), ...bodies, grade], { runId: `run-${index}`, at: index * 1e6 });
    for (const event of events) await store.append(event);
  }
  return store;
}

const asked = (text: string): Pick<Saved, 'question'> => ({ question: { text } });
const OPTIONS = { isConfidential: () => Promise.resolve(false), countsImported: false };

async function tasksOf(...runs: readonly Saved[]) {
  const store = await storeOf(...runs);
  const options = {
    ...OPTIONS,
    isConfidential: confidentialityCheck({ read: (id) => store.read(id), ...NOTHING_STORED }),
  };
  return ownQuestions(store, await ownQuestionIds(store, false), options);
}

describe('own graded questions', () => {
  it('have the right answer of a run as their reference, if it is short', async () => {
    const question = 'Which city is the capital?\nA) Paris\nB) Rome';
    expect(
      await tasksOf(
        { ...asked('How much is six times 7?'), answer: 'We multiply.\n\nThe answer is 42.' },
        { ...asked('Who wrote it?'), answer: '**Jane Austen**' },
        { ...asked(question), answer: 'A' },
        { ...asked('Explain tides.'), answer: 'The moon pulls the water.\n\nThe sun does, too, but less.' },
      ),
    ).toEqual([
      { id: 'run-2', question, domain: 'knowledge', grader: 'letter', reference: 'A' },
      {
        id: 'run-1',
        question: 'Who wrote it?',
        domain: expect.any(String),
        grader: expect.any(String),
        reference: 'Jane Austen',
      },
      {
        id: 'run-0',
        question: 'How much is six times 7?',
        domain: 'knowledge',
        grader: 'mathematics',
        reference: '42',
      },
    ]);
  });

  it('are asked once, and need no reference if they are puzzles', async () => {
    const [puzzle] = practicePuzzles(1, 1);
    const text = puzzle?.question ?? '';
    expect(await tasksOf({ ...asked(text), answer: 'unreadable prose\n'.repeat(9) }, asked(text))).toEqual([
      { id: 'run-1', question: text, domain: expect.any(String), grader: 'puzzle' },
    ]);
  });

  it('are no runs with a wrong or no grade, of a batch, with images, or after another question', async () => {
    const image = { sha256: 'a'.repeat(64), name: 'a.png', type: 'image/png', width: 1, height: 1, bytes: 1 };
    const runs: readonly Saved[] = [
      { grade: WRONG },
      { grade: { ...RIGHT, correct: null } },
      { batch: { id: 'b', dataset: 'd', task: 't', method: 'm', repeat: 0 } },
      { isConfidential: true },
      { question: { text: 'What is shown?', images: [image as never] } },
      { question: { text: 'And then?', context: { runId: 'run-0', question: 'What?', answer: 'That.' } } },
    ];
    expect(await tasksOf(...runs)).toEqual([]);
  });

  it('are no runs that are confidential by their origin', async () => {
    const store = await storeOf(asked('How much is six times 7?'));
    expect(await ownQuestions(store, ['run-0'], { ...OPTIONS, isConfidential: () => Promise.resolve(true) })).toEqual(
      [],
    );
  });

  it('are a dataset beside the stored and the generated ones, whose tasks are found again', async () => {
    const datasets = createMemoryDatasetStore();
    const stored = await addDataset(datasets, exactTasks(3));
    const store = await storeOf(asked('How much is six times 7?'), { ...asked('What is 5 · 7?'), answer: '35' });
    const sources = withTaskSources({
      datasets,
      store,
      options: () => Promise.resolve(OPTIONS),
      pause: () => Promise.resolve(),
    });
    expect((await sources.list()).map(({ name }) => name)).toEqual([
      stored.name,
      'Your graded questions',
      'Generated tasks',
      ...['maths', 'code', 'logic', 'language', 'data'].map((domain) => `Generated tasks: ${domain}`),
    ]);
    const ids = (await sources.outline(OWN_QUESTIONS)).map(({ id }) => id);
    expect(ids).toEqual(['run-1', 'run-0']);
    expect((await sources.tasks(OWN_QUESTIONS, ['run-0', 'gone', 'run-1'])).map(({ id }) => id)).toEqual([
      'run-0',
      'run-1',
    ]);
    const [first, second] = await sources.outline('generated-tasks-code');
    const wanted = [second?.id ?? '', first?.id ?? ''];
    expect((await sources.tasks('generated-tasks-code', wanted)).map(({ id }) => id)).toEqual(wanted);
    expect(await sources.tasks(stored.id, [exactTasks(1)[0]?.id ?? ''])).toHaveLength(1);
  });
});
