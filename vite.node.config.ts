import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Builds the command line for Node into `dist-node`, and the thread that decodes tables. All packages except playwright-core are
 * bundled.
 */
export default defineConfig({
  root: file('.'),
  publicDir: false,
  build: {
    target: 'node20',
    ssr: true,
    outDir: 'dist-node',
    emptyOutDir: true,
    sourcemap: true,
    rolldownOptions: {
      input: { podium: file('./src/node/start.ts'), 'table-worker': file('./src/node/eval/table-worker.ts') },
      checks: { bundlerTimings: false },
      output: { entryFileNames: '[name].js' },
    },
  },
  // playwright-core is not bundled, because it finds its own files relative to its package.
  ssr: { noExternal: true, external: ['playwright-core'] },
});
