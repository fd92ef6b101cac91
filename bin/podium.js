#!/usr/bin/env node
// Starts the command line. In a checkout, builds it first if its sources are newer than the build. A package has no sources.
import { existsSync } from 'node:fs';

const builder = new URL('../scripts/build-if-stale.mjs', import.meta.url);
if (existsSync(builder)) {
  const { buildCommandLine, buildPage } = await import(builder.href);
  const [command = 'open'] = process.argv.slice(2);
  if (command === 'open') await buildPage();
  await buildCommandLine();
}
await import('../dist-node/podium.js');
