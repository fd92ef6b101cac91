import { expect, test } from 'vitest';
import { restoreStopped } from '../../../src/app/components/taken-words';
import { NOTHING_TAKEN_IN, type TakenIn } from '../../../src/core/contract';

const parts = (taken: Partial<TakenIn>) => [{ taken: { ...NOTHING_TAKEN_IN, ...taken } }];
const CAME = 'Stopped. What had come is here, each run whole';

test.each([
  ['merge', { updated: 1 }, `${CAME}; nothing was taken away.`],
  ['replace', { added: 3 }, `${CAME}; nothing was taken away.`],
  [
    'replace',
    { updated: 1 },
    `${CAME}. What differed is now as in the file. What the file does not hold is still here.`,
  ],
  ['replace', { removed: 1 }, `${CAME}. Some of what the file does not hold was removed, the rest is still here.`],
  [
    'replace',
    { updated: 2, removed: 1 },
    `${CAME}. What differed is now as in the file. Some of what the file does not hold was removed, the rest is still here.`,
  ],
] as const)('a stopped %s that took in %o says what became of what was here', (mode, taken, said) => {
  expect(restoreStopped(mode, parts(taken))).toBe(said);
});
