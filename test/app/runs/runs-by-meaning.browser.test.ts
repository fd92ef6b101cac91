import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import type { Nearness } from '../../../src/core/contract';
import { eventually } from '../../fixtures/eventually.ts';
import { MemoryIndex } from '../memory-index';
import { keepRun } from '../run-summaries';
import { conductStage } from '../conduct/conduct-services';
import RunsHost from './RunsHost.svelte';

const NOW = Date.now();
const NEAR: Nearness = { by: 'MiniLM', similarities: { one: 0.71, three: 0.934 }, beyond: 0, missing: 0 };

async function stage({ sentenceModel }: { sentenceModel: string | null }) {
  const all = conductStage();
  await all.services.preferences.write({ sentenceModel });
  for (const [place, name] of ['one', 'two', 'three'].entries()) {
    await keepRun(all.store, name, NOW - place, `Question ${name}`);
  }
  const index = new MemoryIndex(all.store, all.otherTab);
  const services = { ...all.services, runIndex: () => Promise.resolve(index) };
  return { index, services, show: () => render(RunsHost, { services }) };
}

/** The text of each row, in order: the question and, in a search by meaning, its similarity. */
const rows = () => [...document.querySelectorAll('[role="row"] .question')].map((cell) => cell.textContent.trim());

beforeEach(async () => {
  localStorage.clear();
  location.hash = '#/runs';
  await page.viewport(1280, 800);
});

test('a search by meaning lists the most similar runs first, and the address stores the search and the order', async () => {
  const { index, show } = await stage({ sentenceModel: 'a model' });
  index.near = { ...NEAR, beyond: 3 };
  const screen = await show();
  await screen.getByRole('button', { name: 'By meaning' }).click();
  await expect.element(screen.getByText(/^Type a question or a few words/)).toBeVisible();
  await screen.getByRole('searchbox', { name: 'Search runs' }).fill('something alike');
  await eventually(() =>
    expect(rows()).toEqual([
      expect.stringMatching(/^Question three\s+similarity\s+0\.93/),
      expect.stringMatching(/^Question one\s+similarity\s+0\.71/),
    ]),
  );
  await expect.element(screen.getByText(/Compared by MiniLM\..*3 less similar ones are left out/)).toBeVisible();
  expect(location.hash).toBe('#/runs?q=something+alike&by=meaning');

  await screen.getByRole('columnheader', { name: 'Started' }).getByRole('button').click();
  await eventually(() => expect(rows()[0]).toMatch(/^Question one/));
  expect(location.hash).toBe('#/runs?q=something+alike&by=meaning&sort=-date');
  await screen.getByRole('button', { name: 'Sort by similarity' }).click();
  await expect.element(screen.getByRole('searchbox', { name: 'Search runs' })).toHaveFocus();
  await eventually(() => expect(rows()[0]).toMatch(/^Question three/));

  await screen.getByRole('button', { name: 'By meaning' }).click();
  await expect.element(screen.getByText('No runs match.')).toBeVisible();
  expect(location.hash).toBe('#/runs?q=something+alike');
});

test('without a sentence model, search by meaning is hidden, and a link to such a search shows what to do', async () => {
  const { show } = await stage({ sentenceModel: null });
  const screen = await show();
  await expect.element(screen.getByRole('link', { name: 'Question two' })).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'By meaning' })).not.toBeInTheDocument();
  location.hash = '#/runs?q=two&by=meaning';
  await expect.element(screen.getByText(/needs a sentence model, and none is in use/)).toBeVisible();
  await expect.element(screen.getByRole('link', { name: 'Open Models' })).toHaveAttribute('href', '#/models');
  await screen.getByRole('button', { name: 'Search by words' }).click();
  await expect.element(screen.getByRole('searchbox', { name: 'Search runs' })).toHaveFocus();
  await eventually(() => expect(rows()).toEqual(['Question two']));
});

test('a search that finds no similar question reports this, and offers a search by words', async () => {
  const { index, show } = await stage({ sentenceModel: 'a model' });
  index.near = { ...NEAR, similarities: {} };
  location.hash = '#/runs?q=two&by=meaning';
  const screen = await show();
  await expect.element(screen.getByText(/^No question has a similar meaning, according to MiniLM/)).toBeVisible();
  await screen.getByRole('button', { name: 'Search by words' }).click();
  await eventually(() => expect(rows()).toEqual(['Question two']));
});

test('runs without vectors are counted, and computing the vectors shows progress and can be stopped', async () => {
  const { index, show } = await stage({ sentenceModel: 'a model' });
  index.near = { ...NEAR, missing: 40 };
  let wasStopped = false;
  index.embed = async (onprogress, signal) => {
    index.near = { ...NEAR, missing: 8 };
    onprogress(32, 40);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    wasStopped = true;
    signal.throwIfAborted();
  };
  location.hash = '#/runs?q=alike&by=meaning';
  const screen = await show();
  await expect.element(screen.getByText('40 runs can’t be found by meaning yet.')).toBeVisible();
  await screen.getByRole('button', { name: 'Compute vectors' }).click();
  await expect.element(screen.getByRole('button', { name: 'Stop' })).toHaveFocus();
  await expect.element(screen.getByRole('progressbar', { name: 'Computing vectors' })).toHaveAttribute('value', '0.8');
  await screen.getByRole('button', { name: 'Stop' }).click();
  await expect.element(screen.getByText('Stopped. Vectors computed so far are kept.')).toBeVisible();
  await expect.element(screen.getByText(/^8 runs can’t be found by meaning yet/)).toBeVisible();
  expect(wasStopped).toBe(true);
});
