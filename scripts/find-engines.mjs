// Finds browsers that are not based on Chromium, and the programs with which tests control them.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const FOLDERS = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
const find = (...places) =>
  places.flatMap((place) => (place.includes('/') ? place : FOLDERS.map((each) => join(each, place)))).find(existsSync);

/** @returns {import('./find-engines.d.mts').OtherEngine[]} */
export function findEngines() {
  return [
    {
      name: 'Firefox',
      programs: {
        firefox: find(
          ...(process.env.FIREFOX_PATH ? [process.env.FIREFOX_PATH] : []),
          // This path comes before `PATH`, because Debian's `firefox` in `PATH` is a script.
          // Firefox keeps running after that script is killed.
          '/usr/lib/firefox-esr/firefox-esr',
          'firefox',
        ),
      },
      packages: ['firefox-esr'],
    },
    {
      name: 'WebKitGTK',
      programs: { WebKitWebDriver: find('WebKitWebDriver'), Xvfb: find('Xvfb') },
      packages: ['webkit2gtk-driver', 'xvfb'],
    },
  ];
}
