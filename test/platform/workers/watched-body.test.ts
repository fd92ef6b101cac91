/** @file Tests how much of a response body is decoded at once. */
import { expect, test } from 'vitest';
import { PageYield } from '../../../src/platform/workers/page-yield';
import { watchBody } from '../../../src/platform/workers/watched-body';
import { FakeClock } from '../../fixtures/fake-clock';

test('a body is decoded 64 KiB at a time, and no character is lost between two pieces', async () => {
  const text = `data: ${'ä€🎼'.repeat(30_000)}\n\n`;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
  const watch = {
    wait: <T>(promise: Promise<T>) => promise,
    pageYield: new PageYield(new FakeClock()),
    most: 2 ** 30,
    tooLong: () => new Error('too long'),
  };
  const pieces: string[] = [];
  for await (const piece of watchBody(body, watch)) pieces.push(piece);
  expect(pieces.join('')).toBe(text);
  for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(2 ** 16);
});
