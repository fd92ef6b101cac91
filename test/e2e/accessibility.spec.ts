import type { Page } from '@playwright/test';
import { refusal } from '../fixtures/fault-replies';
import { planText, textReply } from '../fixtures/plans';
import { VIEW_SETS, type View } from './axe';
import { expect, test } from './podium';

test('the axe views include every pair of values of any two view properties', () => {
  const views = VIEW_SETS.flat();
  const keys = ['width', 'colorScheme', 'forcedColors', 'reducedMotion'] as const;
  const pairsOf = (first: keyof View, second: keyof View) =>
    new Set(views.map((view) => `${view[first]} ${view[second]}`)).size;
  const valuesOf = (key: keyof View) => new Set(views.map((view) => view[key])).size;
  for (const first of keys)
    for (const second of keys)
      if (first !== second)
        expect(pairsOf(first, second), `${first}, ${second}`).toBe(valuesOf(first) * valuesOf(second));
});

test('axe finds no problem on Conduct, a run’s page, Runs and Compare', async ({ page, podium, axe }) => {
  await podium.open();
  await expect(podium.workflow.getByText('Nothing has been called yet')).toBeVisible();
  await axe.check('Conduct');
  const question = await podium.question.inputValue();
  await podium.question.fill('');
  await axe.check('Conduct without a question');
  await podium.question.fill(question);
  await page.getByRole('button', { name: 'Edit plan' }).click();
  await axe.check('a plan being edited');
  await page.getByRole('button', { name: 'Use the Conductor’s plan' }).click();
  await page.getByRole('switch', { name: 'Ask me first' }).click();
  await podium.run.click();
  await expect(page.getByRole('button', { name: 'Run this plan' })).toBeVisible();
  await axe.check('a held plan');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeVisible();
  await axe.check('the question whether to stop');
  await page.getByRole('dialog').getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(podium.run).toBeVisible();
  await axe.check('a stopped run');
  await page.getByRole('switch', { name: 'Ask me first' }).click();
  await podium.run.click();
  await podium.ended();
  await axe.check('Conduct after a run');
  await page.getByRole('link', { name: 'Replay' }).click();
  await expect(page.getByRole('slider')).toBeVisible();
  await axe.check('a run');
  // Disables full screen, because a window in full screen can't be resized.
  await page.evaluate(() => Reflect.deleteProperty(Element.prototype, 'requestFullscreen'));
  await page.getByRole('button', { name: 'Present' }).click();
  await expect(page.getByRole('region', { name: 'Now' })).toBeVisible();
  await axe.check('a presentation');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Runs' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Runs' })).toBeVisible();
  await axe.check('Runs');
  await checkRunDialogs(page, axe.check.bind(axe));
  await openCompare(page);
  await axe.check('Compare');
});

test('axe finds no problem on Workers, Models, Settings, Prompt and missing pages', async ({ page, podium, axe }) => {
  const pages: readonly (readonly [path: string, name: string, shown: (page: Page) => Promise<void>])[] = [
    ['workers', 'Workers', (on) => on.getByRole('button', { name: 'Add a connection' }).click()],
    [
      'models',
      'Models',
      async (on) => {
        await on.getByRole('button', { name: 'Add a model' }).click();
        await expect(on.getByRole('region', { name: 'This machine' }).getByText(/WebGPU/)).toBeVisible();
      },
    ],
    ['settings', 'Settings', (on) => expect(on.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()],
    ['prompt', 'the Conductor’s prompt', (on) => on.getByLabel('Compare with the default').check()],
    ['runs/none', 'a missing run', (on) => expect(on.getByRole('heading', { name: 'Run not found' })).toBeVisible()],
    ['nowhere', 'a missing page', (on) => expect(on.getByRole('heading', { name: 'Page not found' })).toBeVisible()],
  ];
  for (const [path, name, shown] of pages) {
    await podium.open(`/#/${path}`);
    await shown(page);
    await axe.check(name);
  }
});

async function checkRunDialogs(page: Page, check: (state: string) => Promise<void>): Promise<void> {
  await page
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .check();
  await check('selected runs');
  for (const [action, title] of [
    ['Rename…', 'renaming a run'],
    ['Note…', 'a note on a run'],
    ['Tags…', 'the tags of a run'],
  ] as const) {
    await page
      .getByRole('button', { name: /^Actions: / })
      .first()
      .click();
    await page.getByRole('group', { name: 'Actions' }).getByRole('button', { name: action }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await check(title);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
  await page.getByRole('button', { name: 'Export', exact: true }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await check('an export of runs');
  await page.keyboard.press('Escape');
}

async function openCompare(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: /^Select all/ }).check();
  await page
    .getByRole('group', { name: 'Selected runs' })
    .getByRole('link', { name: /Compare/ })
    .click();
  await expect(page.getByRole('heading', { name: /^Compare/ })).toBeVisible();
}

test('axe finds no problem during planning, during a step, and after an interrupted or failed run', async ({
  page,
  podium,
  server,
  axe,
}) => {
  const [planner, desk] = ['planner-axe', 'desk-axe'];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const never = new Promise<undefined>(() => undefined);
  const plan = textReply(planText([{ worker: 0, subtask: 'Multiply.', access: [] }]));
  server.script(planner, async (exchange) => {
    await held;
    await plan(exchange);
  });
  server.script(desk, async () => {
    await never;
  });
  await podium.storeWorkers(
    { address: server.url, model: desk, name: 'Desk' },
    { address: server.url, model: planner, name: 'Planner' },
  );
  await page.getByRole('link', { name: 'Workers', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Edit Planner' })).toBeVisible();
  await axe.check('Workers with two workers');
  await podium.choose('Desk');
  await podium.conductor.selectOption({ label: 'Planner' });
  await podium.question.fill('What is six times seven?');
  await podium.run.click();
  await expect(podium.stop).toBeVisible();
  await axe.check('the Conductor plans');
  release();
  await expect(podium.steps.getByRole('article', { name: /^Step 1/ })).toBeVisible();
  await axe.check('a step runs');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Resume' }).first()).toBeVisible();
  await axe.check('Conduct after an interrupted run');
  await page.getByRole('link', { name: 'Runs' }).first().click();
  await page
    .getByRole('link', { name: /six times seven/ })
    .first()
    .click();
  await expect(page.getByRole('slider')).toBeVisible();
  await axe.check('an interrupted run');
  server.script(desk, refusal(401, 'No such key.', 'invalid_api_key'));
  await page.getByRole('link', { name: 'Conduct', exact: true }).click();
  await podium.question.fill('What is six times seven?');
  await podium.run.click();
  await expect(podium.answer.getByRole('alert')).toBeVisible();
  await axe.check('Conduct after a failed run');
  await page.getByRole('link', { name: 'Replay' }).click();
  await expect(page.getByRole('slider')).toBeVisible();
  await axe.check('a failed run');
});
declare global {
  interface Window {
    announcements?: string[];
  }
}

/**
 * Starts to record announcements. An announcement is the text of a changed live region or of a new alert.
 * @returns a function that returns the announcements so far
 */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const announcements: string[] = (window.announcements = []);
    const texts = new Map<Element, string>();
    const read = (isStart: boolean) => {
      for (const region of document.querySelectorAll('[aria-live], [role=status], [role=alert]')) {
        const text = region.textContent.replaceAll(/\s+/g, ' ').trim();
        const isAnnounced = region.role === 'alert' || texts.has(region);
        if (!isStart && isAnnounced && text !== '' && text !== texts.get(region)) announcements.push(text);
        texts.set(region, text);
      }
    };
    read(true);
    new MutationObserver(() => read(false)).observe(document.body, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  });
  return () => page.evaluate(() => window.announcements ?? []);
}

test.describe('with all pauses', () => {
  test.use({ quick: false });

  test('the keyboard alone can start, stop and replay a run, and the page announces the run’s progress @smoke', async ({
    page,
    podium,
  }) => {
    await podium.open();
    await expect(podium.run).toBeEnabled();
    await expect(page.getByRole('navigation', { name: 'Pages' })).toHaveCount(1);
    await expect(page.getByRole('heading', { level: 1, name: 'Conduct' })).toBeAttached();
    const announced = await listen(page);
    await podium.question.focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Use 3, 4, 7, 8, 25 and 50, each at most once, with + − × ÷ to reach 537.');
    await page.keyboard.press('Control+Enter');
    await expect(podium.stop).toBeVisible();
    await expect.poll(announced).toContain('The run has started.');
    await podium.stop.focus();
    await page.keyboard.press('Enter');
    await expect(podium.answer.getByText(/Stopped/)).toBeVisible();
    await expect.poll(announced).toContain('The run was stopped.');

    await podium.question.focus();
    await page.keyboard.press('Control+Enter');
    await podium.ended();
    const steps = await podium.steps.getByRole('article', { name: /^Step \d, / }).count();
    await expect
      .poll(announced)
      .toContainEqual(expect.stringMatching(/^The run finished after .+ The answer is ready\.$/));
    // Parallel steps that finish at the same time are announced together.
    const ofSteps = (await announced()).filter((each) => /^\d of \d steps finished\.$/.test(each));
    expect(ofSteps.length).toBeGreaterThan(0);
    expect(ofSteps).toEqual([...new Set(ofSteps)].sort());
    expect(ofSteps.every((each) => each.endsWith(` of ${steps} steps finished.`))).toBe(true);
    const ofRun = (await announced()).filter((each) => /^The run (?:has|was|finished)/.test(each));
    expect(ofRun).toEqual([
      'The run has started.',
      'The run was stopped.',
      'The run has started.',
      expect.stringMatching(/^The run finished/),
    ]);
    await expect(podium.workflow.getByRole('link', { name: /^Step 1, .*finished/ })).toBeVisible();

    await page.getByRole('link', { name: 'Replay' }).focus();
    await page.keyboard.press('Enter');
    const slider = page.getByRole('slider', { name: 'Moment' });
    await expect(slider).toBeVisible();
    const end = await slider.inputValue();
    await slider.focus();
    await page.keyboard.press('Home');
    expect(Number(await slider.inputValue())).toBeLessThan(Number(end));
    await expect(slider).toHaveAttribute('aria-valuetext', /^0/);
    await page.keyboard.press('ArrowRight');
    await expect(page.getByText(/step-queued|plan-started|round-started/).first()).toBeVisible();
  });
});
