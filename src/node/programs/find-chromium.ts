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

/** The usual places outside of `PATH`. */
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
 * The path of a browser, or `null` if there is none.
 * @param chosen a path from the configuration, used without a search. Throws a `UsageError` if it can't be started
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
