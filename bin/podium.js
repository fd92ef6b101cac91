#!/usr/bin/env node
// Starts the command line. Builds it first if this checkout has no build.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const built = new URL('../dist-node/podium.js', import.meta.url);
const programs = new URL('../dist-node/programs/index.html', import.meta.url);
if (!existsSync(built) || !existsSync(programs)) {
  console.error('Building the command line …');
  const { build } = await import('vite');
  // The second configuration builds the page in which the command line runs the Python programs of answers.
  for (const config of ['vite.node.config.ts', 'vite.programs.config.ts']) {
    await build({ configFile: fileURLToPath(new URL(`../${config}`, import.meta.url)), logLevel: 'warn' });
  }
}
await import(built.href);
