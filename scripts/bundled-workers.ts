/**
 * @file Vite plugin: bundles each Web Worker before a test starts it. Vite's development server would serve hundreds of single
 * modules each time a Web Worker starts. Tests start some Web Workers dozens of times.
 */
import { createHash } from 'node:crypto';
import { extname, relative } from 'node:path';
import { build, type Plugin } from 'vite';

const QUERY = '?worker&url';
const BUNDLED = '\0bundled-worker:';
/** Below this path, the development server serves the bundles. */
const PATH = '/bundled-workers/';
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.wasm': 'application/wasm' };

export function bundledWorkers(): Plugin {
  /** The files of all bundles, by their path. */
  const files = new Map<string, string | Uint8Array>();
  return {
    name: 'podium-bundled-workers',
    enforce: 'pre',
    apply: 'serve',
    async resolveId(source, importer) {
      if (!source.endsWith(QUERY)) return null;
      const entry = await this.resolve(source.slice(0, -QUERY.length), importer);
      return entry && `${BUNDLED}${entry.id}`;
    },
    async load(id) {
      if (!id.startsWith(BUNDLED)) return null;
      const { chunks, assets } = await bundle(id.slice(BUNDLED.length));
      for (const module of chunks.flatMap(({ moduleIds }) => moduleIds))
        if (!module.startsWith('\0')) this.addWatchFile(module);
      const digest = createHash('sha256');
      for (const { code } of chunks) digest.update(code);
      const folder = `${PATH}${digest.digest('hex').slice(0, 16)}/`;
      for (const { fileName, code } of chunks) files.set(`${folder}${fileName}`, code);
      for (const { fileName, source } of assets) files.set(`${folder}${fileName}`, source);
      const entry = chunks.find(({ isEntry }) => isEntry);
      if (!entry) throw new Error(`${id} was built without an entry.`);
      return `export default ${JSON.stringify(`${folder}${entry.fileName}`)};`;
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const [path = ''] = request.url?.split('?') ?? [];
        const file = files.get(path);
        if (file === undefined) return next();
        response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream');
        response.setHeader('cache-control', 'max-age=31536000, immutable');
        response.end(file);
      });
    },
  };
}

const FILE = '\0address-of:';

/** Keeps the addresses of files the same as in modules that are not bundled, because some addresses are keys of caches. */
const sameAddresses: Plugin = {
  name: 'podium-same-addresses',
  enforce: 'pre',
  async resolveId(source, importer) {
    if (!source.endsWith('?url') || source.endsWith(QUERY)) return null;
    const file = await this.resolve(source.slice(0, -'?url'.length), importer);
    return file && `${FILE}${file.id}`;
  },
  load(id) {
    if (!id.startsWith(FILE)) return null;
    return `export default ${JSON.stringify(`/${relative(process.cwd(), id.slice(FILE.length))}`)};`;
  },
};

async function bundle(input: string) {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    base: './',
    plugins: [sameAddresses],
    build: {
      write: false,
      minify: false,
      target: 'es2023',
      modulePreload: false,
      rolldownOptions: { input, output: { format: 'es' } },
    },
  });
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
  return {
    chunks: outputs.filter((each) => each.type === 'chunk'),
    assets: outputs.filter((each) => each.type === 'asset'),
  };
}
