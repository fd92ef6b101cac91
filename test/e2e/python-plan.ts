/** @file Plans with a single Python step, which runs the code in the question. */
import type { Page } from '@playwright/test';
import { expect, type Podium } from './podium';

/** Time for loading Python on a busy machine, plus the ten seconds for which its code may run, ms. */
export const PYTHON_PATIENCE = 120_000;

/** Opens the editor for the plan of the template *Best single worker*, which has one step, once the plan is shown. */
export async function editPlan(page: Page, podium: Podium): Promise<void> {
  await podium.conductor.selectOption('template:best-single');
  await expect(podium.workflow.getByRole('img', { name: /^Step \d/ })).toHaveCount(1);
  await page.getByRole('button', { name: 'Edit plan' }).click();
}

/** Makes a plan by hand with a single Python step, which runs the code in the question. */
export async function planPython(page: Page, podium: Podium, path = '/'): Promise<void> {
  await podium.open(path);
  await podium.choose('Alder', 'Python');
  await editPlan(page, podium);
  await page.getByLabel('Worker of step 1').selectOption({ label: 'Python' });
  await page.getByLabel('Subtask of step 1').fill('Run the code of the question.');
}

/** Runs code as a question, with the plan that was edited for another question. */
export async function start(podium: Podium, code: string): Promise<void> {
  // If the question changes during a run, that run stays in view and the edited plan is not offered yet.
  await expect(podium.run).toBeEnabled();
  await podium.question.fill(`\`\`\`python\n${code}\n\`\`\``);
  await useEditedPlan(podium);
  await podium.run.click();
}

/** Uses the edited plan for this question. Otherwise, Podium uses it only for the question for which it was edited. */
export async function useEditedPlan(podium: Podium): Promise<void> {
  await podium.page.getByRole('button', { name: 'Use your edited plan for this question' }).click();
}

/** Runs code as a question and waits until the answer contains a text. */
export async function expectAnswer(podium: Podium, code: string, words: string | RegExp): Promise<void> {
  await start(podium, code);
  await expect(podium.answer.getByText(words).first()).toBeVisible({ timeout: PYTHON_PATIENCE });
  await expect(podium.run).toBeEnabled();
}
