import type { Page } from '@playwright/test';
import { finishedRunBodies, stampEvents } from '../fixtures/run-events';
import { expect, test } from './podium';

/** Drags a file over the page and drops it. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([fileName, content]) => {
      const held = new DataTransfer();
      held.items.add(new File([content], fileName));
      return held;
    },
    [name, text] as const,
  );
  await page.dispatchEvent('main', 'dragover', { dataTransfer: transfer });
  await expect(page.getByText('Drop to import')).toBeVisible();
  await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
  await expect(page.getByText('Drop to import')).toBeHidden();
}

test('a dropped file opens the import for its type, and an unsupported file is reported @smoke', async ({
  page,
  podium,
}) => {
  await podium.open('/#/settings');
  const run = { format: 'podium-run', version: 1, events: stampEvents(finishedRunBodies()) };
  await drop(page, 'afar.podium.jsonl', `${JSON.stringify(run)}\n`);
  await expect(page.getByRole('heading', { name: 'Runs' })).toBeVisible();
  await expect(page.getByText('1 run added.')).toBeVisible();

  await drop(page, 'tasks.csv', 'question,answer\nWhat is 2 + 2?,4\n');
  await expect(page.getByRole('heading', { name: 'Check the dataset' })).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('tasks');

  await drop(page, 'photo.heic', 'x');
  const dialog = page.getByRole('dialog', { name: 'Not imported' });
  await expect(dialog).toContainText('photo.heic');
  await dialog.getByRole('button', { name: 'Close' }).click();

  await page.goto('/#/');
  await drop(page, 'mine.podium-backup.jsonl', 'no backup');
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: /backup/i })).toBeVisible();
});
