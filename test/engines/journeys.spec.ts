/** @file Ten smoke tests of the built page, in each installed browser engine except Chromium. */
import { writeFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import * as z from 'zod/mini';
import { analyzedRuns } from '../e2e/analyzed-runs';
import { keepDownload, offlineReady, overflow, readDownload } from './in-page';
import { PATIENCE, role, sees, text } from './tab';
import { test } from './stage';
import { addOnlyWorker, ANSWER, openConduct, QUESTION, RUN, runToEnd, WORKFLOW } from './visit';

const sizes = z.object({ width: z.number(), over: z.number() });

test('a first visit shows a plan for the example question without a click', async ({ tab, host }) => {
  await openConduct(tab, host.url);
  await sees(tab, text(/Nothing has been called yet/, WORKFLOW));
  await sees(tab, RUN);
  await sees(tab, role('link', /Add a worker/));
});

test('the simulated workers answer the example question', async ({ tab, host }) => {
  await openConduct(tab, host.url);
  await runToEnd(tab);
  await sees(tab, role('article', /^Step 1/));
  await sees(tab, text(/tokens/, ANSWER));
});

test('a worker behind an HTTP address streams its answer', async ({ tab, host, server }) => {
  await addOnlyWorker(tab, host.url, { address: server.url, model: 'cut-later' });
  server.script('cut-later', 'slow');
  await tab.click(RUN);
  await sees(tab, text('The first words', ANSWER));
  server.release();
  await sees(tab, text('The first words and the last.', ANSWER));
});

test('a run interrupted by a reload is resumed with one click', async ({ tab, host, server }) => {
  server.script('interrupted', 'stall');
  await addOnlyWorker(tab, host.url, { address: server.url, model: 'interrupted' });
  await tab.click(RUN);
  await sees(tab, text('The first words', ANSWER));
  await tab.reload();
  server.script('interrupted', 'whole');
  await tab.click(role('button', 'Resume'));
  await sees(tab, text('All at once.', ANSWER));
});

test('a saved run is replayed from its beginning', async ({ tab, host }) => {
  await openConduct(tab, host.url);
  await runToEnd(tab);
  await tab.click(role('link', 'Replay'));
  const moment = role('slider', 'Moment');
  await sees(tab, moment);
  await tab.press(moment, 'Home');
  await expect.poll(() => tab.run(() => document.querySelector('input[type=range]')?.ariaValueText)).toMatch(/^0/);
  await tab.click(role('button', 'Play'));
  await sees(tab, role('button', 'Pause'));
});

test('runs are imported from a file and exported to a file', async ({ tab, host }, info) => {
  const file = info.outputPath('three.podium.jsonl');
  await writeFile(file, analyzedRuns(3));
  await tab.open(`${host.url}/#/runs`);
  await sees(tab, role('button', 'Import'));
  await tab.attach('input[type=file]', file);
  await sees(tab, text(/3 runs added/));
  await tab.run(keepDownload);
  await tab.click(role('button', 'Export'));
  await tab.click(role('button', 'Export', role('dialog')));
  await sees(tab, text(/3 runs exported/));
  await expect.poll(() => tab.run(readDownload), { timeout: PATIENCE }).toMatch(/"run-started"/);
});

test('changed settings survive a reload', async ({ tab, host }) => {
  await tab.open(`${host.url}/#/settings`);
  await tab.fill(role('textbox', 'Calls'), '7');
  await tab.press(role('textbox', 'Calls'), 'Enter');
  await tab.click(role('radio', 'Dark'));
  const shown = () =>
    tab.run(() => [
      getComputedStyle(document.documentElement).colorScheme,
      document.querySelector<HTMLInputElement>('input[aria-label=Calls]')?.value,
    ]);
  await expect.poll(shown).toEqual(['dark', '7']);
  await tab.reload();
  await expect.poll(shown, { timeout: PATIENCE }).toEqual(['dark', '7']);
});

test('the page opens and completes a run while its host is offline', async ({ tab, host }) => {
  await openConduct(tab, host.url);
  await expect.poll(() => tab.run(offlineReady), { timeout: PATIENCE }).toBe(true);
  await host.close();
  await tab.reload();
  await sees(tab, role('img', /^Step 1, /, WORKFLOW));
  await runToEnd(tab);
});

test('after a run, the pages of the menu fit the width of a phone', async ({ tab, host }) => {
  await tab.resize(390, 800);
  await openConduct(tab, host.url);
  await runToEnd(tab);
  for (const page of ['', 'runs', 'workers', 'models', 'settings', 'analyze', 'evaluate', 'train']) {
    await tab.open(`${host.url}/#/${page}`);
    // Waits for more than the heading, because the heading is shown before lazy-loaded parts.
    const shown = () => document.querySelectorAll('main :is(h2, li, tr, section, search)').length > 0;
    await expect.poll(() => tab.run(shown), { message: page }).toBe(true);
    const { width, over } = sizes.parse(await tab.run(overflow));
    // The window of WebKitGTK's MiniBrowser can't be narrower than its toolbar, 447 px.
    expect(width, page).toBeLessThan(480);
    expect(over, page).toBe(0);
  }
});

test('an empty question and an invalid address show an error in their form', async ({ tab, host }) => {
  await openConduct(tab, host.url);
  await tab.fill(QUESTION, '   ');
  await tab.click(RUN);
  await sees(tab, text(/question/i, role('alert')));
  await tab.open(`${host.url}/#/workers`);
  await tab.click(role('button', 'Add a connection'));
  await tab.choose(role('combobox', 'Provider'), 'custom');
  await tab.fill(role('textbox', 'Address'), 'ftp://somewhere');
  await tab.click(role('button', 'Connect'));
  await sees(tab, text(/http:\/\/ or https:\/\//));
});
