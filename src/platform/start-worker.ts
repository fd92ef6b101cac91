/**
 * @file Starts every Web Worker of the page. A Web Worker that is loaded from a file has only the Content Security Policy of that
 * file's response. Most static hosts send no policy. A Web Worker that is loaded from a blob inherits the policy of the page.
 * Therefore each Web Worker is loaded from a blob, whose single line imports the Web Worker's program.
 */
import { scriptAddressPolicy } from './trusted-types';

/**
 * The blob's address for each program. The addresses are never revoked, because some browsers fetch a Web Worker's script only
 * after the constructor returns.
 */
const bootstraps = new Map<string, string>();

const bootstrapAddress = scriptAddressPolicy('podium-worker', (program) => {
  // Resolved against this module, because the location of a Web Worker is a blob, and no path can be resolved against a blob.
  const { href, origin } = new URL(program, import.meta.url);
  if (origin !== self.origin) throw new TypeError(`Podium starts no Worker from ${origin}.`);
  const known = bootstraps.get(href);
  if (known !== undefined) return known;
  const address = URL.createObjectURL(new Blob([`import ${JSON.stringify(href)};`], { type: 'text/javascript' }));
  bootstraps.set(href, address);
  return address;
});

/**
 * Starts a Web Worker (a module) under the page's own Content Security Policy. Inside the Web Worker, `self.location` is a blob,
 * so resolve addresses against `import.meta.url`. Throws a `TypeError` for a program of another origin.
 * @param program address of the Web Worker's script, from `import program from './worker?worker&url'`
 * @param name the name in developer tools
 */
export function startWorker(program: string, name = ''): Worker {
  return new Worker(bootstrapAddress(program), { type: 'module', name });
}
