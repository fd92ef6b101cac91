/** @file Tests ticks, axes, clipped labels, and the CSV of a plot. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axisOf, clipped, evenly, placeLabels, roundTicks, widthOf } from '../../../../src/app/ui/plots/axis';
import { plotAsCsv } from '../../../../src/app/ui/plots/save-plot';

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

describe('the labels of points', () => {
  it('never cover each other, and are left out where no place is free', () => {
    const within = { left: 38, right: 360, top: 16, bottom: 240 };
    const spot = fc.record({
      x: fc.double({ min: 38, max: 346, noNaN: true }),
      y: fc.double({ min: 16, max: 240, noNaN: true }),
      text: fc.string({ minLength: 1, maxLength: 18 }),
    });
    fc.assert(
      fc.property(fc.array(spot, { maxLength: 60 }), (spots) => {
        const boxes = placeLabels(spots, within).flatMap((label, index) => {
          if (!label) return [];
          const width = widthOf(spots[index]?.text ?? '');
          const left = label.anchor === 'start' ? label.x : label.x - width;
          return [{ left, right: left + width, y: label.y }];
        });
        boxes.forEach((one, index) => {
          for (const other of boxes.slice(index + 1)) {
            expect(one.left < other.right && other.left < one.right && Math.abs(one.y - other.y) < 16).toBe(false);
          }
        });
      }),
    );
    expect(placeLabels([{ x: 100, y: 100, text: 'Alone' }], within)[0]).not.toBeNull();
  });

  it('of a logarithmic axis with many powers of ten have room between them', () => {
    const { ticks, place } = axisOf([1e-7, 100], String, 300);
    const places = ticks.map(place);
    places.slice(1).forEach((at, index) => expect(at - (places[index] ?? 0)).toBeGreaterThan(60));
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
