/**
 * @file Tests runs whose page crashes at random moments. After every crash, all stored events can be read,
 * and finished steps are kept. No call is made before the user resumes the run. The resumed run makes calls
 * only for its unfinished plans and steps.
 */
import type { Run } from '../../src/core/contract';
import { CRASHES, crashesOf } from './crash-moments';
import { recordCrash } from './crash-record';
import { test, type CrashRoom } from './crash-room';
import { PARTS, partOfPlan, partOfStep, textOf, type CrashScene, type Part } from './crash-scene';
import { expect } from './podium';
import { readStoredRun, type StoredRun } from './stored-run';

// A retry would crash at another moment and hide the failure of the first attempt.
test.describe.configure({ retries: 0 });

for (let number = 1; number <= CRASHES; number++) {
  test(`finished steps survive crashes of the page, run ${number} of ${CRASHES}`, async ({ room, scene }, info) => {
    const question = `Which is the answer to question ${number}?`;
    room.begin();
    scene.begin();
    let podium = await room.podium();
    await podium.question.fill(question);
    let go = podium.run;
    let stored: StoredRun | null = null;

    for (const moment of crashesOf(number)) {
      const click = go;
      await room.crashAt(moment, scene, () => click.click(), stored?.events.length ?? 0);
      const called = [...scene.received];
      podium = await room.podium();
      stored = await readStoredRun(podium.page);
      if (stored?.run.question.text !== question) stored = null;
      recordCrash(info, { when: moment.when, last: lastBefore(stored) });
      checkStored(stored, room, scene);
      if (stored === null) {
        await podium.question.fill(question);
        go = podium.run;
        continue;
      }
      if (stored.run.status === 'finished') break;
      go = podium.page.getByRole('button', { name: 'Resume' });
      await expect(go).toBeVisible();
      expect(scene.received, 'nothing is called automatically').toEqual(called);
      stored = await readStoredRun(podium.page);
      expect(stored?.run.status).toBe('interrupted');
    }

    const before = new Map(PARTS.map((part) => [part, scene.calls(part)]));
    const finished = finishedParts(stored?.run ?? null);
    if (stored?.run.status !== 'finished') {
      await go.click();
      await room.finished();
      await expect(podium.answer.getByText(textOf('ezra'))).toBeVisible();
    }
    for (const part of PARTS) {
      const again = scene.calls(part) - (before.get(part) ?? 0);
      const isOverloaded = part === 'ben' && before.get(part) === 0;
      expect(again, `calls of ${part} after the click`).toBe(finished.has(part) ? 0 : isOverloaded ? 2 : 1);
    }
    const whole = await readStoredRun(podium.page);
    checkStored(whole, room, scene);
    expect(whole?.run).toMatchObject({ status: 'finished', answer: textOf('ezra') });
    expect([...finishedParts(whole?.run ?? null)].toSorted()).toEqual([...PARTS].toSorted());
    expect(podium.errors).toEqual([]);
  });
}

/** Checks a stored run after a crash at any moment. */
function checkStored(stored: StoredRun | null, room: CrashRoom, scene: CrashScene): void {
  const { run, events, problems } = stored ?? { run: null, events: [], problems: [] };
  expect(problems, 'every event can be read').toEqual([]);
  expect(
    events.map(({ seq }) => seq),
    'without gaps',
  ).toEqual(events.map((_, index) => index));
  const types = new Map(events.map(({ seq, type }) => [seq, type]));
  const lost = [...room.reported].filter(([seq, type]) => types.get(seq) !== type);
  expect(lost, 'every event that was reported as stored is still stored').toEqual([]);
  const finished = finishedParts(run);
  for (const part of finished) {
    if (part !== 'plan 0' && part !== 'plan 1') expect(outputOf(run, part)).toBe(textOf(part));
  }
  const started = startedParts(events);
  for (const part of scene.received) {
    expect(started, 'every call has a started event').toContain(part);
    for (const earlier of neededBy(part))
      expect([...finished], `${part} was called, so ${earlier} must have finished`).toContain(earlier);
  }
}

/** The parts (plans and steps) that must have finished before the given part is called. */
function neededBy(part: Part): readonly Part[] {
  switch (part) {
    case 'plan 0':
      return [];
    case 'ada':
    case 'ben':
      return ['plan 0'];
    case 'cleo':
      return ['plan 0', 'ada', 'ben'];
    case 'plan 1':
      return ['cleo'];
    case 'dora':
      return ['plan 1'];
    case 'ezra':
      return ['dora'];
    default:
      return part satisfies never;
  }
}

function finishedParts(run: Run | null): ReadonlySet<Part> {
  const parts = new Set<Part>();
  for (const { round, plan, steps } of run?.rounds ?? []) {
    if (plan?.status === 'finished') parts.add(partOfPlan(round));
    for (const { index, status } of steps) {
      const part = partOfStep(round, index);
      if (part && status === 'finished') parts.add(part);
    }
  }
  return parts;
}

/**
 * Type of the last event before the crash. Ignores `run-interrupted`, which the next page adds.
 * Empty: there is no event.
 */
function lastBefore(stored: StoredRun | null): string {
  return stored?.events.findLast(({ type }) => type !== 'run-interrupted')?.type ?? '';
}

function startedParts(events: StoredRun['events']): ReadonlySet<Part | undefined> {
  return new Set(
    events.flatMap((event) => {
      if (event.type === 'plan-started') return [partOfPlan('round' in event ? event.round : null)];
      if (event.type === 'step-started' && 'step' in event) return [partOfStep(event.round, event.step)];
      return [];
    }),
  );
}

function outputOf(run: Run | null, part: Part): string | null | undefined {
  return run?.rounds
    .flatMap(({ round, steps }) => steps.map(({ index, output }) => ({ part: partOfStep(round, index), output })))
    .find((each) => each.part === part)?.output;
}
