/**
 * @file Drives one run of the fault matrix to its end and on from there: lets the page's clock pass where the page waits,
 * counts what was called, mends what was wrong and goes on as a person would.
 */
import { FIRST_WORDS, scenario } from '../fixtures/fault-replies';
import { RIGHT_KEY } from '../fixtures/openai-scenarios';
import type { OpenAiServer } from '../fixtures/openai-server';
import { expect, type Podium, type StoredEvent } from './podium';

/** ms; longer than the page waits for a first word, or for the next one. */
const LONG_SILENCE = 121_000;
/** ms between two bytes; shorter than the page waits for the next one. */
const TRICKLE = 10_000;
/** ms; a sentence that stands this long can be read. */
const READABLE = 20_000;

const ENDS: ReadonlySet<string> = new Set(['run-finished', 'run-failed', 'run-cancelled']);

/** What has to happen before the fault shows: the server goes on, or time passes. */
export type Meanwhile = 'cut' | 'silence' | 'silence after words' | 'trickle';

/** Whether a call waits for a limit that time will lift. */
function isWait({ type, delay }: StoredEvent): boolean {
  return type === 'step-waiting' && typeof delay === 'number';
}

/** How often each model was called. */
export interface Calls {
  readonly planner: number;
  readonly steady: number;
  /** Whoever meets the fault. */
  readonly desk: number;
}

/** The way on from a failed run. */
export interface Mending {
  /** Nothing can be changed about the worker, so the step is given to another one. */
  readonly cannotBeMended?: true;
  /** It was a key that was missing. */
  readonly needsKey?: true;
}

export class Rehearsal {
  readonly #podium: Podium;
  readonly #server: OpenAiServer;
  #models: string[] = [];

  /** Counts calls from now on, those that reach nobody included. */
  constructor(podium: Podium, server: OpenAiServer) {
    this.#podium = podium;
    this.#server = server;
    podium.page.on('request', (request) => {
      // Named by the browser though it does not go there; what the server heard is counted apart.
      if (request.redirectedFrom() !== null) return;
      const model = /"model":"([^"]+)"/.exec(request.postData() ?? '')?.[1];
      if (model !== undefined) this.#models.push(model);
    });
  }

  /** Calls since the beginning, or since the way on was taken. */
  get calls(): Calls {
    const count = (model: string) => this.#models.filter((each) => each === model).length;
    return { planner: count('planner'), steady: count('ok@steady'), desk: count('desk') };
  }

  /**
   * Waits until the newest run has ended, and lets time pass wherever the page waits for it.
   * @param from number of the event with which this part of the run begins
   * @returns why the page asked again, each time
   */
  async toItsEnd(meanwhile: Meanwhile | null, from = 0): Promise<string[]> {
    const { page, answer } = this.#podium;
    const heard: string[] = [];
    const before = this.#server.calls('desk').length;
    let silences = 0;
    let waits = 0;
    const goOn = async () => {
      const events = (await this.#podium.storedEvents()).slice(from);
      if (ENDS.has(events.at(-1)?.type ?? '')) return true;
      const wait = events.filter(isWait)[waits];
      const retried = events.filter(({ type }) => type === 'step-retried')[heard.length];
      if (retried) {
        heard.push(await this.#hear(retried));
        await this.#passPause(retried);
      } else if (wait) {
        waits += 1;
        await this.#passPause(wait);
      } else if (meanwhile === 'silence' && this.#server.calls('desk').length - before > silences) {
        silences += 1;
        await page.clock.fastForward(LONG_SILENCE);
      } else if (meanwhile !== null && (await answer.getByText(FIRST_WORDS).isVisible())) {
        if (meanwhile === 'silence after words') await page.clock.fastForward(LONG_SILENCE);
        else this.#server.release();
        if (meanwhile === 'trickle') await page.clock.fastForward(TRICKLE);
      }
      return false;
    };
    await expect.poll(goOn, { intervals: [40], timeout: 30_000 }).toBe(true);
    return heard;
  }

  /**
   * Lets pass what is left of a pause, and no more: on a busy machine it may be over already, and time beyond it would be
   * silence in the answer that comes by now.
   */
  async #passPause({ at, delay }: StoredEvent): Promise<void> {
    const { page } = this.#podium;
    const now = await page.evaluate(() => Date.now());
    await page.clock.fastForward(Math.max(0, Number(at) + Number(delay) - now));
  }

  /** Why a step is asked again; where the pause is long enough to be read, as it stands on the page. */
  async #hear({ fault, delay }: StoredEvent): Promise<string> {
    const message = typeof fault === 'object' && fault !== null && 'message' in fault ? String(fault.message) : '';
    if (Number(delay) >= READABLE) await expect(this.#podium.steps.getByText(`${message} Retrying in `)).toBeVisible();
    return message;
  }

  /** Makes the second step's server well again and goes on with the failed run. @returns what that called */
  async mend({ cannotBeMended, needsKey }: Mending): Promise<string> {
    const { answer } = this.#podium;
    const from = (await this.#podium.storedEvents()).length;
    this.#models = [];
    this.#server.script('desk', scenario(needsKey ? 'wrong-key' : 'ok'));
    if (cannotBeMended) {
      await answer.getByRole('combobox').selectOption({ label: 'Steady' });
      await answer.getByRole('button', { name: 'Continue' }).click();
      await this.#podium.page.getByRole('dialog').getByRole('button', { name: 'Fork' }).click();
      await expect.poll(async () => (await this.#podium.storedTypes()).at(-1)).toBe('run-finished');
      expect(this.calls).toEqual({ planner: 0, steady: 1, desk: 0 });
      const types = await this.#podium.storedTypes();
      expect(types.filter((type) => type === 'step-reused')).toHaveLength(1);
      return '“Continue” with another worker: step 2, once';
    }
    if (needsKey) await answer.getByRole('textbox').fill(RIGHT_KEY);
    const button = needsKey ? 'Save and resume' : 'Try again';
    await answer.getByRole('button', { name: button }).click();
    await this.toItsEnd(null, from);
    expect((await this.#podium.storedEvents()).at(-1)).toMatchObject({ type: 'run-finished', step: 1 });
    expect(this.calls).toEqual({ planner: 0, steady: 0, desk: 1 });
    return `“${button}”: step 2, once`;
  }

  /** Without what differs from day to day. */
  plain(text: string): string {
    return text
      .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1')
      .replaceAll(/, at \d\d:\d\d\./g, ', at 00:00.')
      .replaceAll(/http:\/\/127\.0\.0\.1(?=[ ,.])/g, 'http://127.0.0.1');
  }
}
