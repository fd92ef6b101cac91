import { gridSum } from '../../../../src/core/measurement/families/maths/grid-sum';
import { describeFamily } from './describe-family';

describeFamily(gridSum, (_, { question }) => {
  // Reads the grid from the question, and improves the sums from the end of the grid until none of them changes.
  const rows = (question.split('\n\n')[1] ?? '').split('\n').map((line) => line.split(' ').map(Number));
  const sums = rows.map((row) => row.map(() => -Infinity));
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (const [y, row] of rows.entries()) {
      for (const [x, value] of row.entries()) {
        const isLast = y === rows.length - 1 && x === row.length - 1;
        const rest = isLast ? 0 : Math.max(sums[y]?.[x + 1] ?? -Infinity, sums[y + 1]?.[x] ?? -Infinity);
        const line = sums[y];
        if (!line || value + rest <= (line[x] ?? 0)) continue;
        line[x] = value + rest;
        isChanged = true;
      }
    }
  }
  return String(sums[0]?.[0]);
});
