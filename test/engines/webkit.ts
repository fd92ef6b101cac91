/** @file Controls MiniBrowser, the small browser of WebKitGTK, over WebDriver on a virtual display. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { Builder, Key, type WebDriver, type WebElement } from 'selenium-webdriver';
import * as z from 'zod/mini';
import { locateScript } from './locate-script';
import { PATIENCE, type Engine, type Tab } from './tab';

export interface WebKitPrograms {
  /** Path of `WebKitWebDriver`. */
  readonly driver: string;
  /** Path of `Xvfb`, which provides the display. */
  readonly display: string;
}

const KEYS = { Home: Key.HOME, Enter: Key.ENTER } as const;

export async function startWebKit(programs: WebKitPrograms): Promise<Engine> {
  const home = await mkdtemp(join(tmpdir(), 'podium-webkit-'));
  const display = spawn(programs.display, ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const port = await freePort();
  const driver = spawn(programs.driver, [`--port=${port}`], {
    // The driver gets its own home folder, so that none of the user's files are read or changed.
    env: {
      ...process.env,
      HOME: home,
      XDG_CONFIG_HOME: home,
      XDG_CACHE_HOME: home,
      XDG_DATA_HOME: home,
      DISPLAY: await displayName(display),
    },
    stdio: 'ignore',
  });
  const server = `http://127.0.0.1:${port}`;
  await expect.poll(() => isReady(server), { timeout: PATIENCE }).toBe(true);
  const locate = await locateScript();
  // Without the path of a browser, the driver starts its own MiniBrowser.
  const start = () => new Builder().usingServer(server).withCapabilities({ browserName: 'MiniBrowser' }).build();
  return {
    name: 'WebKitGTK',
    newTab: async () => tabOf(await start(), locate),
    close: async () => {
      await stop(driver);
      await stop(display);
      // WebKit's processes may still write files for a moment after the driver has ended.
      await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

function tabOf(driver: WebDriver, locate: string): Tab {
  const find = async (selector: string, mayBeHidden = false): Promise<WebElement[]> => {
    const lookUp = 'return window.locate?.(arguments[0], arguments[1]) ?? null';
    const found = await driver.executeScript<WebElement[] | null>(lookUp, selector, mayBeHidden);
    if (found) return found;
    await driver.executeScript(locate);
    return driver.executeScript<WebElement[]>(lookUp, selector, mayBeHidden);
  };
  /** Repeats an action until it succeeds, because the page may replace or cover an element after `find` has found it. */
  const act = async (selector: string, action: (element: WebElement) => Promise<void>, mayBeHidden = false) => {
    await expect(async () => {
      const [element] = await find(selector, mayBeHidden);
      if (!element) throw new Error(`Nothing visible matches ${selector}`);
      await action(element);
    }).toPass({ timeout: PATIENCE, intervals: [50, 100, 250] });
  };
  return {
    open: (url) => driver.get(url),
    reload: () => driver.navigate().refresh(),
    resize: async (width, height) => {
      // Sets the width twice, because the window is wider than the page in it.
      const window = driver.manage().window();
      await window.setRect({ width, height });
      const [inner, outer] = [await driver.executeScript<number>('return innerWidth'), await window.getRect()];
      await window.setRect({ width: outer.width + width - inner, height });
    },
    click: (selector) => act(selector, (element) => element.click()),
    fill: (selector, value) =>
      act(selector, async (element) => {
        await element.clear();
        if (value !== '') await element.sendKeys(value);
      }),
    choose: (selector, value) =>
      act(selector, async (element) => {
        const option = await driver.executeScript<WebElement | null>(
          'return [...arguments[0].options].find(({ value }) => value === arguments[1]) ?? null',
          element,
          value,
        );
        if (!option) throw new Error(`${selector} has no option ${value}`);
        await option.click();
      }),
    press: (selector, key) => act(selector, (element) => element.sendKeys(KEYS[key])),
    attach: (selector, path) => act(selector, (element) => element.sendKeys(path), true),
    texts: async (selector) => {
      const found = await find(selector);
      return driver.executeScript<string[]>('return arguments[0].map((each) => each.innerText ?? "")', found);
    },
    run: (script) => driver.executeAsyncScript(`Promise.resolve((${String(script)})()).then(arguments[0])`),
    close: () => driver.quit(),
  };
}

async function displayName({ stdio: [, , , numbered] }: ChildProcess): Promise<string> {
  if (!numbered || !('on' in numbered)) throw new Error('The virtual display does not report its number.');
  const [number] = z.tuple([z.instanceof(Buffer)]).parse(await once(numbered, 'data'));
  return `:${number.toString().trim()}`;
}

async function isReady(server: string): Promise<boolean> {
  const answer = await fetch(`${server}/status`).catch(() => null);
  return answer?.ok === true;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}
