import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha256Hex, tokensOf } from '../../../../src/core/contract';
import { partsOf, partsWithin, unitOf, withParts } from '../../../../src/core/contract/run/file-parts';
import { questionFile } from '../../../fixtures/memory-images';

const lines = questionFile(Array.from({ length: 3000 }, (_, index) => `${index},value`).join('\n'));
const pages = questionFile('One\f\nTwo\f\nThree\f\nFour');

describe('the parts of a file', () => {
  test('are its pages, or end at ends of lines', () => {
    expect(partsOf(pages.text)).toEqual(['One', '\nTwo', '\nThree', '\nFour']);
    const parts = partsOf(lines.text);
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.slice(0, -1).every((part) => part.endsWith('\n') && part.length <= 8001)).toBe(true);
    expect([unitOf(pages), unitOf(lines)]).toEqual(['page', 'part']);
  });

  test('are together the whole text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), fc.nat(1000), (text, times) => {
        const whole = text.replaceAll('\f', '').repeat(times);
        expect(partsOf(whole).join('')).toBe(whole);
      }),
    );
  });

  test('can be kept, which names them', () => {
    expect(withParts(pages, [0, 3])).toBe(pages);
    expect(withParts(pages, [1, 2])).toEqual({
      ...pages,
      text: '\nTwo\f\nThree',
      hash: sha256Hex('\nTwo\f\nThree'),
      part: 'pages 2–3 of 4',
    });
    expect(withParts(withParts(pages, [1, 3]), [0, 0]).part).toBe('pages 2–4 of 4, page 1 of 3');
  });

  test('that fit are the longest beginning of the file, but at least one part', () => {
    const whole = tokensOf(lines);
    const [, last] = partsWithin(lines, whole / 2);
    expect(tokensOf(withParts(lines, [0, last]))).toBeLessThanOrEqual(whole / 2);
    expect(tokensOf(withParts(lines, [0, last + 1]))).toBeGreaterThan(whole / 2);
    expect(partsWithin(lines, 0)).toEqual([0, 0]);
    expect(partsWithin(lines, whole)).toEqual([0, partsOf(lines.text).length - 1]);
  });
});
