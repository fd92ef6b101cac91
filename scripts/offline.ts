/**
 * @file Vite plugin: writes the service worker, `sw.js`. The service worker contains two lists of
 * files with their digests. One list has the files that every visit needs. The other has files for
 * some visits only, such as Python and the engines of local models.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const KEPT = /\.(js|css|html|json|woff2|svg|webmanifest)$/;
/** Files above this size, in bytes, are cached at their first use. Smaller files are cached on the first visit. */
const LARGE = 500_000;
/**
 * Files that are cached at their first use, whatever their size: WebAssembly, Python's libraries,
 * and the sample archive (`.bin`). The archive is not named `.gz`, because many hosts send `.gz` files with a
 * header that makes the browser decompress them. Then the digest would not match.
 */
const PROGRAM = /\.(wasm|zip|bin)$/;
/** Scripts that are also cached at their first use, whatever their size: policy training, the passphrase check, PDF and Word. */
const SELDOM = /\/(training-worker|passphrase-strength|pdf|word)-[^/]*\.js$/;

export function offline(): Plugin {
  return {
    name: 'podium-offline',
    apply: 'build',
    // This hook runs last and reads the files from disk, so that the digests match the bytes that hosts serve.
    writeBundle: {
      order: 'post',
      sequential: true,
      handler({ dir }, bundle) {
        if (dir === undefined) throw new Error('The build has no folder to write to.');
        const digestOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('base64');
        const digests = (names: readonly string[]) =>
          Object.fromEntries([...names].sort().map((name) => [name, digestOf(join(dir, name))]));
        const names = Object.keys(bundle);
        const built = names.filter((name) => KEPT.test(name) && name !== 'index.html');
        const large = built.filter((name) => statSync(join(dir, name)).size > LARGE || SELDOM.test(name));
        const ahead = built.filter((name) => !large.includes(name));
        const page = { './': digestOf(join(dir, 'index.html')) };
        const files = { ...page, ...digests([...ahead, ...readdirSync('public').filter((name) => KEPT.test(name))]) };
        const late = digests([...large, ...names.filter((name) => PROGRAM.test(name))]);
        const version = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 12);
        const source = readFileSync(new URL('./service-worker.js', import.meta.url), 'utf8')
          .replace('__VERSION__', JSON.stringify(version))
          .replace('__FILES__', JSON.stringify(files))
          .replace('__LATE__', JSON.stringify(late));
        writeFileSync(join(dir, 'sw.js'), source);
      },
    },
  };
}
