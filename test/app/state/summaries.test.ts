import { describe, expect, test } from 'vitest';
import { matchesFilter } from '../../../src/app/state/run-filter';
import { addPage, putSummary, without } from '../../../src/app/state/summaries';
import { runSummary } from '../run-summaries';

const three = [30, 20, 10].map((startedAt) => runSummary({ id: `at-${startedAt}`, startedAt }));
const ids = (summaries: readonly { id: string }[]) => summaries.map(({ id }) => id);

describe('the list', () => {
  test('appends a page without known runs', () => {
    const page = [runSummary({ id: 'at-10', startedAt: 10, correct: true }), runSummary({ id: 'at-5', startedAt: 5 })];
    const grown = addPage(three, page);
    expect(ids(grown)).toEqual(['at-30', 'at-20', 'at-10', 'at-5']);
    expect(grown[2]?.correct).toBeNull();
  });

  test.each([
    [40, ['new', 'at-30', 'at-20', 'at-10']],
    [25, ['at-30', 'new', 'at-20', 'at-10']],
    [1, ['at-30', 'at-20', 'at-10', 'new']],
  ])('inserts a run of %i in order', (startedAt, order) => {
    expect(ids(putSummary(three, runSummary({ id: 'new', startedAt })))).toEqual(order);
  });

  test('replaces an older summary of the same run', () => {
    const put = putSummary(three, runSummary({ id: 'at-20', startedAt: 20, correct: true }));
    expect(ids(put)).toEqual(['at-30', 'at-20', 'at-10']);
    expect(put[1]?.correct).toBe(true);
  });

  test('removes a run', () => {
    expect(ids(without(three, 'at-20'))).toEqual(['at-30', 'at-10']);
  });
});

describe('the filter', () => {
  const summary = runSummary({ question: 'Reach 812 from 2 and 100', conductor: 'Debate', workers: ['Cedar'] });

  test.each([
    ['', true],
    ['812', true],
    ['REACH 100', true],
    ['debate', true],
    ['cedar 812', true],
    ['cedar 813', false],
    ['birch', false],
  ])('finds “%s”: %s', (words, found) => {
    expect(matchesFilter(summary, { words, show: 'all' })).toBe(found);
  });

  test('distinguishes grades and ends', () => {
    const shown = (more: Parameters<typeof runSummary>[0], show: Parameters<typeof matchesFilter>[1]['show']) =>
      matchesFilter(runSummary(more), { words: '', show });
    expect(shown({ correct: true }, 'right')).toBe(true);
    expect(shown({ correct: true }, 'wrong')).toBe(false);
    expect(shown({ correct: false }, 'wrong')).toBe(true);
    expect(shown({ correct: null }, 'ungraded')).toBe(true);
    expect(shown({ correct: null, status: 'failed' }, 'ungraded')).toBe(false);
    expect(shown({ status: 'failed' }, 'failed')).toBe(true);
    expect(shown({ status: 'interrupted' }, 'failed')).toBe(false);
    expect(shown({ status: 'cancelled' }, 'cancelled')).toBe(true);
  });
});
