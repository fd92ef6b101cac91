/** @file Elements and actions that several tests in this folder use. */
import { role, sees, text, type Tab } from './tab';

export const QUESTION = role('textbox', 'Question');
export const RUN = role('button', /^Run/);
export const ANSWER = role('region', 'Answer');
export const WORKFLOW = role('region', 'Workflow');

/** Opens Conduct and waits until the plan of the example question is shown. */
export async function openConduct(tab: Tab, url: string): Promise<void> {
  await tab.open(`${url}/`);
  await sees(tab, role('img', /^Step 1, /, WORKFLOW));
}

/** Presses Run, and waits until the simulated workers have answered. */
export async function runToEnd(tab: Tab): Promise<void> {
  await tab.click(RUN);
  await sees(tab, text('Answer:', ANSWER));
  await sees(tab, RUN);
}

/** Adds a worker with the form on *Workers*. Then enters a question on *Conduct*, with a plan of one step for this worker. */
export async function addOnlyWorker(
  tab: Tab,
  page: string,
  { address, model }: { readonly address: string; readonly model: string },
): Promise<void> {
  await tab.open(`${page}/#/workers`);
  await tab.click(role('button', 'Add a connection'));
  await tab.choose(role('combobox', 'Provider'), 'custom');
  await tab.fill(role('textbox', 'Address'), address);
  await tab.click(role('button', 'Connect'));
  await tab.fill(role('searchbox', 'Search models'), model);
  await tab.click(role('checkbox', new RegExp(`^${model}`)));
  await tab.click(role('button', 'Add 1 worker'));
  await sees(tab, role('button', /^Edit /));
  await tab.click(role('link', 'Conduct'));
  await tab.choose(role('combobox', 'Conductor'), 'template:best-single');
  await tab.fill(QUESTION, 'What is six times seven?');
}
