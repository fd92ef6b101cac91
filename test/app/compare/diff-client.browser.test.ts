import { expect, it } from 'vitest';
import { diffTexts } from '../../../src/app/compare/diff-client';

const { signal } = new AbortController();

it('says that the comparison failed when its Web Worker throws, and compares the next texts', async () => {
  const notText: unknown = null;
  const failing = diffTexts(notText as string, 'a', signal);
  await expect(failing).rejects.toMatchObject({
    fault: { message: expect.stringMatching(/^Couldn’t compare the texts/), retryable: true },
  });
  expect(await diffTexts('a', 'a', signal)).toEqual([{ kind: 'same', text: 'a' }]);
});
