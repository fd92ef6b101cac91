import { expect, test } from 'vitest';
import { restoreStopped, importSentences } from '../../../src/app/components/import-words';
import { NOTHING_TAKEN_IN, type TakenIn } from '../../../src/core/contract';

const parts = (taken: Partial<TakenIn>) => [{ taken: { ...NOTHING_TAKEN_IN, ...taken } }];
const CAME = 'Stopped. Everything restored so far is kept, and every run is complete';

test.each([
  ['merge', { updated: 1 }, `${CAME}. Nothing was removed.`],
  ['replace', { added: 3 }, `${CAME}. Nothing was removed.`],
  [
    'replace',
    { updated: 1 },
    `${CAME}. Items that differed now match the file. Items that aren’t in the file are still here.`,
  ],
  ['replace', { removed: 1 }, `${CAME}. Some items that aren’t in the file were removed. The others are still here.`],
  [
    'replace',
    { updated: 2, removed: 1 },
    `${CAME}. Items that differed now match the file. Some items that aren’t in the file were removed. The others are still here.`,
  ],
] as const)('a stopped %s that took in %o says what became of what was here', (mode, taken, said) => {
  expect(restoreStopped(mode, parts(taken))).toBe(said);
});

test('distinguishes runs that got images back from unchanged ones', () => {
  const said = (taken: Partial<TakenIn>) =>
    importSentences({ one: 'run', many: 'runs', taken: { ...NOTHING_TAKEN_IN, ...taken } });
  expect(said({ mended: 1, present: 2 })).toEqual([
    '1 run had lost its images and has them back.',
    '2 runs were already here.',
  ]);
  expect(said({ mended: 3 })).toEqual(['3 runs had lost their images and have them back.']);
});
