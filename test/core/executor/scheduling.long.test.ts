/**
 * @file Tests invariants of runs with random workflows, timings and faults.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEvent, type Run, type RunEvent } from '../../../src/core/contract';
import { randomRun, sceneOf, type RandomRun } from './random-scenes';
import { ofType, outline, play } from './scripted';

/** All tests use the same random runs, so each run is played only once. */
const seed = Math.floor(Math.random() * 2 ** 31);
const played = new Map<string, ReturnType<typeof play>>();

function playOnce(random: RandomRun): ReturnType<typeof play> {
  const key = JSON.stringify(random);
  const result = played.get(key) ?? play(sceneOf(random));
  played.set(key, result);
  return result;
}

async function everyRun(check: (events: readonly RunEvent[], run: Run) => void) {
  await fc.assert(
    fc.asyncProperty(randomRun, async (random) => {
      const { events, run } = await playOnce(random);
      check(events, run);
    }),
    { numRuns: 150, seed },
  );
}

describe('every run', () => {
  it('numbers its events without gaps, and has one end event, which comes last', () =>
    everyRun((events) => {
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
      const ends = events.filter(({ type }) => ['run-finished', 'run-failed', 'run-cancelled'].includes(type));
      expect(ends).toEqual([events.at(-1)]);
    }));

  it('never starts the same attempt of a step twice', () =>
    everyRun((events) => {
      const starts = outline(events).filter((line) => line.startsWith('step-started'));
      expect(starts).toHaveLength(new Set(starts).size);
    }));

  it('starts a step only after each step that it sees has an output', () =>
    everyRun((events) => {
      let run: Run | null = null;
      for (const event of events) {
        run = applyEvent(run, event);
        if (event.type !== 'step-started') continue;
        const steps = run?.rounds[event.round]?.steps;
        for (const seen of steps?.[event.step]?.step.access ?? []) expect(steps?.[seen]?.output).not.toBeNull();
      }
    }));

  it('ends or discards each started attempt exactly once', () =>
    everyRun((events) => {
      const ends = ['step-retried', 'step-finished', 'step-failed', 'step-cancelled'];
      for (const { round, step, attempt } of ofType(events, 'step-started')) {
        const key = ` ${round}.${step}.${attempt}`;
        const lines = outline(events).filter((line) => line.endsWith(key));
        const ended = lines.filter((line) => ends.some((end) => line.startsWith(end)));
        expect(ended.length || lines.filter((line) => line.startsWith('step-discarded')).length).toBe(1);
      }
    }));

  it('emits deltas that add up to exactly the output and the reasoning of each finished step', () =>
    everyRun((events) => {
      for (const { round, step, attempt, output, reasoning } of ofType(events, 'step-finished')) {
        const own = ofType(events, 'step-delta').filter(
          (delta) => delta.round === round && delta.step === step && delta.attempt === attempt,
        );
        const joined = (channel: string) =>
          own.flatMap((delta) => (delta.channel === channel ? delta.text : [])).join('');
        expect([joined('content'), joined('reasoning')]).toEqual([output, reasoning]);
      }
    }));

  it('ends without queued or running steps', () =>
    everyRun((_, run) => {
      const open = run.rounds.flatMap(({ steps }) => steps.filter(({ status }) => OPEN.has(status)));
      expect(open).toEqual([]);
    }));
});

const OPEN = new Set(['queued', 'running']);
