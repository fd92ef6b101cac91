/** @file Saves and opens run files like a user. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';

/** Makes the page save files as downloads, because a test can't use the browser's file dialog. */
export async function withoutPicker(page: Page): Promise<void> {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
}

/** @returns the path of the file that a click saves */
export async function saved(page: Page, press: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return download.path();
}

/** @returns the text of the file that a click saves */
export async function savedText(page: Page, press: () => Promise<void>): Promise<string> {
  return readFile(await saved(page, press), 'utf8');
}

/** Exports a runs file on the page of a run. @returns the text of the file */
export async function savedRunText(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  return savedText(page, () => page.getByRole('button', { name: /^Runs file/ }).click());
}

/** Imports a text as a file on *Runs*. */
export async function importText(page: Page, text: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import' }).click();
  const buffer = Buffer.from(text);
  await (await chooser).setFiles({ name: 'runs.podium.jsonl', mimeType: 'application/json', buffer });
}
