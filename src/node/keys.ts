/**
 * @file Reads the API keys of workers from environment variables and from a keys file. Only the owner of the keys file may have
 * access to it. Each key belongs to one origin and is sent only there.
 */
import * as z from 'zod/mini';
import { extrasIdOf, originOf, parseJson, type KeySource, type WorkerSetup } from '../core/contract';
import { extraNameOf, extraProblem, readExtras } from '../core/contract/worker/connection-extras';
import { presetOf, PROVIDERS } from '../platform/workers/providers';
import { UsageError } from './exit-codes';
import { checkFile, readTextFile } from './read-text';

const keyText = z.string().check(z.minLength(1));
/** An address has a key, or a key and extra headers and query parameters. */
const keysFile = z.record(
  z.string(),
  z.union([keyText, z.strictObject({ key: z.optional(keyText), extras: z.record(z.string(), keyText) })]),
);

/** The environment variable with the key of a provider, for example `OPENAI_API_KEY`. */
function variableOf(provider: string): string {
  return `${provider.toUpperCase().replaceAll('-', '_')}_API_KEY`;
}

/**
 * Throws a `UsageError` if the file can't be read or is invalid, or if other users have access to it.
 * @param path path of a JSON file such as `{ "https://api.openai.com": "sk-…" }`. `null`: no file
 */
export async function readKeys(path: string | null, environment: NodeJS.ProcessEnv): Promise<KeySource> {
  const byOrigin = new Map<string, string>();
  const extrasByOrigin = new Map<string, string>();
  for (const { id, baseUrl } of PROVIDERS) {
    const key = environment[variableOf(id)];
    const origin = originOf(baseUrl);
    if (key && origin !== '') byOrigin.set(origin, key);
  }
  for (const [address, entry] of Object.entries(path === null ? {} : await readKeysFile(path))) {
    const origin = originOf(address);
    if (origin === '') throw new UsageError(`${path} has a key for “${address}”, which is not an address.`);
    const { key, extras = {} } = typeof entry === 'string' ? { key: entry } : entry;
    if (key !== undefined) byOrigin.set(origin, key);
    const named = Object.entries(extras).map(([name, value]) => [extraNameOf(name), value] as const);
    for (const [name, value] of named) {
      const problem = extraProblem(name, value, key !== undefined);
      if (problem !== null) throw new UsageError(`${path}: ${problem}`);
    }
    if (named.length > 0) extrasByOrigin.set(origin, JSON.stringify(Object.fromEntries(named)));
  }
  return {
    get: (id, origin) => (id.startsWith(extrasIdOf('')) ? extrasByOrigin : byOrigin).get(origin) ?? null,
    set: (_workerId, origin, key) => void byOrigin.set(origin, key),
    // Several workers can share the key of an origin, so forgetting a worker removes no key.
    forget: () => undefined,
  };
}

async function readKeysFile(path: string): Promise<z.infer<typeof keysFile>> {
  const { mode } = await checkFile(path);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new UsageError(`Other users have access to the keys in ${path}. Run: chmod 600 ${path}`);
  }
  const text = await readTextFile(path);
  const parsed = z.safeParse(keysFile, parseJson(text));
  if (!parsed.success) {
    throw new UsageError(
      `${path} must be a JSON object of addresses and keys, such as {"https://api.openai.com":"…"}.`,
    );
  }
  return parsed.data;
}

/** A sentence for each worker that needs a key and has none. The sentence says where the user can add the key. */
export function missingKeys(workers: readonly WorkerSetup[], keys: KeySource): readonly string[] {
  return workers.flatMap((setup) => {
    const origin = originOf(setup.baseUrl);
    if (setup.extraNames && readExtras(keys, setup, origin) === null)
      return [
        `${setup.name} needs the extras ${setup.extraNames.join(', ')}. Add them for ${origin} to the keys file.`,
      ];
    if (!setup.needsKey || keys.get(setup.id, origin) !== null) return [];
    const { id, baseUrl } = presetOf(setup);
    const variable = originOf(baseUrl) === origin ? `Set ${variableOf(id)}, or add` : 'Add';
    return [`${setup.name} has no key. ${variable} ${origin} to the keys file.`];
  });
}
