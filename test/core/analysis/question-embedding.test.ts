import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMBEDDING_DIMENSION, questionEmbedding, similarity } from '../../../src/core/analysis/question-embedding';
import { mixSeed, seededRandom } from '../../../src/core/contract';
import { TASK_FAMILIES } from '../../../src/core/tasks';

const anyText = fc.string({ unit: 'binary', maxLength: 200 });
const likeness = (one: string, other: string) => similarity(questionEmbedding(one), questionEmbedding(other));

describe('questionEmbedding', () => {
  it('returns a deterministic vector with a norm of 1 or 0 for any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const vector = questionEmbedding(text);
        expect(vector).toHaveLength(EMBEDDING_DIMENSION);
        expect([...questionEmbedding(text)]).toEqual([...vector]);
        const length = Math.hypot(...vector);
        if (length !== 0) expect(length).toBeCloseTo(1, 5);
      }),
    );
    expect([...questionEmbedding('')].every((value) => value === 0)).toBe(true);
  });

  it('returns the recorded largest values for a known question, because policies were trained with them', () => {
    const vector = questionEmbedding('Use 3, 4, 7 and 8 to reach 53.');
    const places = [...vector.entries()].filter(([, value]) => Math.abs(value) > 0.17);
    expect(places.map(([place, value]) => [place, Number(value.toFixed(3))])).toMatchInlineSnapshot(`
      [
        [
          15,
          0.279,
        ],
        [
          16,
          -0.237,
        ],
        [
          38,
          -0.2,
        ],
        [
          65,
          0.237,
        ],
        [
          98,
          -0.667,
        ],
        [
          194,
          0.279,
        ],
      ]
    `);
  });

  it('ignores case, character width and the values of digits, but not how many digits a number has', () => {
    expect(likeness('WHAT is 12 + 34?', 'what is １２ + 98?')).toBeCloseTo(1, 5);
    expect(likeness('What is 12 + 34?', 'What is 12 + 3456?')).toBeLessThan(0.99);
  });

  it('gives questions of one kind a higher mean similarity than questions of different kinds', () => {
    const groups = TASK_FAMILIES.map((family) =>
      Array.from({ length: 12 }, (_, index) => {
        const random = seededRandom(mixSeed(family.name, index));
        return questionEmbedding(family.generate(random, random()).writeQuestion(random));
      }),
    );
    const mean = (ones: readonly Float32Array[], others: readonly Float32Array[]) => {
      const pairs = ones.flatMap((one) =>
        others.filter((other) => other !== one).map((other) => similarity(one, other)),
      );
      return pairs.reduce((sum, value) => sum + value, 0) / pairs.length;
    };
    for (const [index, group] of groups.entries()) {
      const others = groups.filter((_, other) => other !== index).map((other) => mean(group, other));
      expect(mean(group, group)).toBeGreaterThan(Math.max(...others) + 0.1);
    }
  });

  it('reads only the start of a long text', () => {
    const start = 'What is two plus two? '.repeat(200);
    expect(likeness(start, `${start}${'x'.repeat(1_000_000)}`)).toBeCloseTo(1, 5);
  });

  it('returns a vector whose similarity to a vector of another length is 0', () => {
    expect(similarity(questionEmbedding('a question'), new Float32Array(3).fill(1))).toBe(0);
  });
});
