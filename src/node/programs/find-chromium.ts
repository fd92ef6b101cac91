/** @file Finds an installed Chromium or Chrome. */
import { delimiter, join } from 'node:path';
import { isExecutable } from '../exists';
import { UsageError } from '../exit-codes';

const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
];

/**
 * The default paths of Chrome and Chromium on macOS and Windows. On these systems, `PATH` usually
 * does not contain browsers.
 */
function placesOf(environment: NodeJS.ProcessEnv): readonly string[] {
  const { PROGRAMFILES = '', LOCALAPPDATA = '' } = environment;
  return [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ...[PROGRAMFILES, LOCALAPPDATA]
      .filter((folder) => folder !== '')
      .map((folder) => join(folder, 'Google/Chrome/Application/chrome.exe')),
  ];
}

/**
 * Returns the path of a browser, or `null` if none is found. Throws a `UsageError` if `chosen` is
 * not an executable file.
 * @param chosen the path in the configuration. `null`: search `PATH` and the default paths
 */
export async function findChromium(chosen: string | null, environment: NodeJS.ProcessEnv): Promise<string | null> {
  if (chosen !== null) {
    if (await isExecutable(chosen)) return chosen;
    throw new UsageError(`“browser” in the configuration is not a program that can be started: ${chosen}.`);
  }
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const places = [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...placesOf(environment)];
  for (const place of places) if (await isExecutable(place)) return place;
  return null;
}
