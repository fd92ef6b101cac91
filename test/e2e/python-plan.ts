/** @file Plans whose one step is Python's: what stands in the question is what runs. */
import type { Page } from '@playwright/test';
import { expect, type Podium } from './podium';

/** Loading Python takes seconds on a busy machine, and the time limit is ten. */
export const PYTHON_PATIENCE = 60_000;

/** Opens the plan of one step that the best single worker makes, once it stands there. */
export async function editPlan(page: Page, podium: Podium): Promise<void> {
  await podium.conductor.selectOption('template:best-single');
  await expect(podium.workflow.getByRole('img', { name: /^Step \d/ })).toHaveCount(1);
  await page.getByRole('button', { name: 'Edit plan' }).click();
}

/** A plan of one step, Python's, by hand: what stands in the question is what runs. */
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

/** An edited plan belongs to its question, so for another one it is used on purpose. */
export async function useEditedPlan(podium: Podium): Promise<void> {
  await podium.page.getByRole('button', { name: 'Use your edited plan for this question' }).click();
}

/** Runs code as a question and waits for words of its answer. */
export async function expectAnswer(podium: Podium, code: string, words: string | RegExp): Promise<void> {
  await start(podium, code);
  await expect(podium.answer.getByText(words).first()).toBeVisible({ timeout: PYTHON_PATIENCE });
  await expect(podium.run).toBeEnabled();
}
