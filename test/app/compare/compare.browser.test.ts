import { beforeEach, describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { compareAddress, comparedIds } from '../../../src/app/shared/run-address';
import { fault, type EventBody } from '../../../src/core/contract';
import { finishedRunBodies, runStarted, stampEvents } from '../../fixtures/run-events';
import { conductStage } from '../conduct/conduct-services';
import CompareHost from './CompareHost.svelte';

const TRUE_END = finishedRunBodies();
/** The same run with another answer. */
const OTHER_END = TRUE_END.map((body): EventBody =>
  body.type === 'step-finished' && body.step === 2 ? { ...body, output: 'another answer' } : body,
);
const FAILED: readonly EventBody[] = [
  runStarted({ question: { text: 'Another question' } }),
  { type: 'run-failed', fault: fault('no-workers', 'There are no workers.') },
];

/** @param given the ids of the runs to compare. @param saved the stored runs */
async function compare(given: readonly string[], saved: Readonly<Record<string, readonly EventBody[]>>) {
  const { services, store } = conductStage();
  for (const [runId, bodies] of Object.entries(saved))
    for (const event of stampEvents(bodies, { runId })) await store.append(event);
  return render(CompareHost, { services, given });
}

beforeEach(async () => {
  await page.viewport(1280, 900);
});

describe('the address of the page', () => {
  test('keeps ids with any characters, in order', () => {
    const ids = ['a,b', 'c&runs=d', 'é %', 'a,b'];
    expect(comparedIds(compareAddress(ids).split('?')[1])).toEqual(ids);
  });

  test('leaves out ids that cannot be decoded, and accepts a missing query', () => {
    expect(comparedIds('runs=a,%E0%A4,b')).toEqual(['a', 'b']);
    expect(comparedIds(undefined)).toEqual([]);
  });
});

describe('the comparison of two runs', () => {
  test('shows nothing of a run whose two answers the user has not compared yet', async () => {
    const [, ...rest] = OTHER_END;
    const drawn = runStarted({ alone: { worker: 'sim:alder', share: 1 } });
    const second: EventBody = { type: 'alone-answered', output: 'alone', usage: null, cost: 0 };
    const screen = await compare(['one', 'two'], { one: TRUE_END, two: [drawn, ...rest, second] });
    await expect.element(screen.getByRole('link', { name: 'Compare them first' })).toBeVisible();
    await expect.element(screen.getByRole('region', { name: 'Run A' })).toBeVisible();
    await expect.element(screen.getByText('another answer')).not.toBeInTheDocument();
    await expect.element(screen.getByRole('region', { name: 'Run B' })).not.toBeInTheDocument();
  });

  test('marks the words of the answer that differ, and shows how many steps differ', async () => {
    const screen = await compare(['one', 'two'], { one: TRUE_END, two: OTHER_END });
    const answer = screen.getByRole('group', { name: 'Answer of B' });
    await expect.element(answer.getByRole('insertion')).toHaveTextContent('another');
    await expect.element(answer.getByRole('deletion')).toHaveTextContent('the');
    const steps = screen.getByRole('region', { name: 'Steps' });
    await expect.element(steps.getByRole('status')).toHaveTextContent('1 of 3 steps differ');
    await expect.element(steps.getByText(/^Step 1/)).toBeVisible();
    await expect
      .element(steps.getByRole('listitem', { name: 'Step 3, differs' }))
      .toHaveTextContent('Different output');
  });

  test('says that nothing differs if the runs are the same', async () => {
    const screen = await compare(['one', 'two'], { one: TRUE_END, two: TRUE_END });
    await expect.element(screen.getByText('All steps are the same.')).toBeVisible();
    await expect.element(screen.getByText(/^Nothing differs: \d\d equal settings/)).toBeVisible();
  });

  test('shows one run at a time on a narrow screen, with a switch between the runs', async () => {
    await page.viewport(390, 800);
    const screen = await compare(['one', 'two'], { one: TRUE_END, two: OTHER_END });
    await expect.element(screen.getByRole('region', { name: 'Run B' })).toBeVisible();
    await expect.element(screen.getByRole('region', { name: 'Run A' })).not.toBeInTheDocument();
    await screen.getByRole('radio', { name: 'A, base' }).click({ force: true });
    await expect.element(screen.getByRole('region', { name: 'Run A' })).toBeVisible();
  });

  test('does not say that prompts are the same if one step was reused without a prompt', async () => {
    const reused = TRUE_END.flatMap((body): EventBody[] => {
      if (!('step' in body) || body.step !== 2 || !body.type.startsWith('step-')) return [body];
      const key = { round: 0, step: 2, attempt: 0 };
      return body.type === 'step-finished'
        ? [{ type: 'step-reused', ...key, output: 'an earlier answer', reasoning: '' }]
        : [];
    });
    const screen = await compare(['one', 'two'], { one: reused, two: TRUE_END });
    const step = screen.getByRole('listitem', { name: 'Step 3, differs' });
    await expect.element(step.getByText('Reused from the earlier run')).toBeVisible();
    await expect.element(step.getByText('Prompt', { exact: true })).toBeVisible();
    await expect.element(step.getByText('Same prompt')).not.toBeInTheDocument();
  });

  test('does not say that prompts are the same if one prompt cannot be rendered', async () => {
    const damaged = OTHER_END.map((body): EventBody => {
      if (body.type !== 'step-started' || body.step !== 2) return body;
      return { ...body, messages: [{ role: 'user', parts: [{ kind: 'output', round: 3, step: 0 }] }] };
    });
    const screen = await compare(['one', 'two'], { one: TRUE_END, two: damaged });
    const step = screen.getByRole('listitem', { name: 'Step 3, differs' });
    await expect.element(step.getByText('Prompt', { exact: true }).nth(1)).toBeVisible();
    await expect.element(step.getByText('Same prompt')).not.toBeInTheDocument();
  });

  test('says for a failed run that it has no answer, not that it has another answer', async () => {
    const screen = await compare(['one', 'failed'], { one: TRUE_END, failed: FAILED });
    const answer = screen.getByRole('group', { name: 'Answer of B' });
    await expect.element(answer).toHaveTextContent(/Differs from A: No answer$/);
  });

  test('says that a run in progress has no answer yet, not that its answer differs', async () => {
    const running = TRUE_END.slice(0, -1);
    const screen = await compare(['one', 'running'], { one: TRUE_END, running });
    const answer = screen.getByRole('group', { name: 'Answer of B' });
    await expect.element(answer).toHaveTextContent(/^B ?No answer yet$/);
  });

  test('shows “No answer in A” instead of “Another answer” for run B if only run A failed', async () => {
    const screen = await compare(['failed', 'one'], { one: TRUE_END, failed: FAILED });
    const answer = screen.getByRole('group', { name: 'Answer of B' });
    await expect.element(answer).toHaveTextContent('Differs from A: No answer in A');
    await expect.element(answer).not.toHaveTextContent('Another answer');
  });

  test('says that a run failed and has no plan, and that the questions differ', async () => {
    const screen = await compare(['one', 'failed'], { one: TRUE_END, failed: FAILED });
    await expect.element(screen.getByText('These runs answer different questions.')).toBeVisible();
    await expect.element(screen.getByText('No plan.')).toBeVisible();
    await expect.element(screen.getByRole('region', { name: 'Run B' })).toHaveTextContent('Failed');
  });
});

describe('the comparison of too few or missing runs', () => {
  test('offers a comparison with another run on the same question if only one run is given', async () => {
    const screen = await compare(['one'], { one: TRUE_END, two: OTHER_END });
    const link = screen.getByRole('link', { name: /^Compare: / });
    await expect.element(link).toHaveAttribute('href', '#/compare?runs=one,two');
  });

  test('says that the same run was given twice', async () => {
    const screen = await compare(['one', 'one'], { one: TRUE_END });
    await expect.element(screen.getByText(/^This is the same run twice\./)).toBeVisible();
  });

  test('says that a run is missing, and offers to leave it out', async () => {
    const screen = await compare(['one', 'gone', 'two'], { one: TRUE_END, two: OTHER_END });
    await expect.element(screen.getByText(/^A run was not found\./)).toBeVisible();
    const link = screen.getByRole('link', { name: 'Leave it out' });
    await expect.element(link).toHaveAttribute('href', '#/compare?runs=one,two');
  });
});
