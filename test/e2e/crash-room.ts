/**
 * @file The browser context of the crash tests. It is set up once and outlives its pages. The pages report which events
 * are on disk.
 */
import type { BrowserContext } from '@playwright/test';
import type { CrashMoment } from '../fixtures/crash-moments';
import { WORKERS } from '../fixtures/crash-run';
import { STANDING, watchStorage, type StoredMark } from '../fixtures/watch-storage';
import { crashOf, type Crash } from './crashing';
import { CrashScene, modelOf, PLANNER } from './crash-scene';
import { Podium, test as base } from './podium';
import { storePreferences } from './store-preferences';

/** The seed of the moments. playwright.config.ts sets it for all processes of a test run. */
export const CRASH_SEED = Number(process.env.CRASH_SEED ?? 0);

interface WorkerFixtures {
  scene: CrashScene;
  room: CrashRoom;
}

export const test = base.extend<object, WorkerFixtures>({
  scene: [async ({ server }, use) => use(new CrashScene(server)), { scope: 'worker' }],
  room: [
    async ({ browser, server, scene: _scene }, use, info) => {
      const { baseURL } = info.project.use;
      const context = await browser.newContext({
        serviceWorkers: 'block',
        viewport: VIEWPORT,
        ...(baseURL ? { baseURL } : {}),
      });
      const room = new CrashRoom(context);
      await room.setUp(server.url);
      await use(room);
      await context.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

/** A small page is drawn faster. */
const VIEWPORT = { width: 480, height: 480 };
/** Time between two drawings of a page, ms. Frequent drawings would take half of the tests’ processor time. */
const FRAME = 250;

/** Runs in the page. Lets it draw rarely. */
function slowFrames(ms: number): void {
  window.requestAnimationFrame = (draw) => window.setTimeout(() => draw(performance.now()), ms);
  window.cancelAnimationFrame = (handle) => window.clearTimeout(handle);
}

class CrashRoom {
  readonly #context: BrowserContext;
  #open: { readonly podium: Podium; readonly crash: Crash } | null = null;
  /** Types of the current run's events that pages have reported as stored, by event number. */
  #stored = new Map<number, string>();
  #listeners: (() => void)[] = [];

  constructor(context: BrowserContext) {
    this.#context = context;
  }

  async setUp(address: string): Promise<void> {
    await this.#context.exposeFunction('reportStored', (events: StoredMark[]) => {
      for (const [seq, type] of events) this.#stored.set(seq, type);
      for (const listener of this.#listeners) listener();
    });
    await this.#context.addInitScript(watchStorage);
    await this.#context.addInitScript(slowFrames, FRAME);
    const podium = await this.podium();
    await podium.storeWorkers(...[...WORKERS, PLANNER].map((name) => ({ address, model: modelOf(name), name })));
    await storePreferences(podium.page, {
      pool: WORKERS.map((name) => `w-${name}`),
      conductor: `endpoint:w-${PLANNER}`,
      recursion: true,
    });
    await podium.page.reload();
  }

  /** The open page, or a new one after a crash. */
  async podium(): Promise<Podium> {
    if (this.#open) return this.#open.podium;
    const page = await this.#context.newPage();
    const podium = new Podium(page);
    this.#open = { podium, crash: await crashOf(page) };
    await podium.open();
    return podium;
  }

  /** Discards the reports about an earlier run. */
  begin(): void {
    this.#stored.clear();
  }

  /** Numbers and types of the events that pages have reported as stored. */
  get reported(): ReadonlyMap<number, string> {
    return this.#stored;
  }

  /** Resolves when the run's last event is on disk. */
  async finished(): Promise<void> {
    await this.#until(() => [...this.#stored.values()].includes('run-finished'));
  }

  /**
   * Starts or resumes a run, and crashes its page at the given moment or when the run ends, whichever is first.
   * @param begin the user's action that starts or resumes the run
   * @param stored how many of the run's events are already on disk
   */
  async crashAt(moment: CrashMoment, scene: CrashScene, begin: () => Promise<void>, stored: number): Promise<void> {
    const open = this.#open;
    if (!open) throw new Error('No page is open.');
    const { page } = open.podium;
    const { when, count } = moment;
    const reached = [this.finished()];
    if (when === 'stored' || when === 'storing') {
      const seq = stored + count;
      await page.evaluate((freezeAt) => (globalThis.freezeAt = freezeAt), { when, seq });
      // The page reports just before it freezes: the stored events for `stored`, and `STANDING` for `storing`.
      reached.push(this.#until(() => this.#stored.has(when === 'stored' ? seq : STANDING)));
    }
    if (when === 'sent') reached.push(scene.sent(count));
    // A click that freezes the page never resolves.
    void begin().catch(() => undefined);
    if (when === 'time') reached.push(new Promise((resolve) => setTimeout(resolve, count)));
    await Promise.race(reached);
    await open.crash();
    this.#open = null;
    this.#listeners = [];
    this.#stored.delete(STANDING);
    await page.close();
  }

  #until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const listener = () => holds() && resolve();
      this.#listeners.push(listener);
      listener();
    });
  }
}
