import { describe, expect, it } from 'vitest';
import { renderPrompt, workerPrompt, type PromptSources, type Workflow } from '../../../../src/core/contract';

const workflow: Workflow = {
  steps: [
    { worker: 0, subtask: 'Solve it.', access: [] },
    { worker: 1, subtask: 'Solve it another way.', access: [] },
    { worker: 2, subtask: 'Decide.', access: [0, 1] },
  ],
};
const sources: PromptSources = {
  question: 'What is 2 + 2?',
  subtask: (round, step) => (round === 1 ? workflow.steps[step]?.subtask : undefined),
  output: (round, step) => (round === 1 ? ['Four.', '4'][step] : undefined),
};

describe('workerPrompt', () => {
  it('contains only the question and the subtask if the step sees no other step', () => {
    expect(renderPrompt(workerPrompt(workflow, 1, 0), sources)).toEqual([
      {
        role: 'user',
        content: `You solve one subtask within an overall task. Other models work on its other subtasks.

<overall-task>
What is 2 + 2?
</overall-task>

Your subtask:

<subtask>
Solve it.
</subtask>`,
      },
    ]);
  });

  it('contains the subtask and the response of each step that the step sees', () => {
    expect(renderPrompt(workerPrompt(workflow, 1, 2), sources)[0]?.content)
      .toBe(`You solve one subtask within an overall task. Other models work on its other subtasks.

<overall-task>
What is 2 + 2?
</overall-task>

What was done before you:

<earlier-subtask number="1">
Solve it.
</earlier-subtask>
<response number="1">
Four.
</response>

<earlier-subtask number="2">
Solve it another way.
</earlier-subtask>
<response number="2">
4
</response>

Your subtask:

<subtask>
Decide.
</subtask>`);
  });

  it('has placeholders for the question and the subtasks until it is rendered', () => {
    const text = JSON.stringify(workerPrompt(workflow, 1, 2));
    expect(text).not.toContain('Solve it');
    expect(text).not.toContain('Decide');
    expect(text).not.toContain('2 + 2');
  });

  it('throws if the workflow has no such step', () => {
    expect(() => workerPrompt(workflow, 0, 3)).toThrow(RangeError);
  });
});
