/** @file Tests the page *Analyze* without runs and with imported runs: the plots, their tables, files and links. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { analyzedRuns } from './analyzed-runs';
import { expect, test } from './podium';
import { importText, saved, savedText, withoutPicker } from './run-files';

/** Returns the size of a picture, and its number of colors. */
function coloursOf(page: Page, base64: string) {
  return page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const { width, height } = picture;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context?.drawImage(picture, 0, 0);
    const pixels = new Uint32Array(context?.getImageData(0, 0, width, height).data.buffer ?? new ArrayBuffer(0));
    return { width, height, colours: new Set(pixels).size };
  }, base64);
}

test('Analyze plots imported runs, and a plot has a table, files and links to its runs @smoke', async ({
  page,
  podium,
  axe,
}) => {
  await withoutPicker(page);
  await podium.open('/#/analyze');
  await expect(page.getByRole('link', { name: 'Start a run' })).toBeVisible();
  await axe.check('Analyze without runs');

  await page.goto('/#/runs');
  await importText(page, analyzedRuns(60));
  await expect(page.getByText('60 runs added')).toBeVisible();
  await page.goto('/#/analyze');
  await expect(page.getByText(/\d+ graded runs of 60/)).toBeVisible();
  await expect(page.getByText('simulated', { exact: true })).toBeVisible();

  const shapes = page.getByRole('figure', { name: /plans/ }).first();
  await shapes.scrollIntoViewIfNeeded();
  await shapes.getByRole('button', { name: /^Show as a table/ }).click();
  await expect(shapes.getByRole('columnheader', { name: 'Share of right runs', exact: true })).toBeVisible();
  await shapes.getByRole('button', { name: /^Show as a table/ }).click();

  await shapes.getByRole('button', { name: /^Save/ }).click();
  const csv = await savedText(page, () => shapes.getByRole('button', { name: /^CSV/ }).click());
  expect(csv).toMatch(/^\ufeffShape,Plans,Share of plans,/);
  await shapes.getByRole('button', { name: /^Save/ }).click();
  const svg = await savedText(page, () => shapes.getByRole('button', { name: /^SVG/ }).click());
  expect(svg).toMatch(/^<svg.* fill="rgb/s);
  expect(svg).not.toContain('<a ');
  await shapes.getByRole('button', { name: /^Save/ }).click();
  const png = await readFile(await saved(page, () => shapes.getByRole('button', { name: /^PNG/ }).click()));
  const plot = shapes.getByRole('group').first();
  const [width, height] = [await plot.getAttribute('width'), await plot.getAttribute('height')].map(Number);
  const drawn = await coloursOf(page, png.toString('base64'));
  expect(drawn).toMatchObject({ width: Math.floor(2 * (width ?? 0)), height: Math.floor(2 * (height ?? 0)) });
  expect(drawn.colours).toBeGreaterThan(3);

  await axe.check('Analyze');
  const marks = shapes.getByRole('link');
  await marks.first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(marks.nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/runs\?shape=/);
  await expect(page.getByRole('list', { name: 'Active filters' })).toContainText('Shape:');

  // A mark in a plot links to a list of runs. The mark's label states the number of these runs.
  await page.goto('/#/analyze');
  const spending = page.getByRole('figure', { name: /Spending by purpose|of the cost$/ });
  await spending.scrollIntoViewIfNeeded();
  const plans = spending.getByRole('link', { name: /^Plans, / });
  const counted = /(\d+) runs?$/.exec((await plans.getAttribute('aria-label')) ?? '')?.[1];
  await plans.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Active filters' })).toContainText('Spent on: plans');
  await expect(page.getByText(`${counted} runs`, { exact: true })).toBeVisible();
});
