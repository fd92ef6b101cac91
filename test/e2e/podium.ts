/**
 * @file Fixtures of the end-to-end tests: Podium's page with its controls, a scripted model server,
 * and checks with axe.
 */
import { expect, test as base, type Page } from '@playwright/test';
import { startOpenAiServer, type OpenAiServer } from '../fixtures/openai-server';
import { AxeCheck } from './axe';

export { expect };

interface Fixtures {
  /** Whether short pauses, such as those of simulated workers, are a tenth as long. Default: true. */
  quick: boolean;
  axe: AxeCheck;
  podium: Podium;
}

interface WorkerFixtures {
  server: OpenAiServer;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  server: [
    async ({ browserName: _browser }, use) => {
      const server = await startOpenAiServer();
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],
  quick: [true, { option: true }],
  axe: ({ page }, use, info) => use(new AxeCheck(page, info)),
  podium: async ({ page, quick }, use) => {
    await page.addInitScript(reportRefusals);
    if (quick) await page.addInitScript(shortenPauses);
    const podium = new Podium(page);
    await use(podium);
    expect(podium.errors, 'the page reported no error of its own').toEqual([]);
  },
});

/**
 * Runs in the page. Logs every violation of the CSP, because the browser's own messages don't
 * always mention the CSP.
 */
function reportRefusals(): void {
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
    console.error(`Content Security Policy: ${effectiveDirective} refused ${blockedURI} ${sample}`),
  );
}

/**
 * Runs in the page. Shortens pauses up to one second: those of simulated workers between two words, and those until the page
 * reacts to typing. Longer ones are time limits.
 */
function shortenPauses(): void {
  const { setTimeout } = window;
  const shortened = (handler: TimerHandler, ms = 0, ...rest: unknown[]) =>
    setTimeout(handler, ms <= 1_000 ? ms / 10 : ms, ...rest);
  window.setTimeout = Object.assign(shortened, setTimeout);
}

export interface StoredEvent {
  readonly type: string;
  readonly seq: number;
  readonly [field: string]: unknown;
}

/** A worker without a key. */
export interface StoredWorker {
  readonly address: string;
  readonly model: string;
  readonly name: string;
  /** US dollars per million tokens. Absent: unknown */
  readonly price?: { readonly input: number; readonly output: number };
}

/** A page of Podium: finds its controls by accessible name, and reads stored events. */
export class Podium {
  readonly page: Page;
  /**
   * Uncaught errors and violations of the page's CSP. Network errors are not included, because
   * tests cause them on purpose.
   */
  readonly errors: string[] = [];

  constructor(page: Page) {
    this.page = page;
    page.on('pageerror', (error) => this.errors.push(String(error)));
    page.on('console', (message) => {
      const text = message.text();
      if (message.type() === 'error' && /Content Security Policy|Uncaught/.test(text)) this.errors.push(text);
    });
  }

  get question() {
    return this.page.getByRole('textbox', { name: 'Question' });
  }
  get run() {
    return this.page.getByRole('button', { name: /^Run/ });
  }
  get stop() {
    return this.page.getByRole('button', { name: 'Stop', exact: true });
  }
  get conductor() {
    return this.page.getByRole('combobox', { name: 'Conductor' });
  }
  get effort() {
    return this.page.getByRole('group', { name: 'Effort' });
  }
  get workers() {
    return this.page.getByRole('group', { name: 'Workers' });
  }
  get workflow() {
    return this.page.getByRole('region', { name: 'Workflow' });
  }
  get answer() {
    return this.page.getByRole('region', { name: 'Answer' });
  }
  get steps() {
    return this.page.getByRole('region', { name: 'Steps' });
  }

  async open(path = '/'): Promise<void> {
    await this.page.goto(path);
    await this.page.getByRole('main').waitFor();
  }

  /**
   * Adds a connection, and one of its models as a worker. A server that can't be used is saved without a check.
   * @param setup `price`: US dollars per million tokens, of input and of output
   */
  async addWorker(setup: {
    address: string;
    model: string;
    key?: string;
    name?: string;
    price?: readonly [input: string, output: string];
  }): Promise<void> {
    await this.connect(setup);
    const unchecked = this.page.getByRole('button', { name: 'Save without a check' });
    await expect(this.modelPicker.or(unchecked)).toBeVisible();
    if (await unchecked.isVisible()) await unchecked.click();
    await this.modelPicker.getByRole('searchbox').fill(setup.model);
    await this.modelPicker.getByRole('checkbox').first().check();
    await this.modelPicker.getByRole('button', { name: 'Add 1 worker' }).click();
    const name = setup.model.replace(/^.*\//, '').replace(/:.*$/, '');
    const edit = this.page.getByRole('button', { name: `Edit ${name}`, exact: true });
    await expect(edit).toBeVisible();
    if (setup.name === undefined && setup.price === undefined) return;
    await edit.click();
    await this.page.getByText('Name, strengths and price').click();
    if (setup.name !== undefined) await this.page.getByLabel('Name', { exact: true }).fill(setup.name);
    if (setup.price !== undefined) {
      await this.page.getByLabel('Input price', { exact: true }).fill(setup.price[0]);
      await this.page.getByLabel('Output price', { exact: true }).fill(setup.price[1]);
    }
    await this.page.getByRole('button', { name: 'Save', exact: true }).click();
    // A name has at most 40 characters.
    const shown = `Edit ${(setup.name ?? name).slice(0, 40)}`;
    await expect(this.page.getByRole('button', { name: shown, exact: true })).toBeVisible();
  }

  /**
   * Stores workers without keys, each with a connection of its own, and opens the page with them. Much faster than `addWorker`,
   * for tests of what comes after.
   */
  async storeWorkers(...workers: readonly StoredWorker[]): Promise<void> {
    const setups = workers.map(({ address, model, name, price = null }) => ({
      ...{ id: `w-${name}`, name, model, mark: name.slice(0, 2), colour: 5, description: '', price },
      ...{ provider: 'custom', baseUrl: address, needsKey: false, connection: `c-${name}` },
    }));
    await this.open();
    await expect(this.run).toBeVisible();
    await expect
      .poll(() => this.page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name)))
      .toContain('podium');
    await this.page.evaluate(async (setups) => {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open('podium');
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error('no database'));
      });
      const transaction = database.transaction(['connections', 'setups'], 'readwrite');
      for (const { connection: id, provider, baseUrl, needsKey, ...rest } of setups) {
        transaction.objectStore('connections').put({ id, provider, baseUrl, needsKey }, id);
        const setup = { ...rest, provider, baseUrl, needsKey, connection: id };
        transaction.objectStore('setups').put(setup, setup.id);
      }
      await new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onerror = () => reject(new Error('The workers were not stored.'));
      });
      database.close();
    }, setups);
    await this.page.reload();
    await this.page.getByRole('main').waitFor();
  }

  /** The list of a connection's models. */
  get modelPicker() {
    return this.page.getByRole('region', { name: 'Add models' });
  }

  /** Enters a connection to any server, and connects. Does not wait for the answer. */
  async connect({ address, key }: { address: string; key?: string }): Promise<void> {
    await this.open('/#/workers');
    await this.page.getByRole('button', { name: 'Add a connection' }).click();
    await this.page.getByLabel('Provider').selectOption('custom');
    await this.page.getByLabel('Address').fill(address);
    if (key !== undefined) await this.page.getByLabel('Key', { exact: true }).fill(key);
    await this.page.getByRole('button', { name: 'Connect', exact: true }).click();
  }

  async chooseEffort(effort: 'Quick' | 'Balanced' | 'Thorough'): Promise<void> {
    await this.effort.getByLabel(effort).check({ force: true });
  }

  /** Makes these workers the pool. Shows the hidden simulated workers if needed. */
  async choose(...names: string[]): Promise<void> {
    await this.page.getByRole('link', { name: 'Conduct', exact: true }).click();
    await expect(this.run).toBeVisible();
    const boxes = this.workers.getByRole('checkbox');
    const read = () =>
      boxes.evaluateAll((elements) =>
        elements.map((element) => ({
          name: element.closest('label')?.textContent?.trim() ?? '',
          isChosen: element.matches(':checked'),
        })),
      );
    for (;;) {
      const shown = await read();
      const isWanted = (label: string) => names.some((name) => label.endsWith(name));
      const wrong = shown.findIndex(({ name, isChosen }) => isWanted(name) !== isChosen);
      if (wrong >= 0) {
        // `setChecked` would check the state after its click, but a simulated worker may disappear when it
        // leaves the pool.
        await boxes.nth(wrong).click({ force: true });
        continue;
      }
      const isShown = (name: string) => shown.some((each) => each.name.endsWith(name));
      if (names.every(isShown)) return;
      await this.showSimulated();
    }
  }

  /** Shows the simulated workers, which are hidden while the pool has the user's own workers. */
  async showSimulated(): Promise<void> {
    await this.workers.getByRole('button', { name: 'Add simulated workers…' }).click();
  }

  /** Starts a run with one worker and one step. Does not wait until it ends. */
  async runWithOnly(name: string, question = 'What is six times seven?'): Promise<void> {
    await this.choose(name);
    await this.conductor.selectOption('template:best-single');
    await this.question.fill(question);
    await this.run.click();
  }

  /** Waits until the run has ended. */
  async ended(timeout = 30_000): Promise<void> {
    await expect(this.answer).toBeVisible();
    await expect(this.run).toBeEnabled({ timeout });
  }

  /** All stored events of the newest run. */
  async storedEvents(): Promise<StoredEvent[]> {
    return this.page.evaluate(async () => {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open('podium');
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error('no database'));
      });
      const all = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(new Error('no answer'));
        });
      const transaction = database.transaction(['summaries', 'chunks']);
      const [newest] = await all<{ id: string }[]>(transaction.objectStore('summaries').getAll(undefined, 1));
      if (!newest) return [];
      const range = IDBKeyRange.bound([newest.id, 0], [newest.id, Infinity]);
      const chunks = await all<StoredEvent[][]>(transaction.objectStore('chunks').getAll(range));
      database.close();
      return chunks.flat();
    });
  }

  /** The types of the newest run's stored events, in order and without deltas. */
  async storedTypes(): Promise<string[]> {
    return (await this.storedEvents()).map(({ type }) => type).filter((type) => !type.endsWith('-delta'));
  }
}
