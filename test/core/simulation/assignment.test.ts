import { describe, expect, it } from 'vitest';
import { questionText, renderPrompt, workerPrompt, type Message } from '../../../src/core/contract';
import { SUBTASK } from '../../../src/core/conductor/wording';
import { readAssignment } from '../../../src/core/simulation/assignment';

const workflow = {
  steps: [
    { worker: 0, subtask: SUBTASK.solve, access: [] },
    { worker: 1, subtask: SUBTASK.verify, access: [0] },
    { worker: 2, subtask: SUBTASK.decide, access: [0, 1] },
  ],
};

function messages(at: number, outputs: readonly string[], question = 'What is 2 + 2?'): Message[] {
  return renderPrompt(workerPrompt(workflow, 0, at), {
    question,
    subtask: (_, step) => workflow.steps[step]?.subtask,
    output: (_, step) => outputs[step],
  });
}

describe('`readAssignment`', () => {
  it('reads the task, earlier steps, subtask and role from a worker’s prompt', () => {
    expect(readAssignment(messages(2, ['It is **4**.\n\nReally.', 'Step 1: right.']))).toEqual({
      task: 'What is 2 + 2?',
      earlier: [
        { number: 1, role: 'solve', subtask: SUBTASK.solve, response: 'It is **4**.\n\nReally.' },
        { number: 2, role: 'verify', subtask: SUBTASK.verify, response: 'Step 1: right.' },
      ],
      subtask: SUBTASK.decide,
      role: 'decide',
    });
  });

  it('skips the earlier question and answer of a follow-up', () => {
    const context = { runId: 'run-1', question: 'What is 2 + 2?', answer: '4' };
    const requested = questionText({ text: 'What is 3 + 3?', context });
    expect(readAssignment(messages(0, [], requested)).task).toBe('What is 3 + 3?');
  });

  it('returns no earlier steps if the prompt shows none', () => {
    expect(readAssignment(messages(0, [])).earlier).toEqual([]);
  });

  it('keeps an earlier step whose response is empty', () => {
    expect(readAssignment(messages(1, [''])).earlier[0]?.response).toBe('');
  });

  it('reads a prompt quoted in a response as part of the response', () => {
    const quoting = messages(1, ['4'])[0]?.content ?? '';
    const { earlier } = readAssignment(messages(2, [`I was asked:\n${quoting}`, 'Step 1: right.']));
    expect(earlier.map(({ number, role }) => [number, role])).toEqual([
      [1, 'solve'],
      [2, 'verify'],
    ]);
  });

  // In quadratic time, the test would exceed its timeout.
  it('reads 100,000 unclosed steps in linear time', () => {
    for (const unclosed of ['<earlier-subtask number="1">\n', '<earlier-subtask number="1">\nx\n</earlier-subtask>']) {
      const content = `<overall-task>\nx\n</overall-task>\n${unclosed.repeat(100_000)}<subtask>\ny\n</subtask>`;
      expect(readAssignment([{ role: 'user', content }])).toMatchObject({ earlier: [], subtask: 'y' });
    }
  });

  it('treats a message in another format as the task and the subtask', () => {
    expect(readAssignment([{ role: 'user', content: 'What is 2 + 2?' }])).toEqual({
      task: 'What is 2 + 2?',
      earlier: [],
      subtask: 'What is 2 + 2?',
      role: 'solve',
    });
    expect(readAssignment([])).toMatchObject({ task: '', earlier: [] });
  });
});
