/** @file Finds and checks the browser that runs programs (Python code in answers), before any paid call is made. */
import { availableParallelism } from 'node:os';
import type { BatchPlan, DatasetStore } from '../../core/contract';
import type { CommandContext } from '../command';
import { UsageError } from '../exit-codes';
import { createChromiumRunner, type ChromiumRunner } from '../programs/chromium-runner';
import { isProgram, NO_BROWSER } from './graders';
import { delimiter, join } from 'node:path';
import { isExecutable } from '../exists';

/** Maximum number of programs that run at the same time. Each may need 512 MB of memory. */
const MOST_PAGES = 4;
/** Time limit of the program that checks the browser, ms. */
const CHECK_TIME = 30_000;

/**
 * Finds the browser if the batch has tasks whose answers are programs. Prints a warning if the batch has such tasks and
 * no browser is found. Throws a `UsageError` if the configured browser is not an executable file.
 * @returns the path of the browser. `null`: no browser is found, or the batch has no such tasks
 */
export async function findPlanBrowser(
  plan: BatchPlan,
  datasets: DatasetStore,
  { config, terminal }: CommandContext,
): Promise<string | null> {
  if (!(await hasPrograms(plan, datasets))) return null;
  const executable = await findChromium(config.browser ?? null, terminal.environment);
  if (executable === null) terminal.error(`Some tasks of the plan can’t be graded. ${NO_BROWSER.message}\n`);
  return executable;
}

/**
 * Starts the browser and runs one program in it. Throws a `UsageError` if the program fails, and an `AbortError` if the user
 * interrupts the command twice.
 * @param executable from `findPlanBrowser`
 * @returns `null` if there is no browser, or if the page that runs programs was not built. Then programs can't be graded
 */
export async function startPrograms(
  executable: string | null,
  { terminal }: CommandContext,
): Promise<ChromiumRunner | null> {
  if (executable === null || terminal.programs === undefined) return null;
  const pages = Math.min(MOST_PAGES, availableParallelism());
  const runner = createChromiumRunner({ executable, folder: terminal.programs, pages });
  try {
    const stop = terminal.stopped ?? new AbortController().signal;
    const { fault } = await runner.run('1', { timeLimit: CHECK_TIME }, stop);
    if (!fault) return runner;
    throw new UsageError(
      `${executable} can’t grade the programs of the plan. ${fault.message} Install Chromium or Chrome, or give the path of one as “browser” in podium.config.json.`,
    );
  } catch (thrown) {
    await runner.close();
    throw thrown;
  }
}

async function hasPrograms(plan: BatchPlan, datasets: DatasetStore): Promise<boolean> {
  for (const { id, taskIds } of plan.datasets) {
    const dataset = await datasets.get(id);
    if (!dataset?.graders.some((grader) => isProgram({ grader }))) continue;
    const tasks = await datasets.tasks(id, taskIds);
    if (tasks.some(isProgram)) return true;
  }
  return false;
}

/** Finds an installed Chromium or Chrome. */
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
