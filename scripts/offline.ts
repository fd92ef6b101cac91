/**
 * @file Vite plugin: emits `sw.js`, the service worker with the lists of the files that were built: those every visit needs,
 * and the large ones that only some do, such as Python and the engines of local models.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import type { Plugin } from 'vite';

const KEPT = /\.(js|css|html|json|woff2|svg|webmanifest)$/;
/** Bytes. A script beyond this is not fetched ahead, but kept when it is first used. */
const LARGE = 500_000;
/** Programs and libraries of Python and of the engines, whatever their size. */
const PROGRAM = /\.(wasm|zip)$/;
/** Scripts that few visits need, whatever their size: what trains the policy. */
const SELDOM = /\btraining-worker-[^/]*\.js$/;

export function offline(): Plugin {
  return {
    name: 'podium-offline',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const all = Object.values(bundle);
        const built = all.filter(({ fileName }) => KEPT.test(fileName) && fileName !== 'index.html');
        const programs = all.filter(({ fileName }) => PROGRAM.test(fileName));
        const sizeOf = (file: (typeof built)[number]) =>
          Buffer.byteLength(file.type === 'chunk' ? file.code : file.source);
        const large = built.filter((file) => sizeOf(file) > LARGE || SELDOM.test(file.fileName));
        const late = [...large, ...programs].map(({ fileName }) => fileName);
        const ahead = built.map(({ fileName }) => fileName).filter((fileName) => !late.includes(fileName));
        const files = ['./', ...ahead, ...readdirSync('public').filter((file) => KEPT.test(file))].sort();
        const page = bundle['index.html'];
        const markup = page?.type === 'asset' ? page.source : '';
        const version = createHash('sha256').update(files.join('\n')).update(markup).digest('hex').slice(0, 12);
        const source = readFileSync(new URL('./service-worker.js', import.meta.url), 'utf8')
          .replace('__VERSION__', JSON.stringify(version))
          .replace('__FILES__', JSON.stringify(files))
          .replace('__LATE__', JSON.stringify(late.sort()));
        this.emitFile({ type: 'asset', fileName: 'sw.js', source });
      },
    },
  };
}
