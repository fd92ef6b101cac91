import { readFile } from 'node:fs/promises';
import { BROWSER_ARGS, findBrowser } from '../../scripts/browser.mjs';
import { expect, test } from './podium';

const executablePath = await findBrowser();
// Training is faster with the optimization of WebAssembly, which other tests turn off.
test.use({ launchOptions: { executablePath, args: BROWSER_ARGS } });

/** The scales of a comparison and of training in the built page, and smaller ones that take seconds. */
const SMALLER = [
  ['items:4e3,workers:240,runs:6e3', 'items:400,workers:240,runs:6e3'],
  ['workers:400,runs:8e3', 'workers:400,runs:800'],
  ['pretrainingUpdates:150', 'pretrainingUpdates:30'],
] as const;

/** The scales that were replaced in the files of the page. */
const replaced = new Set<string>();

test.beforeEach(async ({ context }) => {
  replaced.clear();
  await context.route(/\/assets\/[^/]+\.js$/, async (route) => {
    const response = await route.fetch();
    let body = await response.text();
    for (const [scale, smaller] of SMALLER) {
      if (body.includes(scale)) replaced.add(scale);
      body = body.replace(scale, smaller);
    }
    await route.fulfill({ response, body });
  });
});

/** A long time limit (ms) for a busy machine. */
const PATIENCE = { timeout: 400_000 };

test('a policy can be trained, compared and deleted, and other pages stay usable during training', async ({
  page,
  podium,
  axe,
}) => {
  test.setTimeout(900_000);
  await podium.open('/#/train');
  await expect(page.getByRole('heading', { level: 1, name: 'Train' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Policies' }).getByText('Included with Podium')).toBeVisible();
  await axe.check('Train');
  await page.getByRole('textbox', { name: 'Updates' }).fill('0');
  await page.getByRole('textbox', { name: 'Updates' }).blur();
  await expect(page.getByText('Enter a whole number from 1 to 10,000.')).toBeVisible();
  // Random weights improve after a few updates. Weights that are already trained might never improve.
  await page.getByText('New random weights', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Updates' }).fill('120');
  await page.getByRole('textbox', { name: 'Updates' }).blur();
  await page.getByRole('button', { name: 'Start training' }).click();
  await expect(page.getByText(/^Update \d+ of 120$/)).toBeVisible(PATIENCE);
  const curves = page.getByRole('region', { name: 'Curves', exact: true });
  await expect(curves.getByRole('img', { name: /^reward: 0\.\d\d/ })).toBeVisible();
  await expect(curves.getByRole('img', { name: /^one step: \d+ %, chain: / })).toBeVisible();

  expect(replaced, 'scales that this test makes smaller').toEqual(new Set(SMALLER.map(([scale]) => scale)));

  // Training continues while another page is open.
  await page.getByRole('link', { name: 'Conduct', exact: true }).click();
  await expect(podium.run).toBeEnabled();
  await page.getByRole('link', { name: 'Train', exact: true }).click();
  await expect(page.getByText(/best so far: after update/)).toBeVisible(PATIENCE);
  await axe.check('a training that runs');
  await podium.stop.click();
  await expect(page.getByText(/Comparing on item [\d,]+ of 400/)).toBeVisible(PATIENCE);
  await expect(page.getByRole('region', { name: 'Candidate' }).getByText(/^You can(’t)? use this policy/)).toBeVisible(
    PATIENCE,
  );
  await axe.check('a compared policy');

  // The trained policy is still listed after a reload, until it is deleted. The reload would cancel requests that are being changed.
  await page.context().unrouteAll({ behavior: 'ignoreErrors' });
  await page.reload();
  await expect(page.getByRole('region', { name: 'Policies' }).getByText(/^Seed 1, after update/)).toBeVisible();
  await page.getByRole('button', { name: /^Delete Seed 1/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('region', { name: 'Policies' }).getByText(/^Seed 1, after update/)).toHaveCount(0);
});

test('a policy can be exported, imported, compared, used and deleted, and an invalid file is rejected', async ({
  page,
  podium,
}) => {
  test.setTimeout(900_000);
  // Removes the file dialog, which tests can't use. Files are then saved as downloads.
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await podium.open('/#/train');
  const list = page.getByRole('region', { name: 'Policies' });
  const download = page.waitForEvent('download');
  await list.getByRole('button', { name: 'Export the policy included with Podium' }).click();
  const file = await readFile(await (await download).path(), 'utf8');
  expect(JSON.parse(file)).toMatchObject({ format: 'podium-policy', version: 1 });

  const give = async (name: string, content: string) =>
    list
      .getByLabel('Import a policy')
      .last()
      .setInputFiles({
        name,
        mimeType: 'application/json',
        buffer: Buffer.from(content),
      });
  await give('notes.json', '{"format":"podium-policy"}');
  await expect(page.getByRole('alert')).toContainText('notes.json is not a policy that this version can read.');
  await give('mine.json', file.replace(/"revision":"[^"]*"/, '"revision":"of-my-own"'));
  await expect(list.getByText('not compared yet')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(list.getByRole('button', { name: 'Use mine' })).toHaveCount(0);
  await list.getByRole('button', { name: 'Compare mine' }).click();
  // Another tab shows at once which policy is in use.
  const second = await page.context().newPage();
  await second.goto('/#/train');
  await expect(second.getByText('mine', { exact: true })).toBeVisible();
  await expect(second.getByRole('button', { name: 'Use the policy included with Podium' })).toHaveCount(0);
  await list.getByRole('button', { name: 'Use mine' }).click(PATIENCE);
  await expect(list.getByText('in use', { exact: true })).toHaveCount(1);
  await expect(second.getByRole('button', { name: 'Use the policy included with Podium' })).toBeVisible();

  await page.getByRole('link', { name: 'Conduct', exact: true }).click();
  await podium.conductor.selectOption('policy');
  await podium.run.click();
  await podium.ended();
  const models = (await podium.storedEvents())
    .filter(({ type }) => type === 'plan-started')
    .map(({ conductor }) => (conductor as { model?: string }).model);
  expect(models).toEqual(['of-my-own']);

  await page.goto('/#/train');
  await list.getByRole('button', { name: 'Use the policy included with Podium' }).click();
  await list.getByRole('button', { name: 'Delete mine' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(list.getByText('mine', { exact: true })).toHaveCount(0);
  await expect(second.getByText('mine', { exact: true })).toHaveCount(0);
});
