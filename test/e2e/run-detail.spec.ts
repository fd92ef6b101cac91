/** @file Tests the page of a saved run: what a step saw, and how the run is copied and exported. */
import { readFile } from 'node:fs/promises';
import { expect, test } from './podium';
import { saved, withoutPicker } from './run-files';

test('the page of a run shows what a step saw, and can copy and export the run @smoke', async ({
  page,
  podium,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await withoutPicker(page);
  await podium.open();
  await podium.conductor.selectOption('template:self-reflection');
  await podium.question.fill('Use 3, 4, 7, 8, 25 and 50 to reach 537.');
  await podium.run.click();
  await podium.ended();
  await page.getByRole('link', { name: 'Replay' }).click();
  await page.getByRole('link', { name: /^Step 2, / }).click();
  await page.getByText('What it saw', { exact: true }).click();
  const saw = page.getByRole('region', { name: 'What it saw' });
  await expect(saw.getByText('From the prompt that was sent.')).toBeVisible();
  await expect(saw.getByText('Step 1,')).toHaveCount(1);
  await expect(
    page.getByRole('region', { name: 'What it could not see' }).getByText('comes later').first(),
  ).toBeVisible();

  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'Copy' }).first().click();
  await page.getByRole('button', { name: /^Link/ }).click();
  await expect.poll(copied).toMatch(/#\/runs\/[^?]+\?step=0\.1$/);
  await page.getByRole('button', { name: 'Copied' }).click();
  await page.getByRole('button', { name: /^Markdown/ }).click();
  await expect.poll(copied).toContain('### Step 2: ');

  await page.getByText('Events as JSON').click();
  const path = await saved(page, () => page.getByRole('button', { name: 'Download' }).click());
  const events: unknown = JSON.parse(await readFile(path, 'utf8'));
  expect(events).toContainEqual(expect.objectContaining({ type: 'run-finished' }));

  const picture = async (name: RegExp) => {
    await page.getByRole('button', { name: 'Export' }).click();
    return readFile(await saved(page, () => page.getByRole('button', { name }).click()));
  };
  const svg = (await picture(/^Picture, SVG/)).toString();
  expect(svg).toMatch(/^<svg /);
  expect(svg).toContain('simulated');
  expect(svg).not.toMatch(/href=|url\(http|<image|<script/);
  const png = await picture(/^Picture, PNG/);
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect(png.readUInt32BE(16), 'width in px').toBe(2400);
});
