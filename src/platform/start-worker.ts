/**
 * @file Starts the page's Web Workers under the page's Content Security Policy (CSP). A Web Worker
 * loaded from a file has the CSP of the file's response, but most static hosts send no CSP. A Web
 * Worker loaded from a blob inherits the page's CSP. Therefore each Web Worker is loaded from a
 * blob with one line, which imports the actual script.
 */
import { scriptAddressPolicy } from './trusted-types';

/**
 * The blob URL of each script. The URLs are never revoked, because some browsers fetch a Web
 * Worker's script only after the constructor returns.
 */
const bootstraps = new Map<string, string>();

const bootstrapAddress = scriptAddressPolicy('podium-worker', (program) => {
  // Uses this module's URL as the base. In a Web Worker, `location` is a blob URL, which can't be
  // the base of a path.
  const { href, origin } = new URL(program, import.meta.url);
  if (origin !== self.origin) throw new TypeError(`Podium starts no Worker from ${origin}.`);
  const known = bootstraps.get(href);
  if (known !== undefined) return known;
  const address = URL.createObjectURL(new Blob([`import ${JSON.stringify(href)};`], { type: 'text/javascript' }));
  bootstraps.set(href, address);
  return address;
});

/**
 * Starts a module Web Worker under the page's CSP. In the Web Worker, `self.location` is a blob
 * URL, so resolve relative URLs against `import.meta.url`. Throws a `TypeError` for a script of
 * another origin.
 * @param program URL of the script, from `import program from './worker?worker&url'`
 * @param name the name shown in developer tools
 */
export function startWorker(program: string, name = ''): Worker {
  return new Worker(bootstrapAddress(program), { type: 'module', name });
}
