import { describe, expect, it } from 'vitest';
import type { LoadProgress } from '../../../../src/core/contract';
import { Progress } from '../../../../src/platform/engine/transformers/progress';

function watched() {
  let now = 0;
  const updates: LoadProgress[] = [];
  const progress = new Progress(
    (each) => updates.push(each),
    () => now,
  );
  return { progress, updates, pass: (ms: number) => (now += ms) };
}

describe('the progress of a download', () => {
  it('reports bytes and speed, at most ten times a second', () => {
    const { progress, updates, pass } = watched();
    progress.expect(1000, 5000);
    for (let piece = 0; piece < 100; piece++) {
      pass(10);
      progress.arrived(20);
    }
    expect(updates.length).toBeLessThanOrEqual(11);
    expect(updates.at(-1)).toMatchObject({ phase: 'fetching', loaded: 3000, total: 5000, cached: false });
    expect(updates.at(-1)?.speed).toBeCloseTo(2000, 0);
  });

  it('is reported as cached if nothing is downloaded', () => {
    const { progress, updates } = watched();
    progress.expect(5000, 5000);
    progress.enter('loading');
    expect(updates).toEqual([
      { phase: 'fetching', loaded: 5000, total: 5000, speed: null, cached: true },
      { phase: 'loading', loaded: 5000, total: 5000, speed: null, cached: true },
    ]);
  });

  it('raises the total if more bytes arrive than expected', () => {
    const { progress, updates, pass } = watched();
    progress.expect(0, 100);
    pass(200);
    progress.arrived(150);
    expect(updates.at(-1)).toMatchObject({ loaded: 150, total: 150 });
  });
});
