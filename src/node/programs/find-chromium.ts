/** @file Finds a Chromium or Chrome on this machine. */
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

/** The usual paths of the browsers on macOS and Windows, where browsers are not in `PATH`. */
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
 * The path of a browser, or `null` if there is none. Throws a `UsageError` if `chosen` can't be started.
 * @param chosen the path in the configuration. `null`: search for a browser
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
