import { expect, test } from 'vitest';
import { readProviderWords } from '../../../src/platform/workers/provider-words';
import { custom } from '../../../src/platform/workers/providers/custom';
import { readPiece } from '../../../src/platform/workers/reply';

/** Half a million invalid entries. A schema would collect a problem for each entry, and would then overflow the stack. */
const ZEROS = new Array<number>(500_000).fill(0);

test.each([
  ['choices', { choices: ZEROS }],
  ['parts of the content', { choices: [{ delta: { content: ZEROS } }] }],
  ['reasoning details', { choices: [{ delta: { content: 'Hi', reasoning_details: ZEROS } }] }],
])('an event with half a million %s is rejected as a broken reply', (_, event) => {
  expect(readPiece(event, custom)).toBeNull();
});

test('an error with half a million messages is read as an error without a message', () => {
  expect(readProviderWords({ error: ZEROS }).text).toBe('');
});
