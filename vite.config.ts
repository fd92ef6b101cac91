import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { hosting } from './scripts/hosting.ts';
import { licences } from './scripts/licences/licences.ts';
import { offline } from './scripts/offline.ts';
import { pythonRuntime } from './scripts/python-runtime.ts';
import { replayViewer } from './scripts/replay-viewer.ts';
import { security } from './scripts/security.ts';
import { stableMaps } from './scripts/stable-maps.ts';

/** Disables Rolldown's warning about slow plugins, because build time doesn't affect the page. */
const checks = { bundlerTimings: false };

const { collect, write } = licences();

export default defineConfig({
  plugins: [
    svelte(),
    pythonRuntime([collect()]),
    replayViewer([collect()]),
    security(),
    hosting(),
    collect(),
    write(),
    stableMaps(),
    offline(),
  ],
  // `/` is the only page. With this setting, Vite responds to a request for a missing file with 404, not with the page.
  appType: 'mpa',
  // URLs in the build are relative, so that the built files work in any folder of any static host.
  base: './',
  // Without this setting, the development server would look for dependencies in every HTML file, also in those of the
  // benchmarks, whose dependencies are usually not installed.
  optimizeDeps: { entries: ['index.html'] },
  // The grammar engine imports `module` and `url` only when it runs in Node. Here, an empty module replaces both, because
  // Vite would otherwise warn about these imports.
  resolve: {
    alias: [
      { find: /^(?:module|url)$/, replacement: fileURLToPath(new URL('./stubs/empty/index.cjs', import.meta.url)) },
    ],
  },
  worker: { format: 'es', plugins: () => [collect()], rolldownOptions: { checks } },
  build: {
    target: 'es2023',
    sourcemap: true,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 8000,
    rolldownOptions: {
      checks,
      // This file has no side effects. Without this setting, the first page would contain every file that it exports from,
      // even files that only lazy-loaded code uses.
      treeshake: { moduleSideEffects: [{ test: /\/src\/core\/contract\/index\.ts$/, sideEffects: false }] },
      // All code that loads at the start is in one file, because one file compresses better than thirty files.
      output: {
        codeSplitting: {
          groups: [{ name: 'first', tags: ['$initial'] }],
        },
      },
    },
  },
});
