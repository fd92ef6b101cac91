/**
 * @file Vite plugin: writes the licences of everything that the build contains. `licences.json` is the list that Settings shows,
 * and `licences.txt` has the full texts. Vite's own `build.license` leaves out Web Workers, and packages that are bundled inside
 * other packages.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import * as z from 'zod/mini';

/** One entry of `licences.json`, which `src/app/settings/Licences.svelte` reads. */
interface Licence {
  readonly name: string;
  readonly version: string | null;
  /** SPDX expression. */
  readonly licence: string;
  /** Web address of the source code or of the home page. */
  readonly address: string | null;
}

interface Shipped extends Licence {
  readonly text: string;
}

/** For each of these packages, the packages that are bundled inside it. Vite's module graph lacks them. */
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  '@huggingface/transformers': ['@huggingface/jinja', '@huggingface/tokenizers'],
  '@mlc-ai/web-llm': ['loglevel'],
};

const here = (file: string) => join(import.meta.dirname, file);
/** Licence files for packages that are published without one. */
const TEXTS: Readonly<Record<string, string>> = {
  'onnxruntime-web': here('onnxruntime.txt'),
  'onnxruntime-common': here('onnxruntime.txt'),
  pyodide: 'node_modules/dompurify/LICENSE-MPL',
  '@mlc-ai/web-xgrammar': 'LICENSE',
};

/** Parts of the build that are not npm packages. */
const OTHERS: readonly (Licence & { readonly file: string })[] = [
  {
    name: 'IBM Plex',
    version: null,
    licence: 'OFL-1.1',
    address: 'https://github.com/IBM/plex',
    file: 'src/app/ui/style/fonts/OFL.txt',
  },
  {
    name: 'Python',
    version: null,
    licence: 'PSF-2.0',
    address: 'https://github.com/python/cpython',
    file: here('python.txt'),
  },
];

const LICENCE_FILE = /^(?:licen[cs]e|copying)/i;

interface Licences {
  /** Makes a plugin that collects packages. Add one to each bundle: the page, its Web Workers, and what other plugins build. */
  readonly collect: () => Plugin;
  /** Makes the plugin that writes the lists. Add it only to the bundle that is built last. */
  readonly write: () => Plugin;
}

export function licences(): Licences {
  /** The packages by folder. */
  const shipped = new Map<string, Shipped>();
  const collect = (): Plugin => ({
    name: 'podium-collect-licences',
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type !== 'chunk') continue;
        for (const id of output.moduleIds) addPackage(shipped, id);
      }
    },
  });
  const write = (): Plugin => ({
    name: 'podium-write-licences',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler() {
        const others = OTHERS.map(({ file, ...licence }) => ({ ...licence, text: readFileSync(file, 'utf8') }));
        const all = [...shipped.values(), ...others].sort((a, b) => a.name.localeCompare(b.name, 'en'));
        const list = all.map(({ text: _text, ...licence }): Licence => licence);
        this.emitFile({ type: 'asset', fileName: 'licences.json', source: JSON.stringify(list) });
        this.emitFile({ type: 'asset', fileName: 'licences.txt', source: all.map(entryOf).join('\n') });
      },
    },
  });
  return { collect, write };
}

function entryOf({ name, version, licence, address, text }: Shipped): string {
  const head = [version === null ? name : `${name} ${version}`, `Licence: ${licence}`, ...(address ? [address] : [])];
  return `${head.join('\n')}\n\n${text.trim()}\n\n${'-'.repeat(80)}\n`;
}

/** Adds the package of a module and the packages inside it. Throws an error if a licence is unknown. */
function addPackage(shipped: Map<string, Shipped>, moduleId: string): void {
  const [, folder, name] = /^(.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+))[\\/]/.exec(moduleId) ?? [];
  if (folder === undefined || name === undefined || moduleId.startsWith('\0') || shipped.has(folder)) return;
  shipped.set(folder, readPackage(folder));
  for (const inside of INSIDE[name.replaceAll('\\', '/')] ?? []) {
    addPackage(shipped, join(folderOf(folder, inside), 'package.json'));
  }
}

/** Finds the folder of a dependency by Node's rules. */
function folderOf(from: string, name: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(candidate)) return candidate;
    if (folder === dirname(folder)) throw new Error(`${name} is not installed.`);
  }
}

const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.optional(z.string()),
  homepage: z.optional(z.string()),
  repository: z.optional(z.union([z.string(), z.object({ url: z.string() })])),
});

function readPackage(folder: string): Shipped {
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  const { name, version, license } = manifest;
  const found = readdirSync(folder).find((file) => LICENCE_FILE.test(file));
  const file = TEXTS[name] ?? (found === undefined ? undefined : join(folder, found));
  if (license === undefined || file === undefined)
    throw new Error(`${name} ships with the build, but its licence is unknown. Add it in scripts/licences/.`);
  return { name, version, licence: license, address: addressOf(manifest), text: readFileSync(file, 'utf8') };
}

/** The address of the source on GitHub. If the source is not on GitHub, the address of the home page. */
function addressOf({ repository, homepage }: z.infer<typeof Manifest>): string | null {
  const source = typeof repository === 'string' ? repository : repository?.url;
  const [, path] = /(?:^|github\.com[/:]|github:)([\w.-]+\/[\w.-]+?)(?:\.git)?(?:[/#].*)?$/.exec(source ?? '') ?? [];
  if (path !== undefined) return `https://github.com/${path}`;
  return homepage ?? null;
}
