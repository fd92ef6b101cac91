import { readFileSync } from 'node:fs';
import { subset } from 'semver';
import { describe, expect, it } from 'vitest';
import { z } from 'zod/mini';

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

const PACKAGE = z.object({ engines: z.object({ node: z.string() }) });
const LOCK = z.object({
  packages: z.record(z.string(), z.object({ engines: z.optional(z.object({ node: z.optional(z.string()) })) })),
});

const { node: supported } = PACKAGE.parse(readJson('package.json')).engines;

/** The packages that reject a Node version that Podium supports. `npm ci` warns about these packages. */
function packagesThatWarn(lock: string): readonly string[] {
  return Object.entries(LOCK.parse(readJson(lock)).packages).flatMap(([path, { engines }]) =>
    engines?.node && !subset(supported, engines.node) ? [`${path} wants Node ${engines.node}`] : [],
  );
}

describe('supported Node versions', () => {
  it('are accepted by every package in the lock file', () => {
    expect(packagesThatWarn('package-lock.json')).toEqual([]);
  });

  it('are the versions that the README lists', () => {
    const named = /Node (\d+\.\d+)\+, (\d+\.\d+)\+ or (\d+)\+/.exec(readFileSync('README.md', 'utf8'));
    const [, first = '', second = '', third = ''] = named ?? [];
    expect(supported).toBe(`^${first}.0 || ^${second}.0 || >=${third}.0.0`);
  });
});
