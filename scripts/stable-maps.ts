/**
 * @file Vite plugin: makes source maps the same in every build. Rolldown numbers the emitted files
 * in the order in which modules load, and this order varies. The list of names in a source map
 * contains these numbers. The plugin removes the numbers.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const REFERENCE = /ROLLDOWN_FILE_URL_[\w$-]+/g;

export function stableMaps(): Plugin {
  return {
    name: 'podium-stable-maps',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      for (const name of Object.keys(bundle).filter((each) => each.endsWith('.map'))) {
        const map = readFileSync(join(dir, name), 'utf8');
        const stable = map.replaceAll(REFERENCE, 'ROLLDOWN_FILE_URL');
        if (stable !== map) writeFileSync(join(dir, name), stable);
      }
    },
  };
}
