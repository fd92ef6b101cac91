/**
 * @file The interface for controlling a page in any browser engine. Elements are found by Playwright selectors, which `role`
 * and `text` build.
 */
import { expect } from '@playwright/test';

/** Timeout for the page to show something, in ms. */
export const PATIENCE = 30_000;

/** A browser page that starts without stored data. */
export interface Tab {
  open(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Sets the size of the page, in CSS px. */
  resize(width: number, height: number): Promise<void>;
  /** Waits for a visible match, and clicks the first one. */
  click(selector: string): Promise<void>;
  /** Replaces the text of a field. */
  fill(selector: string, text: string): Promise<void>;
  /** Chooses an option by its value. */
  choose(selector: string, value: string): Promise<void>;
  /** Presses a key while the element has the focus. */
  press(selector: string, key: 'Home' | 'Enter'): Promise<void>;
  /** Chooses a file in a file input, which may be hidden. */
  attach(selector: string, path: string): Promise<void>;
  /** The text of each visible match. */
  texts(selector: string): Promise<string[]>;
  /** Runs a self-contained function in the page. @returns its result, which must be serializable as JSON */
  run(script: () => unknown): Promise<unknown>;
  close(): Promise<void>;
}

/** A running browser. */
export interface Engine {
  /** Name and version. */
  readonly name: string;
  newTab(): Promise<Tab>;
  close(): Promise<void>;
}

/**
 * Selects elements by role and accessible name, optionally inside another element.
 * @param name the accessible name. A string must equal the whole name. A regular expression can match a part
 */
export function role(kind: string, name?: string | RegExp, within = ''): string {
  const attribute =
    name === undefined ? '' : `[name=${typeof name === 'string' ? JSON.stringify(name) : String(name)}]`;
  return `${within && `${within} >> `}role=${kind}${attribute}`;
}

/** Selects the innermost elements that contain a text. A string matches regardless of case. */
export function text(content: string | RegExp, within = ''): string {
  return `${within && `${within} >> `}text=${String(content)}`;
}

/** Waits until a selector has a visible match. */
export async function sees(tab: Tab, selector: string): Promise<void> {
  await expect
    .poll(async () => (await tab.texts(selector)).length, { message: `visible: ${selector}`, timeout: PATIENCE })
    .toBeGreaterThan(0);
}
