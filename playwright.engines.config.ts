/**
 * @file Configures the smoke tests in the installed browsers that are not based on Chromium.
 * `scripts/engines.mjs` uses this file.
 */
import { defineConfig } from '@playwright/test';
import { findEngines } from './scripts/find-engines.mjs';
import type { EngineOptions } from './test/engines/stage';

const present = findEngines().filter(({ programs }) => Object.values(programs).every((path) => path !== undefined));

export default defineConfig<object, EngineOptions>({
  testDir: 'test/engines',
  outputDir: 'test-results/engines',
  // One process for each engine.
  workers: 2,
  reporter: 'list',
  timeout: 120_000,
  retries: 1,
  projects: present.map(({ name }) => ({ name, use: { engineName: name } })),
});
