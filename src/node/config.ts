/** @file The configuration file, `podium.config.json`. Options on the command line take precedence over it. */
import { dirname, resolve } from 'node:path';
import * as z from 'zod/mini';
import { exists } from './exists';
import { UsageError } from './exit-codes';
import { readTextFile } from './read-text';

const text = z.string().check(z.minLength(1));

const configSchema = z.strictObject({
  /** Path of a file of the format `podium-pool`. */
  pool: z.optional(text),
  /** Path of the file of keys. Only the owner of the file may have access to it. */
  keys: z.optional(text),
  /** Path of the Chromium or Chrome that runs programs (Python code in answers). */
  browser: z.optional(text),
  conductor: z.optional(text),
  /** Cap on the cost of a run, a batch or a server, in US dollars. */
  maxCost: z.optional(z.number().check(z.positive())),
  serve: z.optional(
    z.strictObject({
      host: z.optional(text),
      port: z.optional(z.int().check(z.gte(0), z.lte(65_535))),
      concurrency: z.optional(z.int().check(z.gte(1))),
    }),
  ),
});

export type Config = z.infer<typeof configSchema>;

const USUAL = 'podium.config.json';

/**
 * Reads the configuration. Paths in the file are relative to its folder, and are resolved here. Throws a `UsageError` if the
 * file is invalid, or if `path` names a missing file.
 * @param path `null`: `podium.config.json` in the current folder, if it exists
 */
export async function readConfig(path: string | null): Promise<Config> {
  const file = resolve(path ?? USUAL);
  if (path === null && !(await exists(file))) return {};
  const parsed = z.safeParse(configSchema, await readJson(file));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const fields = [...(issue?.path ?? []), ...(issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])];
    const reason = issue?.code === 'unrecognized_keys' ? 'is unknown' : 'has an invalid value';
    throw new UsageError(
      fields.length === 0
        ? `${file} must be a JSON object.`
        : `${file}: The field “${fields.map(String).join('.')}” ${reason}. See docs/command-line.md.`,
    );
  }
  const { pool, keys, browser, ...rest } = parsed.data;
  return {
    ...rest,
    ...(pool === undefined ? {} : { pool: resolve(dirname(file), pool) }),
    ...(keys === undefined ? {} : { keys: resolve(dirname(file), keys) }),
    ...(browser === undefined ? {} : { browser: resolve(dirname(file), browser) }),
  };
}

async function readJson(file: string): Promise<unknown> {
  const text = await readTextFile(file);
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (thrown) {
    throw new UsageError(`${file} is not JSON. ${thrown instanceof Error ? thrown.message : ''}`);
  }
}
