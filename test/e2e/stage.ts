/**
 * @file Fixtures for tests in which a test server plays the Conductor and the workers, so that a test can choose each plan and
 * answer. The page is set up once per Playwright worker. Each test starts from a copy of the browser state after that setup.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { POOL, type StageWorker } from '../fixtures/faults/fault-rows';
import { planText, textReply, type PlannedStep } from '../fixtures/plans';
import { expect, Podium, test as base } from './podium';

export { expect };

/** An address whose host name never resolves (RFC 6761). */
const NOWHERE = 'http://nowhere.invalid/v1';

interface WorkerFixtures {
  /** Path of the browser's stored state. */
  stage: string;
}

interface Fixtures {
  /** Makes the Conductor answer with this plan from now on. @returns the text of the plan */
  plan: (...steps: readonly (Omit<PlannedStep, 'worker'> & { readonly worker: StageWorker })[]) => string;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  stage: [
    async ({ browser, server }, use, info) => {
      const { baseURL } = info.project.use;
      const context = await browser.newContext({ serviceWorkers: 'block', ...(baseURL ? { baseURL } : {}) });
      const podium = new Podium(await context.newPage());
      const workers: Readonly<Record<StageWorker, { address: string; model: string }>> = {
        Steady: { address: server.url, model: 'ok@steady' },
        Desk: { address: server.url, model: 'desk' },
        Nowhere: { address: NOWHERE, model: 'desk' },
        Closed: { address: `http://127.0.0.1:${await closedPort()}/v1`, model: 'desk' },
        Preflight: { address: server.urlOf('refused-preflight'), model: 'desk' },
        Hidden: { address: server.urlOf('hidden'), model: 'desk' },
      };
      const planner = { name: 'Planner', address: server.url, model: 'planner' };
      await podium.storeWorkers(...POOL.map((name) => ({ name, ...workers[name] })), planner);
      await podium.choose(...POOL);
      await podium.conductor.selectOption({ label: 'Planner' });
      const path = info.project.outputDir + `/stage-${info.workerIndex}.json`;
      // Waits until the preferences are stored, which happens with a delay.
      await expect
        .poll(async () => JSON.stringify(await context.storageState({ path, indexedDB: true })))
        .toContain('endpoint:');
      await context.close();
      await use(path);
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  storageState: ({ stage }, use) => use(stage),
  serviceWorkers: 'block',
  plan: async ({ server }, use) => {
    await use((...steps) => {
      const numbered = steps.map((step) => ({ ...step, worker: POOL.indexOf(step.worker) }));
      const text = planText(numbered);
      server.script('planner', textReply(text));
      return text;
    });
  },
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
