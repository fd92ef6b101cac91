/**
 * @file Tests that a resumed run has the same result as an uninterrupted run, wherever it was interrupted.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEvent, type Run, type RunEvent } from '../../../src/core/contract';
import { MemoryStore } from '../../fixtures/memory-store';
import { randomRun, sceneOf } from './random-scenes';
import { fold, ofType, outline, play } from './scripted';

/** Folds the events, and marks the run as interrupted. Another tab does this after the run's tab is closed. */
function interrupt(events: readonly RunEvent[]): Run {
  const last = events.at(-1);
  if (!last) throw new Error('Nothing has begun.');
  return applyEvent(fold(events), { ...stampOf(last), seq: last.seq + 1, type: 'run-interrupted' });
}

function stampOf({ runId, at, segment, elapsed, seq }: RunEvent) {
  return { runId, at, segment, elapsed, seq };
}

function finishedSteps(run: Run): string[] {
  return run.rounds.flatMap(({ round, steps }) =>
    steps.filter(({ output }) => output !== null).map(({ index, output }) => `${round}.${index}: ${output}`),
  );
}

function startedKeys(events: readonly RunEvent[]): string[] {
  return ofType(events, 'step-started').map(({ round, step, attempt }) => `${round}.${step}.${attempt}`);
}

describe('resuming', () => {
  it('gives the same answer and the same finished steps after an interruption at any event', async () => {
    await fc.assert(
      fc.asyncProperty(randomRun, async (random) => {
        const whole = await play(sceneOf(random));
        for (let length = 1; length <= whole.events.length; length++) {
          const before = whole.events.slice(0, length);
          const prior = interrupt(before);
          const resumed = await play({ ...sceneOf(random), prior: { kind: 'resume', run: prior }, store: anyStore() });
          const where = `after ${outline(before).at(-1)} (event ${length - 1})\n${outline(resumed.events).join('\n')}`;
          expect(resumed.run.status, where).toBe(whole.run.status);
          expect(resumed.run.answer, where).toBe(whole.run.answer);
          expect(finishedSteps(resumed.run), where).toEqual(finishedSteps(whole.run));
          const keys = startedKeys([...before, ...resumed.events]);
          expect(keys, where).toHaveLength(new Set(keys).size);
          expect(resumed.events[0], where).toMatchObject({ type: 'run-resumed', seq: prior.lastSeq + 1, segment: 1 });
        }
      }),
      { numRuns: 30 },
    );
  });

  it('does not call a step again if it has an output and its plan was finished', async () => {
    await fc.assert(
      fc.asyncProperty(randomRun, async (random) => {
        const whole = await play(sceneOf(random));
        for (let length = 1; length <= whole.events.length; length += 3) {
          const prior = interrupt(whole.events.slice(0, length));
          const resumed = await play({ ...sceneOf(random), prior: { kind: 'resume', run: prior }, store: anyStore() });
          const called = new Set(ofType(resumed.events, 'step-started').map(({ round, step }) => `${round}.${step}`));
          for (const { round, plan, steps } of prior.rounds) {
            if (plan?.status !== 'finished') continue;
            for (const { index, output } of steps)
              if (output !== null) expect(called).not.toContain(`${round}.${index}`);
          }
        }
      }),
      { numRuns: 20 },
    );
  });
});

/** A store that accepts any event. A real store would reject a resumed run, because the run's first part is missing. */
function anyStore() {
  const store = new MemoryStore();
  store.append = () => Promise.resolve();
  return store;
}
