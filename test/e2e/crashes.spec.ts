/**
 * @file Tests runs whose page crashes several times, at random moments. After every crash, all stored events can be read, and
 * finished steps are kept. No call is made before the user resumes the run. The resumed run makes calls only for its unfinished
 * plans and steps.
 */
import { crashesInTurn } from '../fixtures/crash-moments';
import { finishedParts, lossesOf, PARTS, textOf, type Part } from '../fixtures/crash-run';
import { recordCrash } from './crash-record';
import { CRASH_SEED, test } from './crash-room';
import { expect, type Podium } from './podium';
import { readStoredRun, type StoredRun } from './stored-run';

test.use({ quick: false });

/** More crashes, of a Web Worker in place of a page, are in `test/composition/crashes.long.browser.test.ts`. */
const CRASHES = 20;
const CRASHES_PER_TEST = 10;

// A retry would crash at another moment and hide the failure of the first attempt.
test.describe.configure({ retries: 0 });

const NOTHING = { events: [], run: null };

for (let first = 1; first <= CRASHES; first += CRASHES_PER_TEST) {
  const title = `finished steps survive crashes ${first} to ${first + CRASHES_PER_TEST - 1} of ${CRASHES} of the page`;
  test(title, async ({ room, scene }, info) => {
    let runs = 0;
    let question = '';
    /** The run as it was before it was started or resumed the last time. */
    let stored: StoredRun | null = null;
    let called: readonly Part[] = [];
    const begin = () => {
      question = `Which is the answer to question ${first} ${'again '.repeat(runs++)}?`;
      stored = null;
      room.begin();
      scene.begin();
    };
    const expectWhole = async (podium: Podium) => {
      const whole = await readStoredRun(podium.page);
      expect(lossesOf(whole ?? NOTHING, room.reported, scene.received)).toEqual([]);
      expect(whole?.run).toMatchObject({ status: 'finished', answer: textOf('ezra') });
      expect([...finishedParts(whole?.run ?? null)].toSorted()).toEqual([...PARTS].toSorted());
    };
    /** The button that starts or resumes the run. */
    const ready = async (podium: Podium) => {
      called = [...scene.received];
      if (stored === null) await podium.question.fill(question);
      return stored === null ? podium.run : podium.page.getByRole('button', { name: 'Resume' });
    };

    begin();
    let podium = await room.podium();
    for (const moment of crashesInTurn(CRASH_SEED, first, CRASHES_PER_TEST)) {
      const go = await ready(podium);
      const finished = finishedParts(stored?.run ?? null);
      await room.crashAt(moment, scene, () => go.click(), stored?.events.length ?? 0);
      const again = scene.received.slice(called.length).filter((part) => finished.has(part));
      expect(again, 'no finished part is called again').toEqual([]);
      called = [...scene.received];

      podium = await room.podium();
      stored = await readStoredRun(podium.page);
      if (stored?.run.question.text !== question) stored = null;
      recordCrash(info, { when: moment.when, last: lastBefore(stored) });
      expect(stored?.problems ?? [], 'every event can be read').toEqual([]);
      expect(lossesOf(stored ?? NOTHING, room.reported, scene.received)).toEqual([]);
      if (stored === null) continue;
      if (stored.run.status === 'finished') {
        await expectWhole(podium);
        begin();
        continue;
      }
      await expect(podium.page.getByRole('button', { name: 'Resume' })).toBeVisible();
      expect(scene.received, 'nothing is called automatically').toEqual(called);
      stored = await readStoredRun(podium.page);
      expect(stored?.run.status).toBe('interrupted');
    }

    const go = await ready(podium);
    const before = new Map(PARTS.map((part) => [part, scene.calls(part)]));
    const finished = finishedParts(stored?.run ?? null);
    await go.click();
    await room.finished();
    await expect(podium.answer.getByText(textOf('ezra'))).toBeVisible();
    for (const part of PARTS) {
      const again = scene.calls(part) - (before.get(part) ?? 0);
      const isOverloaded = part === 'ben' && before.get(part) === 0;
      expect(again, `calls of ${part} after the click`).toBe(finished.has(part) ? 0 : isOverloaded ? 2 : 1);
    }
    await expectWhole(podium);
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
