import { expect, test } from 'vitest';
import { restoreStopped, takenSentences } from '../../../src/app/components/taken-words';
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

test('runs that got images back are told apart from those that lacked nothing', () => {
  const said = (taken: Partial<TakenIn>) =>
    takenSentences({ one: 'run', many: 'runs', taken: { ...NOTHING_TAKEN_IN, ...taken } });
  expect(said({ mended: 1, present: 2 })).toEqual([
    '1 run was here without its images and has them again.',
    '2 runs were here already.',
  ]);
  expect(said({ mended: 3 })).toEqual(['3 runs were here without their images and have them again.']);
});
