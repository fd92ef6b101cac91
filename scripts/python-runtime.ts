/**
 * @file Vite plugin: bundles two Web Workers of the sandbox into one script each. The runtime runs
 * Python. The guard checks the runtime's messages. The plugin provides the runtime's address and
 * the guard's source as virtual modules. Vite's own import of a Web Worker would fail on the
 * development server: that server doesn't bundle modules, and the sandbox blocks imports.
 */
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

const RUNTIME = 'virtual:python-runtime';
const GUARD = 'virtual:sandbox-guard';
const entryOf = (file: string) => fileURLToPath(new URL(`../src/platform/sandbox/runtime/${file}`, import.meta.url));

/** @param inner the Vite plugins for bundling the two scripts */
export function pythonRuntime(inner: Plugin[] = []): Plugin {
  let isBuild = false;
  return {
    name: 'podium-python-runtime',
    configResolved: ({ command }) => {
      isBuild = command === 'build';
    },
    resolveId: (id) => (id === RUNTIME || id === GUARD ? `\0${id}` : null),
    async load(id) {
      if (id === `\0${GUARD}`) return `export default ${JSON.stringify(await bundle(entryOf('guard.ts'), inner))};`;
      if (id !== `\0${RUNTIME}`) return null;
      const source = await bundle(entryOf('main.ts'), inner);
      if (!isBuild) {
        const blob = `new Blob([${JSON.stringify(source)}], { type: 'text/javascript' })`;
        return `export default URL.createObjectURL(${blob});`;
      }
      const reference = this.emitFile({ type: 'asset', name: 'python-runtime.js', source });
      return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
    },
  };
}

/** Bundles a classic script, because Chromium can't start a module worker from a blob in an opaque origin. */
async function bundle(input: string, plugins: Plugin[]): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    plugins,
    build: {
      write: false,
      target: 'es2023',
      modulePreload: false,
      rolldownOptions: { input, output: { format: 'iife', codeSplitting: false } },
    },
  });
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
  const chunks = outputs.filter((each) => each.type === 'chunk');
  if (chunks.length !== 1 || !chunks[0])
    throw new Error(`${input} was built as ${chunks.length} files instead of one.`);
  return chunks[0].code;
}
