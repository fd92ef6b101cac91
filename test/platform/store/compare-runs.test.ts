import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shrinkDeltas, type StoredEvent } from '../../../src/core/contract';
import { compareRuns, withoutMarks } from '../../../src/platform/store/compare-runs';
import { endedRun } from '../../fixtures/run-arbitrary';

/** Generates random runs without marks at their end. A mark is an event about one stored copy of the run. */
const unmarkedRun = () => endedRun().map(withoutMarks);

/** Returns the events with which a browser marks its copy of a run as imported or interrupted. */
function marksAfter(events: readonly StoredEvent[], types: readonly ('run-imported' | 'run-interrupted')[]) {
  const { runId = '', seq = 0, segment = 0, elapsed = 0 } = events.at(-1) ?? {};
  return types.map((type, index): StoredEvent => ({ type, runId, seq: seq + 1 + index, at: 9e12, segment, elapsed }));
}

describe('compareRuns', () => {
  it('reports whether the second copy is the same as the first, shorter or longer', () => {
    fc.assert(
      fc.property(unmarkedRun(), fc.nat(), fc.boolean(), (run, pick, shrunk) => {
        const cut = 1 + (pick % run.length);
        const short = run.slice(0, cut);
        // The text of deltas is removed when an attempt ends. A copy that was saved earlier still has the text.
        const whole = shrunk ? shrinkDeltas(run) : run;
        expect(compareRuns(whole, run)).toBe('same');
        expect(compareRuns(whole, short)).toBe(cut === run.length ? 'same' : 'shorter');
        expect(compareRuns(short, whole)).toBe(cut === run.length ? 'same' : 'longer');
      }),
    );
  });

  it('reports copies as different if an event in their common part differs', () => {
    fc.assert(
      fc.property(unmarkedRun(), fc.nat(), (events, pick) => {
        // `compareRuns` ignores `run-interrupted` events at the end, so a change in one would not count.
        const run = events.filter(({ type }) => type !== 'run-interrupted');
        const at = pick % run.length;
        const other = run.map((event, index) => (index === at ? { ...event, at: event.at + 1 } : event));
        expect(compareRuns(run, other)).toBe('different');
        expect(compareRuns(run, other.slice(0, at + 1))).toBe('different');
        expect(compareRuns(run.slice(0, at + 1), other)).toBe('different');
      }),
    );
  });

  it('ignores the order of fields', () => {
    fc.assert(
      fc.property(unmarkedRun(), (run) => {
        const turned = run.map((event) => Object.fromEntries(Object.entries(event).toReversed()) as typeof event);
        expect(compareRuns(run, turned)).toBe('same');
      }),
    );
  });

  it('ignores marks at the end of a copy', () => {
    const marks = fc.array(fc.constantFrom('run-imported' as const, 'run-interrupted' as const), { maxLength: 3 });
    fc.assert(
      fc.property(unmarkedRun(), fc.nat(), marks, marks, (run, pick, here, there) => {
        const short = run.slice(0, 1 + (pick % run.length));
        const isWhole = short.length === run.length;
        const marked = [...short, ...marksAfter(short, here)];
        const whole = [...run, ...marksAfter(run, there)];
        expect(compareRuns(marked, whole)).toBe(isWhole ? 'same' : 'longer');
        expect(compareRuns(whole, marked)).toBe(isWhole ? 'same' : 'shorter');
      }),
    );
  });
});
