/**
 * @file Shared by the smoke tests in Firefox and WebKit: the browser, the built page, and a server that answers like a provider.
 */
import { test as base } from '@playwright/test';
import { findEngines, type OtherEngine } from '../../scripts/find-engines.mjs';
import { startOpenAiServer, type OpenAiServer } from '../fixtures/openai-server';
import { startStaticHost, type StaticHost } from '../fixtures/static-host';
import { startFirefox } from './firefox';
import type { Engine, Tab } from './tab';
import { startWebKit } from './webkit';

export interface EngineOptions {
  engineName: OtherEngine['name'];
}

interface WorkerFixtures extends EngineOptions {
  engine: Engine;
  server: OpenAiServer;
}

interface Fixtures {
  /** Serves the built page at a new address for each test, so that each test starts without stored data. */
  host: StaticHost;
  tab: Tab;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  engineName: ['Firefox', { option: true, scope: 'worker' }],
  engine: [
    async ({ engineName }, use) => {
      const engine = await start(engineName);
      console.log(engine.name);
      await use(engine);
      await engine.close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  server: [
    async ({ engineName: _engine }, use) => {
      const server = await startOpenAiServer();
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],
  host: async ({ engineName: _engine }, use) => {
    const host = await startStaticHost();
    await use(host);
    await host.close();
  },
  tab: async ({ engine }, use) => {
    const tab = await engine.newTab();
    await use(tab);
    await tab.close();
  },
});

function start(name: OtherEngine['name']): Promise<Engine> {
  for (const engine of findEngines()) {
    if (engine.name !== name) continue;
    const { programs } = engine;
    if ('firefox' in programs && programs.firefox) return startFirefox(programs.firefox);
    if ('Xvfb' in programs && programs.Xvfb && programs.WebKitWebDriver)
      return startWebKit({ driver: programs.WebKitWebDriver, display: programs.Xvfb });
  }
  throw new Error(`${name} is not installed.`);
}
