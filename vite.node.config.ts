import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** Builds the command line for Node into `dist-node`. All packages except playwright-core are bundled. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  publicDir: false,
  build: {
    target: 'node20',
    ssr: fileURLToPath(new URL('./src/node/start.ts', import.meta.url)),
    outDir: 'dist-node',
    emptyOutDir: true,
    sourcemap: true,
    rolldownOptions: { checks: { bundlerTimings: false }, output: { entryFileNames: 'podium.js' } },
  },
  // playwright-core is not bundled, because it finds its own files relative to its package.
  ssr: { noExternal: true, external: ['playwright-core'] },
});
