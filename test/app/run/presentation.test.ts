import { describe, expect, test } from 'vitest';
import { sceneAt, stagesOf, stopsOf } from '../../../src/app/run/presentation';
import { Timeline } from '../../../src/app/run/timeline';
import { finishedRunBodies, stampEvents } from '../../fixtures/run-events';

const timeline = new Timeline(stampEvents(finishedRunBodies()));
const run = timeline.run;
if (!run) throw new Error('The run is missing.');
const scenes = stopsOf(run).map((stop) => sceneAt(timeline.runAt(timeline.positionAt(stop))));

describe('a presentation', () => {
  test('stops at the plan, then at the end of each step, then at the answer', () => {
    expect(scenes[0]).toEqual({ kind: 'plan', round: 0 });
    expect(scenes.slice(1, -1).every(({ kind }) => kind === 'step')).toBe(true);
    expect(scenes.filter(({ kind }) => kind === 'step').length).toBeGreaterThanOrEqual(2);
    expect(scenes.at(-1)).toEqual({ kind: 'answer' });
  });

  test('shows the scene of the plan even before a plan exists', () => {
    expect(sceneAt(null)).toEqual({ kind: 'plan', round: 0 });
    expect(sceneAt(timeline.runAt(1))).toEqual({ kind: 'plan', round: 0 });
  });

  test('groups steps that can run in parallel', () => {
    expect(run.rounds.map(stagesOf)).toEqual([[[0, 1], [2]]]);
  });
});
