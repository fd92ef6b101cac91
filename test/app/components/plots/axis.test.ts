/** @file Tests ticks, axes, clipped labels, and the CSV of a plot. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axisOf, clipped, evenly, roundTicks, widthOf } from '../../../../src/app/components/plots/axis';
import { plotAsCsv } from '../../../../src/app/components/plots/csv';

describe('an axis', () => {
  it('is logarithmic if all values are positive and the largest is many times the smallest', () => {
    expect(axisOf([1, 7], String, 100).isLog).toBe(false);
    expect(axisOf([0, 700], String, 100).isLog).toBe(false);
    const log = axisOf([0.001, 0.1], String, 100);
    expect(log.isLog).toBe(true);
    expect(log.place(0.01)).toBeCloseTo(50, 6);
  });

  it('has round ticks from 0 that cover the largest value', () => {
    expect(roundTicks(3.2)).toEqual([0, 1, 2, 3, 4]);
    expect(roundTicks(0)).toEqual([0, 1]);
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), fc.integer({ min: 2, max: 6 }), (most, count) => {
        const ticks = roundTicks(most, count);
        expect(ticks[0]).toBe(0);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(most * 0.999_999);
        expect(ticks.length).toBeLessThanOrEqual(count + 2);
      }),
    );
  });

  it('labels evenly spread positions, always including both ends', () => {
    expect(evenly(9, 4)).toEqual([0, 3, 6, 9]);
    expect(evenly(1, 5)).toEqual([0, 1]);
    expect(evenly(0, 5)).toEqual([0]);
  });

  it('shortens a label that is wider than the space for it', () => {
    expect(clipped('Alder', 100)).toBe('Alder');
    const short = clipped('Mixture of Agents', 60);
    expect(short).toMatch(/^Mix.*…$/);
    expect(widthOf(short)).toBeLessThanOrEqual(60);
  });
});

describe('the CSV of a plot', () => {
  it('has unrounded numbers, quotes texts that contain commas or quotes, and puts an apostrophe before formulas', () => {
    const table = {
      header: [
        { name: 'Worker', isNumber: false },
        { name: 'Share, low', isNumber: true },
      ],
      rows: [
        ['=SUM(A1)', { value: 0.123456, text: '12 %' }],
        ['a "b"', null],
      ],
    };
    expect(plotAsCsv(table)).toBe('Worker,"Share, low"\r\n\'=SUM(A1),0.123456\r\n"a ""b""",\r\n');
  });
});
