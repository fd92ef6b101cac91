import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchesOf } from '../../../../src/platform/engine/sentence/batches';

const texts = fc.array(
  fc.oneof(
    fc.string(),
    fc.integer({ min: 0, max: 9000 }).map((length) => 'x'.repeat(length)),
  ),
  {
    maxLength: 100,
  },
);

test('puts every text into exactly one batch, shortest first, within the batch limits', () => {
  fc.assert(
    fc.property(texts, (given) => {
      const batches = batchesOf(given);
      const places = batches.flat().map(({ place }) => place);
      expect(places.toSorted((one, other) => one - other)).toEqual(given.map((_, place) => place));
      const lengths = batches.flat().map(({ text }) => text.length);
      expect(lengths).toEqual(lengths.toSorted((one, other) => one - other));
      for (const batch of batches) {
        const longest = Math.max(...batch.map(({ text }) => text.length));
        expect(batch.length === 1 || batch.length * longest <= 8000).toBe(true);
        expect(batch.length).toBeLessThanOrEqual(16);
        for (const { place, text } of batch) expect(given[place]?.startsWith(text)).toBe(true);
      }
    }),
  );
});

test('truncates a long text to 4,000 characters', () => {
  expect(batchesOf(['x'.repeat(100_000)])[0]?.[0]?.text).toHaveLength(4000);
});
