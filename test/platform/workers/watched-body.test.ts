/** @file Tests how much of a response body is decoded at once. */
import { describe, expect, test } from 'vitest';
import { PageYield } from '../../../src/platform/workers/page-yield';
import { watchBody } from '../../../src/platform/workers/watched-body';
import { FakeClock } from '../../fixtures/fake-clock';

/** Sends the text as a single chunk. Returns the pieces that `watchBody` passes to the decoder. */
async function piecesOf(text: string): Promise<string[]> {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
  const { stream } = watchBody(body, {
    wait: (promise) => promise,
    pageYield: new PageYield(new FakeClock()),
    most: 2 ** 30,
    tooLong: () => new Error('too long'),
  });
  const pieces: string[] = [];
  const decoder = new TextDecoder();
  for await (const piece of stream) pieces.push(decoder.decode(piece));
  return pieces;
}

describe('a watched body', () => {
  test.each([
    ['comments', ': ping\n\n'],
    ['blank lines', '\n\n'],
    ['comments with carriage returns', ': ping\r\n\r\n'],
  ])('is decoded in pieces of at most 64 events if one chunk contains 20,000 %s', async (_, event) => {
    const text = event.repeat(20_000);
    const pieces = await piecesOf(text);
    expect(pieces.join('')).toBe(text);
    for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(64 * event.length);
  });

  test('is decoded 64 KiB at a time if its events are long', async () => {
    const text = `data: ${'a'.repeat(300_000)}\n\n`;
    const pieces = await piecesOf(text);
    expect(pieces.join('')).toBe(text);
    expect(pieces).toHaveLength(5);
  });
});
