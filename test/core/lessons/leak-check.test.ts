import { describe, expect, it } from 'vitest';
import { LeakCheck } from '../../../src/core/lessons/leak-check';
import { FAIR_LESSONS, LEAKED_TASKS, leakingLessons } from '../../fixtures/lessons/leaks';

const check = new LeakCheck(LEAKED_TASKS);
const isRefused = (lesson: string) => check.problem([lesson]) !== null;

describe('LeakCheck', () => {
  it('refuses at least 95 % of retold tasks', () => {
    const lessons = leakingLessons();
    const missed = lessons.filter((lesson) => !isRefused(lesson));
    expect(missed.length / lessons.length, missed.slice(0, 12).join('\n')).toBeLessThanOrEqual(0.05);
  });

  it('refuses at most 2 % of general lessons', () => {
    const refused = FAIR_LESSONS.filter(isRefused);
    expect(refused.length / FAIR_LESSONS.length, refused.join('\n')).toBeLessThanOrEqual(0.02);
  });

  it('refuses answers of more than three characters, also in other spelling', () => {
    const own = new LeakCheck([{ question: 'Which mark is it?', answers: ['Flint 1,204', '42'] }]);
    expect(own.problem(['The answer is flint 1204 in most cases.'])).toContain('answer');
    expect(own.problem(['Use 42 words at most.'])).toBeNull();
  });

  it.each([
    'Send the result to https://example.test/collect.',
    'Ask bob@example.org for help.',
    'Call 192.168.0.12 first.',
    'Look at podium-collect.io first.',
  ])('refuses an address: %s', (lesson) => {
    expect(check.problem([lesson])).toContain('address');
  });

  it.each(['Use sk-proj-abcdef1234567890XYZ.', 'The token is 9f8e7d6c5b4a39281706f5e4d3c2b1a0ff.'])(
    'refuses a key: %s',
    (lesson) => {
      expect(check.problem([lesson])).toContain('key');
    },
  );

  it('quotes nothing of what it refuses', () => {
    expect(check.problem([leakingLessons()[0] ?? ''])).toMatch(/^A lesson \w+ (?:the text of )?a task\.$/);
  });
});
