/**
 * @file Vite plugin: bundles what runs inside the sandbox into a single script and hands out its address. A plain worker import
 * would do for the build, but not for the development server, whose modules import each other: in the sandbox nothing can
 * be imported.
 */
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

const NAME = 'virtual:python-runtime';
const RESOLVED = `\0${NAME}`;
const ENTRY = fileURLToPath(new URL('../src/platform/sandbox/runtime/main.ts', import.meta.url));

export function pythonRuntime(): Plugin {
  let isBuild = false;
  return {
    name: 'podium-python-runtime',
    configResolved: ({ command }) => {
      isBuild = command === 'build';
    },
    resolveId: (id) => (id === NAME ? RESOLVED : null),
    async load(id) {
      if (id !== RESOLVED) return null;
      const source = await bundle();
      if (!isBuild) {
        const blob = `new Blob([${JSON.stringify(source)}], { type: 'text/javascript' })`;
        return `export default URL.createObjectURL(${blob});`;
      }
      const reference = this.emitFile({ type: 'asset', name: 'python-runtime.js', source });
      return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
    },
  };
}

/** A classic script: Chromium starts no module workers from a blob in an opaque origin. */
async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2023',
      modulePreload: false,
      rolldownOptions: { input: ENTRY, output: { format: 'iife', codeSplitting: false } },
    },
  });
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
  const chunks = outputs.filter((each) => each.type === 'chunk');
  if (chunks.length !== 1 || !chunks[0]) throw new Error(`The sandbox's runtime came out in ${chunks.length} files.`);
  return chunks[0].code;
}
