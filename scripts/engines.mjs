// Runs the smoke tests in each installed browser whose engine is not Chromium's, and names the browsers that are not installed.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findEngines } from './find-engines.mjs';

const present = findEngines().filter(({ name, programs, packages }) => {
  const missing = Object.keys(programs).filter((each) => programs[each] === undefined);
  if (missing.length > 0)
    console.log(
      `Skipped: ${name}, because ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not installed. Debian: apt-get install ${packages.join(' ')}`,
    );
  return missing.length === 0;
});
if (present.length > 0) {
  if (!existsSync('dist/index.html')) {
    console.error('The built page is missing. Run "npm run build" first.');
    process.exit(1);
  }
  const args = ['node_modules/@playwright/test/cli.js', 'test', '--config', 'playwright.engines.config.ts'];
  const { status } = spawnSync(process.execPath, [...args, ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
