/**
 * @file Drives a run of the fault matrix: advances the page's clock while the page waits, and
 * counts the calls. After the run has ended, it fixes the fault and resumes the run like a user.
 */
import { FIRST_WORDS, scenario } from '../fixtures/fault-replies';
import { RIGHT_KEY } from '../fixtures/openai-scenarios';
import type { OpenAiServer } from '../fixtures/openai-server';
import { expect, type Podium, type StoredEvent } from './podium';

/** A pause of at least this length leaves the test enough time to read the pause's message, ms. */
const READABLE = 20_000;

const ENDS: ReadonlySet<string> = new Set(['run-finished', 'run-failed', 'run-cancelled']);

/** Whether the event starts a wait of known length, for example for a rate limit. */
function isWait({ type, delay }: StoredEvent): boolean {
  return type === 'step-waiting' && typeof delay === 'number';
}

/** Number of calls for each model. */
export interface Calls {
  readonly planner: number;
  readonly steady: number;
  /** Calls to the worker with the fault. */
  readonly desk: number;
}

export class Rehearsal {
  readonly #podium: Podium;
  readonly #server: OpenAiServer;
  #models: string[] = [];

  /** Counts calls from now on, including those that reach no server. */
  constructor(podium: Podium, server: OpenAiServer) {
    this.#podium = podium;
    this.#server = server;
    podium.page.on('request', (request) => {
      // After a redirect, the browser also reports a request to the new address, which is never sent.
      if (request.redirectedFrom() !== null) return;
      const model = /"model":"([^"]+)"/.exec(request.postData() ?? '')?.[1];
      if (model !== undefined) this.#models.push(model);
    });
  }

  /** Calls since the beginning, or since the run was resumed. */
  get calls(): Calls {
    const count = (model: string) => this.#models.filter((each) => each === model).length;
    return { planner: count('planner'), steady: count('ok@steady'), desk: count('desk') };
  }

  /**
   * Waits until the newest run has ended. Advances the page's clock whenever the page waits for time to pass.
   * @param isCut whether the server cuts the answer off once the page shows its first words
   * @param from index of the first stored event to consider
   * @returns the reason for each retry
   */
  async runToEnd(isCut: boolean, from = 0): Promise<string[]> {
    const { answer } = this.#podium;
    const received: string[] = [];
    let waits = 0;
    const proceed = async () => {
      const events = (await this.#podium.storedEvents()).slice(from);
      if (ENDS.has(events.at(-1)?.type ?? '')) return true;
      const wait = events.filter(isWait)[waits];
      const retried = events.filter(({ type }) => type === 'step-retried')[received.length];
      if (retried) {
        received.push(await this.#describe(retried));
        await this.#passPause(retried);
      } else if (wait) {
        waits += 1;
        await this.#passPause(wait);
      } else if (isCut && (await answer.getByText(FIRST_WORDS).isVisible())) {
        this.#server.release();
      }
      return false;
    };
    await expect.poll(proceed, { intervals: [40], timeout: 30_000 }).toBe(true);
    return received;
  }

  /**
   * Advances the clock to the end of a pause. Any further time would count as silence in the next
   * answer. On a busy machine, the pause may already be over.
   */
  async #passPause({ at, delay }: StoredEvent): Promise<void> {
    const { page } = this.#podium;
    const now = await page.evaluate(() => Date.now());
    await page.clock.fastForward(Math.max(0, Number(at) + Number(delay) - now));
  }

  /** The reason for a retry. If the pause is long enough, the page must also show it. */
  async #describe({ fault, delay }: StoredEvent): Promise<string> {
    const message = typeof fault === 'object' && fault !== null && 'message' in fault ? String(fault.message) : '';
    if (Number(delay) >= READABLE) await expect(this.#podium.steps.getByText(`${message} Retrying in `)).toBeVisible();
    return message;
  }

  /**
   * Fixes the second step and resumes the failed run.
   * @returns the button and the repeated step, for the matrix
   */
  async fixAndResume(needsKey: boolean): Promise<string> {
    const { answer } = this.#podium;
    const from = (await this.#podium.storedEvents()).length;
    this.#models = [];
    this.#server.script('desk', scenario(needsKey ? 'wrong-key' : 'ok'));
    if (needsKey) await answer.getByRole('textbox').fill(RIGHT_KEY);
    const button = needsKey ? 'Save and resume' : 'Try again';
    await answer.getByRole('button', { name: button }).click();
    await this.runToEnd(false, from);
    expect((await this.#podium.storedEvents()).at(-1)).toMatchObject({ type: 'run-finished', step: 1 });
    expect(this.calls).toEqual({ planner: 0, steady: 0, desk: 1 });
    return `“${button}”: step 2, once`;
  }
}
