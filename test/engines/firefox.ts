/** @file Drives an installed Firefox over WebDriver BiDi. */
import { expect } from '@playwright/test';
import puppeteer, { type ElementHandle, type Page } from 'puppeteer-core';
import { locateScript } from './locate-script';
import { PATIENCE, type Engine, type Tab } from './tab';

export async function startFirefox(executablePath: string): Promise<Engine> {
  // Uses Puppeteer, because Playwright can't control an unpatched older Firefox, such as Debian's `firefox-esr`.
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true });
  const locate = await locateScript();
  return {
    name: await browser.version(),
    newTab: async () => {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      await page.setViewport({ width: 1280, height: 800 });
      return tabOf(page, locate, () => context.close());
    },
    close: () => browser.close(),
  };
}

function tabOf(page: Page, locate: string, close: () => Promise<void>): Tab {
  const prepare = async () => {
    if (!(await page.evaluate(() => 'locate' in window))) await page.evaluate(locate);
  };
  const act = async (selector: string, action: (element: ElementHandle) => Promise<unknown>, mayBeHidden = false) => {
    await expect(async () => {
      await prepare();
      const find = (named: string, hidden: boolean) => window.locate?.(named, hidden)[0] ?? null;
      const handle = await page.evaluateHandle(find, selector, mayBeHidden);
      const element = handle.asElement() as ElementHandle | null;
      if (!element) throw new Error(`Nothing visible matches ${selector}`);
      await action(element);
    }).toPass({ timeout: PATIENCE, intervals: [50, 100, 250] });
  };
  return {
    open: async (url) => {
      await page.goto(url);
    },
    reload: async () => {
      await page.reload();
    },
    resize: (width, height) => page.setViewport({ width, height }),
    click: (selector) => act(selector, (element) => element.click()),
    fill: (selector, value) =>
      act(selector, async (element) => {
        await element.evaluate((field) => {
          if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.select();
        });
        await element.press('Backspace');
        await element.type(value);
      }),
    choose: (selector, value) =>
      act(selector, (element) => (element as ElementHandle<HTMLSelectElement>).select(value)),
    press: (selector, key) => act(selector, (element) => element.press(key)),
    attach: (selector, path) =>
      act(selector, (element) => (element as ElementHandle<HTMLInputElement>).uploadFile(path), true),
    texts: async (selector) => {
      await prepare();
      return page.evaluate(
        (named) => (window.locate?.(named, false) ?? []).map((each) => each.textContent ?? ''),
        selector,
      );
    },
    run: (script) => page.evaluate(script),
    close,
  };
}
