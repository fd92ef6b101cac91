import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shrinkDeltas } from '../../../src/core/contract';
import { compareRuns } from '../../../src/platform/store/compare-runs';
import { endedRun } from '../../fixtures/run-arbitrary';

describe('compareRuns', () => {
  it('tells which of two copies of one run goes on where the other stops', () => {
    fc.assert(
      fc.property(endedRun(), fc.nat(), fc.boolean(), (run, pick, shrunk) => {
        const cut = 1 + (pick % run.length);
        const short = run.slice(0, cut);
        // One copy may have been written down while its steps still streamed.
        const whole = shrunk ? shrinkDeltas(run) : run;
        expect(compareRuns(whole, run)).toBe('same');
        expect(compareRuns(whole, short)).toBe(cut === run.length ? 'same' : 'shorter');
        expect(compareRuns(short, whole)).toBe(cut === run.length ? 'same' : 'longer');
      }),
    );
  });

  it('tells copies apart that differ anywhere they both reach', () => {
    fc.assert(
      fc.property(endedRun(), fc.nat(), (run, pick) => {
        const at = pick % run.length;
        const other = run.map((event, index) => (index === at ? { ...event, at: event.at + 1 } : event));
        expect(compareRuns(run, other)).toBe('different');
        expect(compareRuns(run, other.slice(0, at + 1))).toBe('different');
        expect(compareRuns(run.slice(0, at + 1), other)).toBe('different');
      }),
    );
  });

  it('does not mind the order of fields', () => {
    fc.assert(
      fc.property(endedRun(), (run) => {
        const turned = run.map((event) => Object.fromEntries(Object.entries(event).toReversed()) as typeof event);
        expect(compareRuns(run, turned)).toBe('same');
      }),
    );
  });
});
