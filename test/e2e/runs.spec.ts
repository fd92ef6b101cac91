import type { Page } from '@playwright/test';
import { expect, test, type Podium } from './podium';

/** The stored search index of all runs, as text. */
function storedIndex(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const answer = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error('no answer'));
      });
    const database = await answer(indexedDB.open('podium'));
    const transaction = database.transaction(['indexTail', 'indexChunks', 'indexTexts']);
    const parts = await Promise.all(
      [...transaction.objectStoreNames].map((name) => answer(transaction.objectStore(name).getAll())),
    );
    database.close();
    return JSON.stringify(parts);
  });
}

async function ask(podium: Podium, question: string): Promise<void> {
  await podium.question.fill(question);
  await podium.run.click();
  await podium.ended();
}

test('runs can be searched, sorted, annotated, filtered by the URL, deleted, and restored with Undo @smoke', async ({
  page,
  podium,
}) => {
  await podium.open();
  await podium.choose('Birch');
  await podium.conductor.selectOption('template:best-single');
  await ask(podium, 'What is 3 + 4 × 5?');
  await ask(podium, 'What is 2 + 2?');
  await page.goto('/#/runs');
  const links = page.getByRole('row').getByRole('link');
  await expect(links).toHaveText(['What is 2 + 2?', 'What is 3 + 4 × 5?']);

  const search = page.getByRole('searchbox', { name: 'Search runs' });
  await search.fill('4 × 5');
  await expect(links).toHaveText(['What is 3 + 4 × 5?']);
  await expect(page).toHaveURL(/#\/runs\?q=4\+%C3%97\+5$/);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByRole('columnheader', { name: 'Question' }).getByRole('button').click();
  await page.getByRole('columnheader', { name: 'Question' }).getByRole('button').click();
  await expect(links).toHaveText(['What is 3 + 4 × 5?', 'What is 2 + 2?']);
  await expect(page).toHaveURL(/sort=-question/);

  await page.getByRole('button', { name: 'Star: What is 2 + 2?' }).click();
  const act = async (name: string, action: string) => {
    await page.getByRole('button', { name: `Actions: ${name}` }).click();
    await page.getByRole('group', { name: 'Actions' }).getByRole('button', { name: action }).click();
  };
  await act('What is 2 + 2?', 'Rename…');
  await page.getByRole('textbox', { name: 'Title' }).fill('The easy one');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await act('The easy one', 'Note…');
  await page.getByRole('textbox', { name: 'Note' }).fill('Too easy for three workers');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await act('The easy one', 'Tags…');
  await page.getByRole('combobox', { name: 'Tag', exact: true }).fill('sums');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await search.fill('three workers');
  await expect(links).toHaveText(['The easy one']);

  await page.goto('/#/runs?tag=sums&starred=yes&kind=maths');
  await page.reload();
  await expect(links).toHaveText(['The easy one']);
  await page.goto('/#/runs?grade=right');
  await expect(page.getByText('No runs match.')).toBeVisible();
  await page.goBack();
  await expect(links).toHaveText(['The easy one']);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();

  await page.getByRole('checkbox', { name: 'Select all 2 runs' }).check();
  const tray = page.getByRole('group', { name: 'Selected runs' });
  await tray.getByRole('button', { name: 'Check answer' }).click();
  await expect(page.getByText(/^Checked: /)).toBeVisible();
  await tray.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('2 runs deleted.')).toBeVisible();
  await expect(links).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(links).toHaveCount(2);
  await act('The easy one', 'Delete');
  await expect(links).toHaveText(['What is 3 + 4 × 5?']);
  expect(await storedIndex(page)).toContain('2 + 2');
  await expect(page.getByRole('button', { name: 'Undo' })).toBeHidden({ timeout: 15_000 });
  await expect.poll(() => storedIndex(page)).not.toMatch(/2 \+ 2|three workers|sums/);
  expect(await storedIndex(page)).toContain('3 + 4 × 5');
  await page.reload();
  await expect(links).toHaveText(['What is 3 + 4 × 5?']);
});
