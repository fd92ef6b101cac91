import { describe, expect, test } from 'vitest';
import { renderPrompt, workerPrompt, type PromptMessage, type PromptSources } from '../../../../src/core/contract';
import { segmentsOf } from '../../../../src/app/shared/steps/prompt-segments';
import { step } from '../../../fixtures/run-events';

const workflow = { steps: [step(0, 'Solve it'), step(1, 'Solve it again'), step(2, 'Decide', [0, 1])] };
const sources: PromptSources = {
  question: 'What is it?',
  subtask: (_round, index) => workflow.steps[index]?.subtask,
  output: (_round, index) => `<b>output</b>\n\nof ${index}`,
};

const segmented = (message: PromptMessage | undefined, own: { round: number; step: number } | null) => {
  if (!message) throw new Error('no message');
  return segmentsOf(message, own, sources);
};

describe('the prompt of a step that sees two earlier steps', () => {
  const [message] = workerPrompt(workflow, 0, 2);
  const segments = segmented(message, { round: 0, step: 2 });

  test('has segments that together equal the text that was sent', () => {
    const sent = message && renderPrompt([message], sources)[0]?.content;
    expect(segments.map(({ text }) => text).join('')).toBe(sent);
  });

  test('has one segment for each quoted step, including the tags of the quotation', () => {
    const quoted = segments.filter(({ from }) => from !== null);
    expect(quoted.map(({ from }) => from?.step)).toEqual([0, 1]);
    expect(quoted[0]?.text).toBe(
      '<earlier-subtask number="1">\nSolve it\n</earlier-subtask>\n<response number="1">\n<b>output</b>\n\nof 0\n</response>\n',
    );
  });

  test('does not mark the step’s own subtask as a quotation', () => {
    expect(segments.at(-1)?.from).toBeNull();
    expect(segments.at(-1)?.text).toContain('Decide');
  });
});

test('a quotation includes adjacent text only if this text consists of tags', () => {
  const literal = (text: string) => ({ kind: 'literal' as const, text });
  const message: PromptMessage = {
    role: 'user',
    parts: [literal('Look:\n<a>\n'), { kind: 'output', round: 0, step: 0 }, literal('</a> Now go on.')],
  };
  expect(segmented(message, null)).toEqual([
    { text: 'Look:\n<a>\n', from: null },
    { text: '<b>output</b>\n\nof 0', from: { round: 0, step: 0 } },
    { text: '</a> Now go on.', from: null },
  ]);
});

test('throws if a part of a prompt refers to a missing step', () => {
  const message: PromptMessage = { role: 'user', parts: [{ kind: 'subtask', round: 0, step: 9 }] };
  expect(() => segmented(message, null)).toThrow('step 10');
});
