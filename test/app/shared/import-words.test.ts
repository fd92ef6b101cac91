import { expect, test } from 'vitest';
import { firstMessages, restoreStopped, importSentences } from '../../../src/app/shared/import-words';
import { NOTHING_IMPORTED, type ImportCounts } from '../../../src/core/contract';

const parts = (counts: Partial<ImportCounts>) => [{ counts: { ...NOTHING_IMPORTED, ...counts } }];
const RESTORED = 'Stopped. Everything restored so far is kept, and every run is complete';

test.each([
  ['merge', { updated: 1 }, `${RESTORED}. Nothing was removed.`],
  ['replace', { added: 3 }, `${RESTORED}. Nothing was removed.`],
  [
    'replace',
    { updated: 1 },
    `${RESTORED}. Items that differed now match the file. Items that aren’t in the file are still here.`,
  ],
  [
    'replace',
    { removed: 1 },
    `${RESTORED}. Some items that aren’t in the file were removed. The others are still here.`,
  ],
  [
    'replace',
    { updated: 2, removed: 1 },
    `${RESTORED}. Items that differed now match the file. Some items that aren’t in the file were removed. The others are still here.`,
  ],
] as const)('the message after a stopped restore says what has changed: %s, %o', (mode, counts, wordsOf) => {
  expect(restoreStopped(mode, parts(counts))).toBe(wordsOf);
});

test('shows at most the given number of messages, and counts the remaining ones', () => {
  expect(firstMessages(['a', 'b', 'c'], 3)).toEqual(['a', 'b', 'c']);
  expect(firstMessages(['a', 'b', 'c'], 2)).toEqual(['a', 'b', 'And 1 more message.']);
  expect(firstMessages(['a', 'b', 'c'], 1)).toEqual(['a', 'And 2 more messages.']);
});

test('reports runs with restored images separately from runs that were already stored', () => {
  const wordsOf = (counts: Partial<ImportCounts>) =>
    importSentences({ one: 'run', many: 'runs', counts: { ...NOTHING_IMPORTED, ...counts } });
  expect(wordsOf({ repaired: 1, present: 2 })).toEqual([
    '1 run had lost its images and has them back.',
    '2 runs were already here.',
  ]);
  expect(wordsOf({ repaired: 3 })).toEqual(['3 runs had lost their images and have them back.']);
});
