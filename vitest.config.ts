import { availableParallelism } from 'node:os';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BROWSER_ARGS, findBrowser, SOFTWARE_WEBGPU_ARGS, UNOPTIMIZED } from './scripts/browser.mjs';
import { bundledWorkers } from './scripts/bundled-workers.ts';
import { pythonRuntime } from './scripts/python-runtime.ts';
import { replayViewer } from './scripts/replay-viewer.ts';

const executablePath = await findBrowser();

/** Number of test files that run at the same time. There is one more than there are cores, because tests often wait. */
const maxWorkers = availableParallelism() + 1;

/**
 * Time limit of a test, in ms. The limit is about five times the duration of the longest test, because a shared machine may be
 * much slower at times. A test that hangs still fails.
 */
const TEST_TIMEOUT = 180_000;

/**
 * Projects with different orders run one after another: Node first, then Chromium, then engines. At the same time they would
 * only compete for the same cores, and tests with time limits would fail.
 */
const ORDER = { node: { groupOrder: 0 }, chromium: { groupOrder: 1 }, engine: { groupOrder: 2 } };

/** Test files that replace modules with `vi.mock`. Each of these files needs its own process. */
const REPLACE_MODULES = [
  'test/node/serve/scorer.test.ts',
  'test/platform/store/load-add-runs.test.ts',
  'test/platform/store/load-forget-question.test.ts',
  'test/platform/workers/load-openrouter-exchange.test.ts',
  'test/core/training/no-webassembly.test.ts',
];

/**
 * Test files that take most of the time: they train, kill processes, interrupt runs at each event, or start Python for each
 * test. `npm test` leaves them out. `npm run test:rest` runs them.
 */
const LONG = 'test/**/*.long.test.ts';
const LONG_IN_BROWSER = 'test/**/*.long.browser.test.ts';

/** Settings of the projects whose test files share processes. Starting a process for each file would take half of the total time. */
const shared = {
  environment: 'node' as const,
  isolate: false,
  testTimeout: TEST_TIMEOUT,
  hookTimeout: TEST_TIMEOUT,
  expect: { poll: { timeout: 20_000 } },
  // This package contains a UMD script but is marked as ESM. Its exports can be found only if Vite bundles it.
  server: { deps: { inline: ['@mlc-ai/web-xgrammar'] } },
};

/** The settings of a project that runs these test files in Chromium. */
const inChromium = (name: string, include: string[], exclude: string[]): TestProjectInlineConfiguration => ({
  plugins: [svelte(), pythonRuntime(), replayViewer(), bundledWorkers()],
  // These packages are bundled before the tests, because Vite reloads the page when it discovers a package during a test.
  optimizeDeps: {
    include: [
      '@eslint-community/regexpp',
      '@jax-js/jax',
      'idb',
      'openai',
      'openai/streaming',
      'vitest-browser-svelte',
      'virtua/svelte',
      'svelte-spa-router',
      'zod/mini',
      '@zxcvbn-ts/core',
      '@zxcvbn-ts/language-common',
      'marked',
      'diff',
      '@streamparser/json',
      'dompurify',
      'katex',
      'p-queue',
      'papaparse',
      'hyparquet',
      'hyparquet-compressors',
      'hyparquet-writer',
      'fast-check',
      'highlight.js/lib/core',
      ...['bash', 'cpp', 'css', 'java', 'javascript', 'json', 'python', 'rust', 'sql', 'typescript', 'xml'].map(
        (language) => `highlight.js/lib/languages/${language}`,
      ),
      '@noble/hashes/sha2.js',
      '@noble/hashes/utils.js',
      'svelte-spa-router/wrap',
    ],
  },
  test: {
    name,
    maxWorkers,
    testTimeout: TEST_TIMEOUT,
    // In ms, as in playwright.config.ts. A busy machine renders slowly.
    expect: { poll: { timeout: 20_000 } },
    // A browser may lose a tab on a busy machine, so a test counts as failed only if it fails twice.
    retry: 1,
    sequence: ORDER.chromium,
    include,
    exclude,
    globalSetup: ['test/fixtures/openai-global-setup.ts'],
    isolate: false,
    setupFiles: ['test/clean-page.ts'],
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions: { executablePath, args: [...BROWSER_ARGS, UNOPTIMIZED] } }),
      instances: [{ browser: 'chromium' }],
    },
  },
});

export default defineConfig({
  test: {
    maxWorkers,
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [
            'test/**/*.browser.test.ts',
            'test/e2e/**',
            'test/bench/**',
            'test/clients/**',
            LONG,
            ...REPLACE_MODULES,
          ],
        },
      },
      { test: { ...shared, name: 'long', include: [LONG], sequence: ORDER.node } },
      {
        test: {
          name: 'unit: replaced modules',
          environment: 'node',
          maxWorkers,
          testTimeout: TEST_TIMEOUT,
          expect: { poll: { timeout: 20_000 } },
          include: REPLACE_MODULES,
        },
      },
      inChromium(
        'browser',
        ['test/**/*.browser.test.ts'],
        ['test/platform/engine/**', 'test/core/training/**', LONG_IN_BROWSER],
      ),
      inChromium('long: browser', [LONG_IN_BROWSER], []),
      {
        // Tests of real engines with real models. They are a separate project, because WebGPU in software and 27 MB of runtime
        // would slow other tests down.
        plugins: [bundledWorkers()],
        optimizeDeps: {
          include: [
            '@huggingface/transformers',
            '@jax-js/jax',
            '@mlc-ai/web-llm',
            '@mlc-ai/web-xgrammar',
            '@noble/hashes/legacy.js',
            '@noble/hashes/sha2.js',
            '@noble/hashes/utils.js',
            'p-queue',
            'zod/mini',
          ],
        },
        test: {
          name: 'engine',
          sequence: ORDER.engine,
          include: ['test/platform/engine/**/*.browser.test.ts', 'test/core/training/**/*.browser.test.ts'],
          globalSetup: ['test/fixtures/engine-global-setup.ts', 'test/fixtures/mlc-global-setup.ts'],
          testTimeout: TEST_TIMEOUT,
          expect: { poll: { timeout: 20_000 } },
          retry: 1,
          // Each of these tests uses several threads.
          maxWorkers: availableParallelism(),
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { executablePath, args: [...BROWSER_ARGS, UNOPTIMIZED, ...SOFTWARE_WEBGPU_ARGS] },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
