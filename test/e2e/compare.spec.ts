import { expect, test } from './podium';

test('a fork is compared with its parent, and the step that differs is marked @smoke', async ({ page, podium }) => {
  await podium.open();
  await podium.question.fill('Use 3, 4, 7, 8, 25 and 50, each at most once, with + − × ÷, to reach 537.');
  await podium.run.click();
  await podium.ended();
  await page.getByRole('link', { name: 'Replay' }).click();
  // Searches by text, because a search by role would also match similar buttons on *Conduct* before *Replay* has
  // opened.
  const start = page.getByText(/^\s*Fork from step \d/);
  const last = Number(/\d+/.exec((await start.textContent()) ?? '')?.[0]);
  await start.click();
  const dialog = page.getByRole('dialog');
  const subtask = dialog.getByRole('textbox').last();
  await subtask.fill(`${await subtask.inputValue()} Give only that.`);
  await dialog.getByRole('button', { name: 'Fork' }).click();
  await expect(page.getByRole('link', { name: /^Forked from step/ })).toBeVisible();

  await page.getByRole('link', { name: 'Compare with that run' }).click();
  await expect(page.getByRole('heading', { name: 'Compare 2 runs' })).toBeVisible();
  const steps = page.getByRole('region', { name: 'Steps' });
  await expect(steps.getByRole('status')).toHaveText(new RegExp(`^1 of ${last} steps differ`));
  const row = steps.getByRole('listitem', { name: `Step ${last}, differs` });
  await expect(row).toContainText('Different subtask');
  await expect(row.getByRole('insertion').first()).toBeVisible();
  await expect(steps.getByText('same in both')).toHaveCount(last - 1);
});
