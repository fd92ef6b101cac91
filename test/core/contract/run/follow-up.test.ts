import { describe, expect, it } from 'vitest';
import { followUpContext, MOST_CONTEXT } from '../../../../src/core/contract/run/conversation';
import { planRequestOf, questionText, type QuestionContext } from '../../../../src/core/contract';
import { withoutContext } from '../../../../src/core/contract/run/bare-question';
import { runStarted } from '../../../fixtures/run-events';

const context: QuestionContext = { runId: 'run-1', question: 'What is 6 × 7?', answer: 'It is 42.' };

/** Converts a text to UTF-8 and back. The conversion does not preserve half a surrogate pair. */
const storedText = (text = '') => new TextDecoder().decode(new TextEncoder().encode(text));

describe('the context of a follow-up', () => {
  it('contains the question and the answer of the earlier run, after the turns before it', () => {
    const run = {
      isConfidential: false,
      id: 'run-2',
      question: { text: 'Why?', context },
      answer: 'Because 7 × 6 is 42.',
    };
    const turn = { runId: 'run-2', question: 'Why?', answer: 'Because 7 × 6 is 42.' };
    expect(followUpContext(run)).toEqual({ ...turn, earlier: [context], first: 'run-1', turn: 3 });
    const single = { ...run, question: { text: 'Why?' } };
    expect(followUpContext(single)).toEqual({ ...turn, first: 'run-2', turn: 2 });
  });

  it('is null for a run without an answer', () => {
    expect(
      followUpContext({ isConfidential: false, id: 'run-2', question: { text: 'Why?' }, answer: null }),
    ).toBeNull();
    expect(
      followUpContext({ isConfidential: false, id: 'run-2', question: { text: 'Why?' }, answer: ' \n' }),
    ).toBeNull();
  });

  it.each([12_001, 50_000, 1_000_000])(
    'shortens an answer of %i characters to its beginning and end, and limits the length of the question',
    (length) => {
      const answer = `First ${'x'.repeat(length - 10)} end`;
      const shortened = followUpContext({
        isConfidential: false,
        id: 'run-1',
        question: { text: 'q'.repeat(5000) },
        answer,
      });
      expect(shortened?.answer.length).toBeLessThanOrEqual(MOST_CONTEXT.answer);
      expect(shortened?.answer.length).toBeGreaterThan(MOST_CONTEXT.answer - 10);
      expect(shortened?.answer).toMatch(/^First x+\n\[… \d+ characters left out …\]\nx+ end$/);
      const kept = shortened?.answer.replace(/\n\[.*\]\n/, '').length ?? 0;
      expect(Number(/\d+/.exec(shortened?.answer ?? '')?.[0])).toBe(length - kept);
      expect(shortened?.question.length).toBeLessThanOrEqual(MOST_CONTEXT.question);
    },
  );

  it('is never cut in the middle of a surrogate pair', () => {
    const shortened = followUpContext({
      isConfidential: false,
      id: 'run-1',
      question: { text: 'q' },
      answer: '🎼'.repeat(20_000),
    });
    expect(storedText(shortened?.answer)).toBe(shortened?.answer);
    const odd = followUpContext({
      isConfidential: false,
      id: 'run-1',
      question: { text: 'q' },
      answer: `x${'🎼'.repeat(20_000)}`,
    });
    expect(storedText(odd?.answer)).toBe(odd?.answer);
  });
});

describe('the text of a question', () => {
  it('is unchanged without a context', () => {
    expect(questionText({ text: 'What is 2 + 2?' })).toBe('What is 2 + 2?');
    expect(withoutContext('What is 2 + 2?')).toBe('What is 2 + 2?');
  });

  it('includes the earlier question and answer before a follow-up, and `withoutContext` removes them', () => {
    expect(questionText({ text: 'And twice that?', context })).toBe(`<earlier-question>
What is 6 × 7?
</earlier-question>
<earlier-answer>
It is 42.
</earlier-answer>

Follow-up question:
And twice that?`);
    expect(withoutContext(questionText({ text: 'And twice that?', context }))).toBe('And twice that?');
  });

  it('includes all earlier turns in order, and `withoutContext` removes them', () => {
    const earlier = [{ runId: 'run-0', question: 'What is 6?', answer: 'A number.' }];
    const text = questionText({ text: 'And twice that?', context: { ...context, earlier } });
    expect(text).toBe(`<earlier-question>
What is 6?
</earlier-question>
<earlier-answer>
A number.
</earlier-answer>

${questionText({ text: 'And twice that?', context })}`);
    expect(withoutContext(text)).toBe('And twice that?');
  });

  it('does not include the context in a plan request, which has a separate field for it', () => {
    const {
      type: _type,
      schema: _schema,
      ...settings
    } = runStarted({ question: { text: 'And twice that?', context } });
    expect(planRequestOf(settings)).toMatchObject({ question: 'And twice that?', context });
    expect(planRequestOf(runStarted())).not.toHaveProperty('context');
  });
});
