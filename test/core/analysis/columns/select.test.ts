import { describe, expect, it } from 'vitest';
import { select } from '../../../../src/core/analysis/columns/select';
import { workerRoleFigure } from '../../../../src/core/analysis/figures/workers';
import { ALL_RUNS } from '../../../../src/core/contract';
import { columnsOf, dataOf, indexedRuns } from '../figures/indexed-runs';

describe('a filter by worker and role', () => {
  it('selects the same number of graded runs as the plot shows for that worker and role', () => {
    const { columns: table, selection } = columnsOf(indexedRuns(300));
    const { rows, columns: roles } = dataOf(workerRoleFigure(table, selection));
    for (const { worker, cells } of rows) {
      for (const [index, role] of roles.entries()) {
        const found = selection.slice();
        select(table, { ...ALL_RUNS, workers: [worker], roles: [role], grades: ['right', 'wrong'] }, found);
        expect(found.reduce((sum, mark) => sum + mark, 0)).toBe(cells[index]?.n ?? 0);
      }
    }
  });
});
