import { describe, expect, it } from 'vitest';
import { createPuzzleGrader, createThumbGrader, firstVerdict } from '../../../src/core/graders';
import type { Grader } from '../../../src/core/contract';

const { signal } = new AbortController();
const SUM = { question: 'What is 17 + 25?' };
const RIDDLE = { question: 'What has keys but opens no lock?' };
const by = (who: 'person' | 'grader', correct: boolean | null) => createThumbGrader({ by: who, correct, detail: '' });

describe('the thumb', () => {
  it('says what a person has said', async () => {
    expect(await by('person', true).grade(RIDDLE, 'A piano.', signal)).toMatchObject({ correct: true });
    expect((await by('person', false).grade(RIDDLE, 'A map.', signal)).detail).toMatch(/wrong/);
  });

  it('has nothing to say where nobody has graded, a grade was taken back, or a grader spoke', async () => {
    for (const thumb of [createThumbGrader(null), by('person', null), by('grader', true)]) {
      await expect(thumb.grade(RIDDLE, 'A piano.', signal)).rejects.toMatchObject({
        fault: { code: 'question-unreadable' },
      });
    }
  });
});

describe('the first verdict', () => {
  const both = (thumb: Grader) => firstVerdict([thumb, createPuzzleGrader()]);

  it('is the person’s, even against the check', async () => {
    expect((await both(by('person', false)).grade(SUM, 'Answer: 42', signal)).correct).toBe(false);
  });

  it('is the check’s where no person spoke', async () => {
    expect((await both(createThumbGrader(null)).grade(SUM, 'Answer: 42', signal)).correct).toBe(true);
    expect((await both(createThumbGrader(null)).grade(SUM, 'Answer: 41', signal)).correct).toBe(false);
  });

  it('is refused where none can judge, and not where one breaks', async () => {
    await expect(both(createThumbGrader(null)).grade(RIDDLE, 'A piano.', signal)).rejects.toMatchObject({
      fault: { code: 'question-unreadable' },
    });
    const broken: Grader = { grade: () => Promise.reject(new Error('broken')) };
    await expect(both(broken).grade(SUM, 'Answer: 42', signal)).rejects.toThrow('broken');
  });

  it('stops when it is told to', async () => {
    await expect(both(createThumbGrader(null)).grade(SUM, '42', AbortSignal.abort())).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});
