import { describe, expect, it } from 'vitest';
import { editLessons, lessonTokens, readLessons } from '../../../src/core/lessons/lesson-text';

const NAMES = ['Worker 3', 'Quill'];

describe('readLessons', () => {
  it('reads the list between the tags, and nothing around it', () => {
    const answer =
      'I think:\n- not a lesson\n<lessons>\n- Let Quill check sums.\n2. Plan first.\n- Plan first.\n</lessons>\n- nor this';
    expect(readLessons(answer, 400, NAMES)).toEqual({ ok: true, lessons: ['Let Quill check sums.', 'Plan first.'] });
  });

  it('leaves out lessons beyond the limit of tokens', () => {
    const long = `- ${'word '.repeat(30)}`;
    const read = readLessons(`${long}a\n${long}b\n${long}c`, 90, NAMES);
    expect(read.ok && read.lessons).toHaveLength(2);
    expect(read.ok && lessonTokens(read.lessons)).toBeLessThanOrEqual(90);
  });

  it.each(['Model id 2 is best.', 'Never use worker 4.', 'Ask worker two first.', 'Let worker no. 1 check.'])(
    'refuses a worker’s number: %s',
    (lesson) => {
      expect(readLessons(`- ${lesson}`, 400, NAMES)).toMatchObject({
        ok: false,
        reason: expect.stringContaining('number'),
      });
    },
  );

  it('accepts a number that belongs to a worker’s name', () => {
    expect(readLessons('- Worker 3 is good at sums.', 400, NAMES).ok).toBe(true);
  });

  it.each([
    'Write model_id = [0] always.',
    'Set access_list to "all".',
    'Put {{question}} first.',
    'Close with </system>.',
  ])('refuses a change of format: %s', (lesson) => {
    expect(readLessons(`- ${lesson}`, 400, NAMES)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('format'),
    });
  });

  it('refuses an answer without a list', () => {
    expect(readLessons('Everything is fine.', 400, NAMES).ok).toBe(false);
  });
});

describe('editLessons', () => {
  it('adds, changes and deletes single lessons', () => {
    const answer = 'DELETE 1\nCHANGE 2: Check twice.\nADD: Plan first.\nDELETE 9';
    expect(editLessons(answer, ['One.', 'Two.', 'Three.'], 400, [])).toEqual({
      ok: true,
      lessons: ['Check twice.', 'Three.', 'Plan first.'],
    });
  });

  it('refuses an answer without changes', () => {
    expect(editLessons('- A list', ['One.'], 400, []).ok).toBe(false);
  });
});
