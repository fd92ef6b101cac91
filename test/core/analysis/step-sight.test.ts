import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sightOf } from '../../../src/core/analysis/step-sight';
import { fitPrompt, foldEvents, renderMessages, sourcesOf, workerPrompt, type Run } from '../../../src/core/contract';
import { scriptedRun } from '../../app/scripted-runs';
import { endedRun } from '../../fixtures/run-arbitrary';
import { step } from '../../fixtures/run-events';
import { randomRun, sceneOf } from '../executor/random-scenes';
import { play } from '../executor/scripted';

const keyOf = ({ round, step: index }: { round: number; step: number }) => `${round}.${index}`;

/** Checks for each step that every other step is in exactly one of the lists `seen` and `unseen`, and only once. */
function expectComplete(run: Run) {
  const all = run.rounds.flatMap(({ round, steps }) => steps.map((_, index) => ({ round, step: index })));
  for (const place of all) {
    const sight = sightOf(run, place);
    const listed = [...(sight?.seen ?? []), ...(sight?.unseen ?? [])].map(keyOf);
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed.sort()).toEqual(
      all
        .map(keyOf)
        .filter((key) => key !== keyOf(place))
        .sort(),
    );
  }
}

describe('what a step saw', () => {
  it('lists every other step of the run exactly once, as seen or as unseen', async () => {
    fc.assert(
      fc.property(endedRun(), (events) => {
        const run = foldEvents(events);
        if (run) expectComplete(run);
      }),
    );
    await fc.assert(
      fc.asyncProperty(randomRun, async (drawn) => expectComplete((await play(sceneOf(drawn))).run)),
      { numRuns: 30 },
    );
  });

  it('contains exactly the outputs that the step’s prompt contains', async () => {
    await fc.assert(
      fc.asyncProperty(randomRun, async (drawn) => {
        const { run } = await play(sceneOf(drawn));
        for (const { round, steps } of run.rounds) {
          for (const [index, { attempts }] of steps.entries()) {
            const last = attempts.at(-1);
            if (!last) continue;
            const sent = renderMessages(run, { round, step: index, attempt: last.attempt })?.[0]?.content ?? '';
            const sight = sightOf(run, { round, step: index });
            for (const { output } of sight?.seen ?? []) expect(sent).toContain(output);
            for (const { stepRun } of sight?.unseen ?? [])
              if (stepRun.output) expect(sent).not.toContain(stepRun.output);
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  it('includes the reason why the step could not see another step', () => {
    const run = scriptedRun({
      rounds: [
        { steps: [{ worker: 0, start: 100, end: 200 }], ended: 250, recursed: true },
        {
          planStart: 250,
          steps: [
            { worker: 0, start: 300, end: 400, first: 350 },
            { worker: 1, start: 300, end: 900 },
            { worker: 2, start: 300, end: 350, failed: 'forbidden' },
            { worker: 2, access: [0, 2], start: 500, end: 600 },
            { worker: 1, start: 900, end: 950 },
          ],
        },
      ],
    });
    // In this run, the recorded prompts contain only the question.
    const reasons = (place: { round: number; step: number }) =>
      sightOf(run, place)?.unseen.map((each) => `${keyOf(each)} ${each.reason}`);
    expect(reasons({ round: 1, step: 3 })).toEqual([
      '0.0 earlier-round',
      '1.0 no-output',
      '1.1 parallel',
      '1.2 no-output',
      '1.4 later',
    ]);
    expect(reasons({ round: 1, step: 4 })?.slice(1, 3)).toEqual(['1.0 not-in-access', '1.1 not-in-access']);
    expect(reasons({ round: 0, step: 0 })?.[0]).toBe('1.0 later-round');
  });

  it('is predicted from the plan if the step is not called yet', async () => {
    const { run } = await play({ plan: [step(0, 'a'), step(1, 'b'), step(2, 'c', [1])] });
    const [round] = run.rounds;
    if (!round) throw new Error('no round');
    const steps = round.steps.map((each, index) => (index === 2 ? { ...each, attempts: [], output: null } : each));
    const sight = sightOf({ ...run, rounds: [{ ...round, steps }] }, { round: 0, step: 2 });
    expect(sight).toMatchObject({ wasSent: false, seen: [{ step: 1, output: 'b done' }], unseen: [{ step: 0 }] });
  });

  it('includes an earlier round’s output in the shortened form that the prompt contains', () => {
    const output = 'x'.repeat(5000);
    const run = scriptedRun({
      rounds: [
        { steps: [{ worker: 0, start: 100, first: 110, end: 200, output }], ended: 250, recursed: true },
        { planStart: 250, steps: [{ worker: 1, start: 300, end: 400 }] },
      ],
    });
    const workflow = { steps: [{ ...step(1, 'b'), seesEarlier: true }] };
    const whole = workerPrompt(workflow, 1, 0, undefined, [{ outputs: [output] }]);
    const messages = fitPrompt(whole, sourcesOf(run), { round: 1, room: 600 });
    const rounds = run.rounds.map((round) => ({
      ...round,
      steps: round.steps.map((each) => ({
        ...each,
        attempts: each.attempts.map((attempt) => ({ ...attempt, messages })),
      })),
    }));
    const [seen] = sightOf({ ...run, rounds }, { round: 1, step: 0 })?.seen ?? [];
    expect(seen).toMatchObject({ round: 0, step: 0, isShortened: true });
    expect(seen?.output).toContain('characters left out');
    expect(seen?.output.length).toBeLessThan(output.length);
  });

  it('is null for a step that the run does not have', () => {
    expect(sightOf(scriptedRun({ rounds: [] }), { round: 0, step: 0 })).toBeNull();
  });
});
