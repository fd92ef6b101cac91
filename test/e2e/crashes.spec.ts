/**
 * @file Tests runs whose page crashes at random moments. After every crash, all stored events can be read,
 * and finished steps are kept. No call is made before the user resumes the run. The resumed run makes calls
 * only for its unfinished plans and steps.
 */
import { crashesOf } from '../fixtures/crash-moments';
import { finishedParts, lossesOf, PARTS, textOf } from '../fixtures/crash-run';
import { recordCrash } from './crash-record';
import { CRASH_SEED, test } from './crash-room';
import { expect } from './podium';
import { readStoredRun, type StoredRun } from './stored-run';

test.use({ quick: false });

/** More crashes, of a Web Worker in place of a page, are in `test/composition/crashes.long.browser.test.ts`. */
const CRASHES = 20;

// A retry would crash at another moment and hide the failure of the first attempt.
test.describe.configure({ retries: 0 });

const NOTHING = { events: [], run: null };

for (let number = 1; number <= CRASHES; number++) {
  test(`finished steps survive crashes of the page, run ${number} of ${CRASHES}`, async ({ room, scene }, info) => {
    const question = `Which is the answer to question ${number}?`;
    room.begin();
    scene.begin();
    let podium = await room.podium();
    await podium.question.fill(question);
    let go = podium.run;
    let stored: StoredRun | null = null;

    for (const moment of crashesOf(CRASH_SEED, number)) {
      const click = go;
      await room.crashAt(moment, scene, () => click.click(), stored?.events.length ?? 0);
      const called = [...scene.received];
      podium = await room.podium();
      stored = await readStoredRun(podium.page);
      if (stored?.run.question.text !== question) stored = null;
      recordCrash(info, { when: moment.when, last: lastBefore(stored) });
      expect(stored?.problems ?? [], 'every event can be read').toEqual([]);
      expect(lossesOf(stored ?? NOTHING, room.reported, scene.received)).toEqual([]);
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
    expect(lossesOf(whole ?? NOTHING, room.reported, scene.received)).toEqual([]);
    expect(whole?.run).toMatchObject({ status: 'finished', answer: textOf('ezra') });
    expect([...finishedParts(whole?.run ?? null)].toSorted()).toEqual([...PARTS].toSorted());
    expect(podium.errors).toEqual([]);
  });
}

/**
 * Type of the last event before the crash. Ignores `run-interrupted`, which the next page adds.
 * Empty: there is no event.
 */
function lastBefore(stored: StoredRun | null): string {
  return stored?.events.findLast(({ type }) => type !== 'run-interrupted')?.type ?? '';
}
