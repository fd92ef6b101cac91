/**
 * @file Starts every Worker of the page. A Worker that is loaded from a file has only the Content Security Policy of that
 * file's response, which is none on most static hosts. A Worker that is loaded from a blob inherits the policy of the page,
 * so each one begins as a blob of a single line that imports its program.
 */
import { scriptAddressPolicy } from './trusted-types';

/** Blob address by program. They are never revoked: some browsers fetch a Worker's script only after the constructor returns. */
const bootstraps = new Map<string, string>();

const bootstrapAddress = scriptAddressPolicy('podium-worker', (program) => {
  // Module-relative, because a Worker's own location is a blob, against which no path can be resolved.
  const { href, origin } = new URL(program, import.meta.url);
  if (origin !== self.origin) throw new TypeError(`Podium starts no Worker from ${origin}.`);
  const known = bootstraps.get(href);
  if (known !== undefined) return known;
  const address = URL.createObjectURL(new Blob([`import ${JSON.stringify(href)};`], { type: 'text/javascript' }));
  bootstraps.set(href, address);
  return address;
});

/**
 * Starts a module Worker under the page's own Content Security Policy. Inside it `self.location` is a blob: resolve addresses
 * against `import.meta.url`.
 * @param program address of its script, from `import program from './worker?worker&url'`; only our own origin's
 * @param name shown by developer tools
 */
export function startWorker(program: string, name = ''): Worker {
  return new Worker(bootstrapAddress(program), { type: 'module', name });
}
