import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { pythonRuntime } from './scripts/python-runtime.ts';

/** Builds the page in which the command line runs Python programs. */
export default defineConfig({
  root: fileURLToPath(new URL('./src/node/programs/page', import.meta.url)),
  base: './',
  publicDir: false,
  plugins: [pythonRuntime()],
  build: {
    target: 'es2023',
    outDir: fileURLToPath(new URL('./dist-node/programs', import.meta.url)),
    emptyOutDir: true,
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});
