/** @file Helpers for tests with a plan of one Python step, which runs the code in the question. */
import type { Page } from '@playwright/test';
import { expect, type Podium } from './podium';

/** Timeout in ms: the time to load Python on a busy machine, plus the ten seconds that code may run. */
export const PYTHON_PATIENCE = 120_000;

/** Chooses the template *Best single worker*, waits until its plan of one step is shown, and opens the plan's editor. */
export async function editPlan(page: Page, podium: Podium): Promise<void> {
  await podium.conductor.selectOption('template:best-single');
  await expect(podium.workflow.getByRole('img', { name: /^Step \d/ })).toHaveCount(1);
  await page.getByRole('button', { name: 'Edit plan' }).click();
}

/** Opens the page, and edits the plan into a single Python step that runs the code in the question. */
export async function planPython(page: Page, podium: Podium, path = '/'): Promise<void> {
  await podium.open(path);
  await podium.choose('Alder', 'Python');
  await editPlan(page, podium);
  await page.getByLabel('Worker of step 1').selectOption({ label: 'Python' });
  await page.getByLabel('Subtask of step 1').fill('Run the code of the question.');
}

/** Enters code as the question, and runs it with the plan that was edited for an earlier question. */
export async function start(podium: Podium, code: string): Promise<void> {
  // Waits until the run has ended, because the edited plan is not offered during a run.
  await expect(podium.run).toBeEnabled();
  await podium.question.fill(`\`\`\`python\n${code}\n\`\`\``);
  await useEditedPlan(podium);
  await podium.run.click();
}

/** Uses the edited plan for the current question. Podium doesn't do this by itself after the question has changed. */
export async function useEditedPlan(podium: Podium): Promise<void> {
  await podium.page.getByRole('button', { name: 'Use your edited plan for this question' }).click();
}

/** Runs code with `start`. Waits until the answer contains `words`, and the run has ended. */
export async function expectAnswer(podium: Podium, code: string, words: string | RegExp): Promise<void> {
  await start(podium, code);
  await expect(podium.answer.getByText(words).first()).toBeVisible({ timeout: PYTHON_PATIENCE });
  await expect(podium.run).toBeEnabled();
}
