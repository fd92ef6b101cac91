import { router } from 'svelte-spa-router';
import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { fault, FaultError, foldEvents, type EvaluationTask, type EventBody } from '../../../src/core/contract';
import { answersDigest } from '../../../src/core/graders/disagreement';
import { testedAnalysis } from '../../../src/core/graders/disagreement-words';
import type { AnswerAnalyst } from '../../../src/core/runs/compare-answers';
import { finishedRunBodies, runStarted, stampEvents } from '../../fixtures/run-events';
import { newRunOf } from '../new-runs';
import { keepRun } from '../run-summaries';
import { conductStage } from '../conduct/conduct-services';
import RunsHost from '../runs/RunsHost.svelte';
import { eventually } from '../../fixtures/eventually.ts';

/** Executes a run. Its stored hashes match its prompts. The hashes in runs of `openRun` are made up. */
async function ran({ question = 'Reach 812' } = {}) {
  const stage = conductStage();
  const live = await stage.services.runs.start(newRunOf(stage.services, { question }));
  await live.done;
  return { ...stage, id: live.id, show: () => render(RunsHost, { services: stage.services, id: live.id }) };
}

/** Stores a run with these events, `gap` ms apart. */
async function openRun(bodies: readonly EventBody[] = finishedRunBodies(), gap = 100) {
  const stage = conductStage();
  for (const event of stampEvents(bodies, { runId: 'saved', gap })) await stage.store.append(event);
  return { ...stage, show: () => render(RunsHost, { services: stage.services, id: 'saved' }) };
}

beforeEach(async () => {
  location.hash = '#/runs/saved';
  await page.viewport(1280, 900);
});

type Screen = Awaited<ReturnType<Awaited<ReturnType<typeof openRun>>['show']>>;
const slider = (screen: Screen) => screen.getByRole('slider', { name: 'Moment' });
const current = (screen: Screen) => screen.getByRole('option', { selected: true });
const panel = (screen: Screen, name: string) => screen.getByRole('region', { name });

describe('the moment shown', () => {
  test('is the end of the run at first, so the page shows the answer', async () => {
    const screen = await (await openRun()).show();
    await expect.element(screen.getByRole('heading', { level: 1 })).toHaveTextContent('reach 537');
    await expect.element(panel(screen, 'Step 3, Decide')).toHaveTextContent('the answer');
    await expect.element(current(screen)).toHaveTextContent('run-finished');
    await expect.element(screen.getByText('Same as the output of step 3 above.')).toBeVisible();
  });

  test('follows the slider, and the page shows the run at this moment', async () => {
    const screen = await (await openRun()).show();
    await expect.element(screen.getByRole('region', { name: 'Where they disagree' })).toBeVisible();
    await slider(screen).fill('1250');
    await expect.element(slider(screen)).toHaveAttribute('aria-valuetext', expect.stringMatching(/^1\.3 s/));
    await expect.element(screen.getByText('to 1.3 s')).toBeVisible();
    await expect.element(screen.getByText('one done')).not.toBeInTheDocument();
    await expect.element(screen.getByRole('region', { name: 'Answer' })).not.toBeInTheDocument();
    await screen.getByRole('link', { name: /^Step 1, / }).click();
    await expect.element(panel(screen, 'Step 1, Solve it')).toHaveTextContent('one');
    await expect.element(screen.getByRole('group', { name: 'Output of step 1' })).not.toHaveTextContent('done');
  });

  test('moves from event to event by keyboard and by button', async () => {
    const screen = await (await openRun()).show();
    await expect.element(slider(screen)).toBeVisible();
    slider(screen).element().focus();
    await userEvent.keyboard('{ArrowLeft}');
    await expect.element(current(screen)).toHaveTextContent('round-finished');
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
    await expect.element(current(screen)).toHaveTextContent('step-started');
    await expect.element(panel(screen, 'Step 3, Decide')).toBeVisible();
    await userEvent.keyboard('{ArrowRight}');
    await expect.element(current(screen)).toHaveTextContent('step-finished');
    await screen.getByRole('button', { name: 'Previous event' }).click();
    await expect.element(current(screen)).toHaveTextContent('step-started');
  });

  test('moves to a selected event, and the page shows the step of this event', async () => {
    const screen = await (await openRun()).show();
    await screen.getByRole('option', { name: /2 plan-step-known/ }).click();
    await expect.element(current(screen)).toHaveTextContent('Birch');
    await expect.element(panel(screen, 'Step 2, Solve it another…')).toBeVisible();
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(screen.getByRole('listbox')).toHaveFocus();
    await expect.element(current(screen)).toHaveTextContent('Cedar');
    await userEvent.keyboard('{Home}');
    await expect.element(current(screen)).toHaveTextContent('run-started');
  });

  test('is selected in a list of events, where streamed text is hidden by default', async () => {
    const screen = await (await openRun()).show();
    await expect.element(current(screen)).toBeVisible();
    expect(screen.getByRole('option', { name: /delta/ }).elements().length).toBe(0);
    await screen.getByRole('checkbox', { name: 'Streamed text' }).click();
    await slider(screen).fill('1400');
    await expect.element(screen.getByRole('option', { name: /delta/ }).first()).toBeInTheDocument();
  });

  test('advances while the run plays, until Pause is pressed', async () => {
    // The run takes minutes, so that it is still playing when Pause is pressed.
    const screen = await (await openRun(finishedRunBodies(), 60_000)).show();
    await screen.getByRole('button', { name: /^Speed 1 times/ }).click();
    await expect.element(screen.getByRole('button', { name: /^Speed 4 times/ })).toBeVisible();
    await screen.getByRole('button', { name: 'Play' }).click();
    await eventually(() => expect(Number((slider(screen).element() as HTMLInputElement).value)).toBeGreaterThan(100));
    await screen.getByRole('button', { name: 'Pause' }).click();
    await expect.element(screen.getByRole('button', { name: 'Play' })).toBeVisible();
  });
});

describe('a step', () => {
  test('shows exactly what was sent to its worker, verified by a hash', async () => {
    const { store, id, show } = await ran();
    location.hash = `#/runs/${id}?step=0.2`;
    await eventually(() => expect(router.querystring).toBe('step=0.2'));
    const screen = await show();
    await screen.getByText('Prompt', { exact: true }).click();
    await expect.element(screen.getByText('Matches what was sent')).toBeVisible();
    const sent = foldEvents(await store.read(id))?.rounds[0]?.steps[2]?.attempts[0];
    if (!sent) throw new Error('step 3 was not called');
    await expect.element(screen.getByText(sent.sha256.slice(0, 12))).toBeVisible();
    const pre = screen.getByLabelText(/^Message to/).element();
    expect(pre.textContent).toContain('<overall-task>\nReach 812\n</overall-task>');
    const marks = [...pre.querySelectorAll('mark')];
    expect(marks.length).toBeGreaterThan(0);
    for (const mark of marks) expect(mark.textContent).toContain('says four.');
  });

  test('reports a stored prompt that differs from what was sent', async () => {
    const screen = await (await openRun()).show();
    await screen.getByText('Prompt', { exact: true }).click();
    await expect.element(screen.getByText('Differs from what was sent')).toBeVisible();
  });

  test('shows which steps it could not see', async () => {
    const bodies = finishedRunBodies();
    const blind = bodies.map((body): EventBody => {
      if (body.type === 'plan-step-known' && body.index === 2) return { ...body, step: { ...body.step, access: [1] } };
      if (body.type !== 'plan-finished') return body;
      const steps = body.workflow.steps.map((step, index) => (index === 2 ? { ...step, access: [1] } : step));
      return { ...body, workflow: { steps } };
    });
    const screen = await (await openRun(blind)).show();
    await screen.getByText('Both', { exact: true }).click();
    await expect.element(screen.getByText('Could not see: step 1')).toBeVisible();
    await expect.element(screen.getByRole('group', { name: 'Output of step 3' })).toHaveTextContent('the answer');
  });

  test('shows why it failed, with every attempt', async () => {
    const key = { round: 0, step: 2 };
    const none = { usage: null, cost: null };
    const bodies = finishedRunBodies();
    const start = bodies.find((body) => body.type === 'step-started' && body.step === 2);
    const before = bodies.slice(
      0,
      bodies.findIndex((body) => body.type === 'step-delta' && body.step === 2),
    );
    const limited = fault('rate-limited', 'Cedar asked to wait.');
    const refused = fault('unauthorized', 'Cedar refused the key.');
    const screen = await (
      await openRun([
        ...before,
        { type: 'step-retried', ...key, attempt: 0, fault: limited, delay: 100, ...none },
        ...(start?.type === 'step-started' ? [{ ...start, attempt: 1 }] : []),
        { type: 'step-failed', ...key, attempt: 1, fault: refused, output: '', reasoning: '', ...none },
        { type: 'round-finished', round: 0, outcome: 'failed' },
        { type: 'run-failed', fault: fault('unauthorized', 'The run ended: a key was refused.') },
      ])
    ).show();
    const step = panel(screen, 'Step 3, Decide');
    await expect.element(step.getByRole('alert')).toHaveTextContent('Cedar refused the key.');
    await expect.element(step.getByText('Cedar asked to wait.')).toBeVisible();
    await expect.element(screen.getByText('The run ended: a key was refused.')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Resume' })).not.toBeInTheDocument();
  });

  test('lists what it saw, and separately what it could not see and why', async () => {
    const { show, id } = await ran();
    location.hash = `#/runs/${id}?step=0.0`;
    await eventually(() => expect(router.querystring).toBe('step=0.0'));
    const screen = await show();
    await screen.getByText('What it saw').click();
    const saw = screen.getByRole('region', { name: 'What it saw' });
    await saw.getByText('Question').click();
    await expect.element(saw).toHaveTextContent('Reach 812');
    const unseen = screen.getByRole('region', { name: 'What it could not see' });
    await expect.element(unseen).toHaveTextContent('comes later');
    expect(unseen.getByRole('listitem').elements()).not.toHaveLength(0);
    await expect.element(screen.getByRole('group', { name: 'Output of step 1' })).not.toBeInTheDocument();
  });

  test('gives way to the plan when the user presses Plan, while the answer stays visible', async () => {
    const screen = await (await openRun()).show();
    await screen.getByRole('button', { name: 'Plan' }).click();
    await expect.element(panel(screen, 'Plan')).toHaveTextContent('Two ways, then a choice.');
    await expect.element(screen.getByRole('region', { name: 'Answer' })).toHaveTextContent('the answer');
  });
});

describe('the run', () => {
  test('lists calls, tokens and costs of its plan and steps, with totals', async () => {
    const screen = await (await openRun()).show();
    const rows = () =>
      screen
        .getByRole('row')
        .elements()
        .map((row) => [...row.children].map((cell) => cell.textContent.trim()));
    await eventually(() => expect(rows()).toHaveLength(6));
    expect(rows()[2]?.slice(1, 5)).toEqual(['Alder', '1', '10', '5']);
    expect(rows()[2]?.slice(6)).toEqual(['$0.0010', '33 %']);
    expect(rows().at(-1)?.slice(1, 4)).toEqual(['3', '30', '15']);
  });

  test('shows its events as JSON', async () => {
    const { store, show } = await openRun();
    const screen = await show();
    await screen.getByText('Events as JSON').click();
    const events = await store.read('saved');
    await expect.element(screen.getByText(`${events.length} events`)).toBeVisible();
    await expect
      .element(screen.getByRole('group', { name: 'Events as JSON' }))
      .toHaveTextContent('"type": "run-started"');
  });

  test('offers only a link and a runs file if its task must not leave this browser', async () => {
    const [, ...rest] = finishedRunBodies();
    const { show } = await openRun([runStarted({ isConfidential: true }), ...rest]);
    const screen = await show();
    const sentence = 'The task of this run must not leave this browser.';
    await expect.element(screen.getByText(sentence).first()).toBeVisible();
    await screen.getByText('Events as JSON').click();
    await expect.element(screen.getByRole('group', { name: 'Events as JSON' })).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Download' })).not.toBeInTheDocument();
    // The sentence is in the page's head, beside the answer, and above the events.
    expect(screen.getByText(sentence).elements()).toHaveLength(3);

    // The items of a menu are in the DOM even while the menu is closed.
    for (const hidden of ['Markdown', 'Replay file', 'Picture, SVG', 'Picture, PNG']) {
      expect(screen.getByText(hidden, { exact: true }).elements(), hidden).toEqual([]);
    }
    expect(screen.getByText('Link', { exact: true }).elements()).toHaveLength(1);
    expect(screen.getByText('Runs file', { exact: true }).elements()).toHaveLength(1);
    // This button opens the menu. No other button copies anything.
    expect(screen.getByRole('button', { name: 'Copy', exact: true }).elements()).toHaveLength(1);
  });

  test('can be given a star, a title, a tag, a note and a comment on its grade', async () => {
    const { store, show } = await openRun();
    const screen = await show();
    await screen.getByRole('button', { name: 'Star' }).click();
    await expect.element(screen.getByRole('button', { name: 'Star' })).toHaveAttribute('aria-pressed', 'true');
    const enter = async (button: string, field: string, text: string) => {
      await screen.getByRole('button', { name: button }).click();
      await screen.getByRole('textbox', { name: field }).fill(text);
      await screen.getByRole('button', { name: 'Save' }).click();
    };
    await enter('Add title', 'Title', 'First try');
    await expect.element(screen.getByRole('heading', { level: 1 })).toHaveTextContent('First try');
    await expect.element(screen.getByText(/reach 537/).first()).toBeVisible();
    await enter('Add tag', 'Tag', 'baseline');
    await expect.element(screen.getByRole('button', { name: 'Remove the tag baseline' })).toBeVisible();
    await enter('Add note', 'Note', 'Worth another look.');
    await expect.element(screen.getByText('Worth another look.')).toBeVisible();
    await screen.getByRole('button', { name: 'Right' }).click();
    await enter('Comment on the grade', 'Comment on the grade', 'Checked by hand.');
    await expect.element(screen.getByText('Checked by hand.')).toBeVisible();
    await screen.getByRole('button', { name: 'Remove the tag baseline' }).click();
    await expect.element(screen.getByRole('button', { name: 'Remove the tag baseline' })).not.toBeInTheDocument();
    const run = foldEvents(await store.read('saved'));
    expect(run).toMatchObject({
      annotation: { title: 'First try', note: 'Worth another look.', starred: true },
      labels: [],
      grade: { correct: true, detail: 'Checked by hand.' },
    });
  });

  test('keeps a typed note in its field if it cannot be stored', async () => {
    const { store, show } = await openRun();
    const screen = await show();
    await screen.getByRole('button', { name: 'Add note' }).click();
    const note = screen.getByRole('textbox', { name: 'Note' });
    await note.fill('Worth another look.');
    const append = store.append.bind(store);
    store.append = () => Promise.reject(new FaultError(fault('storage-failed', 'The disk is full.')));
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    await expect.element(screen.getByText('The disk is full.')).toBeVisible();
    await expect.element(note).toHaveValue('Worth another look.');
    store.append = append;
    await screen.getByRole('button', { name: 'Save' }).click();
    await expect.element(note).not.toBeInTheDocument();
    await expect.element(screen.getByText('Worth another look.')).toBeVisible();
  });

  test('can be graded, and the grade can be removed', async () => {
    const { store, show } = await openRun();
    const screen = await show();
    const wrong = screen.getByRole('button', { name: 'Wrong' });
    await wrong.click();
    await expect.element(wrong).toHaveAttribute('aria-pressed', 'true');
    await expect.element(screen.getByText('graded by you')).toBeVisible();
    await expect.element(current(screen)).toHaveTextContent('run-graded');
    await wrong.click();
    await expect.element(wrong).toHaveAttribute('aria-pressed', 'false');
    expect((await store.summary('saved'))?.correct).toBeNull();
  });

  test('forks from the selected step and opens the fork, which links to its parent', async () => {
    const { store, id, show } = await ran();
    const screen = await show();
    await screen.getByRole('link', { name: /^Step 2, / }).click();
    await screen.getByRole('button', { name: 'Fork from step 2' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Fork this run' });
    await expect.element(dialog.getByText('Reused for free: step 1.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Fork' }).click();
    await eventually(() => expect(location.hash).toBe('#/runs/run-2'));
    await eventually(async () => expect((await store.summary('run-2'))?.status).toBe('finished'));
    await screen.rerender({ id: 'run-2' });
    const parent = screen.getByRole('link', { name: 'Forked from step 2 of an earlier run' });
    await expect.element(parent).toHaveAttribute('href', `#/runs/${id}?step=0.1`);
  });

  test('shows which steps a fork reuses or calls, then forks with a changed step', async () => {
    const { store, show } = await ran();
    const screen = await show();
    await screen.getByRole('link', { name: /^Step 1, / }).click();
    await screen.getByRole('button', { name: 'Fork from step 1' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Fork this run' });
    const again = (step: number) => dialog.getByRole('checkbox', { name: `Run step ${step} again` });
    await expect.element(again(1)).toBeChecked();
    await again(1).click();
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('Every step would be reused.');
    await expect.element(dialog.getByRole('button', { name: 'Fork' })).toBeDisabled();
    await dialog.getByLabelText('Subtask of step 2').fill('Only the number.');
    await expect.element(dialog.getByText('Changed: called again, free')).toBeVisible();
    await expect.element(dialog.getByText('Reused for free: step 1.')).toBeVisible();
    await dialog.getByText('New plan').click();
    await expect.element(dialog.getByText(/^The Conductor plans again/)).toBeVisible();
    await dialog.getByText('Change steps').click();
    await expect.element(dialog.getByText('Reused for free: step 1.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Fork' }).click();
    await eventually(async () => expect((await store.summary('run-2'))?.status).toBe('finished'));
    const started = (await store.read('run-2')).flatMap((event) => (event.type === 'step-started' ? [event.step] : []));
    expect(started, 'steps 3 to 5 depend on step 2').toEqual([1, 2, 3, 4]);
  });

  test('shows that a step of a second round sees earlier rounds, and lets a fork change this access', async () => {
    const second = finishedRunBodies().map((body): EventBody => {
      const later = 'round' in body ? { ...body, round: 1 } : body;
      if (later.type !== 'plan-finished') return later;
      const steps = later.workflow.steps.map((each, index) => (index === 0 ? { ...each, seesEarlier: true } : each));
      return { ...later, workflow: { steps } };
    });
    const first = finishedRunBodies().filter(({ type }) => type !== 'run-finished');
    const { show } = await openRun([...first, ...second.filter(({ type }) => type !== 'run-started')]);
    const screen = await show();
    await screen.getByRole('link', { name: /^Step 4, / }).click();
    await expect.element(panel(screen, 'Step 4, Solve')).toHaveTextContent('Alder sees earlier rounds');
    await screen.getByRole('button', { name: 'Fork from step 4' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Fork round 2 of this run' });
    const sees = dialog.getByRole('checkbox', { name: 'earlier rounds' });
    await expect.element(sees).toBeChecked();
    await sees.click();
    await expect.element(sees).not.toBeChecked();
    await expect.element(dialog.getByText(/^Changed: called again/)).toBeVisible();
  });

  test('can be tried again after a failure, or forked with another worker', async () => {
    const { services, store, calls, refuse } = conductStage();
    refuse('Alder');
    const { id } = await (await services.runs.start(newRunOf(services))).done;
    const failed = calls.length;
    const screen = await render(RunsHost, { services, id });
    await screen.getByRole('button', { name: 'Try again' }).click();
    await eventually(() => expect(calls.length).toBe(failed + 1));
    await expect.element(screen.getByRole('button', { name: 'Try again' })).toBeEnabled();
    await screen.getByRole('combobox', { name: /or assign step \d to/ }).selectOptions('Elm');
    refuse(null);
    const again = calls.length;
    await screen.getByRole('button', { name: 'Continue' }).click();
    const dialog = screen.getByRole('dialog');
    const chosen = () =>
      dialog
        .getByRole('combobox')
        .elements()
        .map((each) => (each as HTMLSelectElement).selectedOptions[0]?.label);
    await eventually(() => expect(chosen()).toContain('Elm'));
    expect(calls).toHaveLength(again);
    await dialog.getByRole('button', { name: 'Fork' }).click();
    await eventually(() => expect(location.hash).toBe('#/runs/run-2'));
    await eventually(async () => expect((await store.summary('run-2'))?.status).toBe('finished'));
    expect(calls.slice(again)).toContain('Elm');
  });

  test('is drawn by time or by order', async () => {
    const screen = await (await openRun()).show();
    const axis = screen.getByRole('group', { name: 'Horizontal axis' });
    const note = screen.getByRole('link', { name: /^Step 1, / });
    await expect.element(note).toBeVisible();
    const inTime = note.element().getBoundingClientRect().width;
    await axis.getByText('Order').click();
    await eventually(() => expect(note.element().getBoundingClientRect().width).not.toBeCloseTo(inTime, 0));
    await slider(screen).fill('1250');
    await expect.element(slider(screen)).toHaveAttribute('aria-valuetext', expect.stringMatching(/^1\.3 s/));
  });

  test('is deleted after confirmation', async () => {
    const { store, show } = await openRun();
    const screen = await show();
    await screen.getByRole('button', { name: 'Delete' }).click();
    await screen.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await eventually(() => expect(location.hash).toBe('#/runs'));
    expect(await store.count()).toBe(0);
  });

  test('is reported as missing if it does not exist', async () => {
    const { services } = conductStage();
    const screen = await render(RunsHost, { services, id: 'nowhere' });
    await expect.element(screen.getByRole('heading', { name: 'Run not found' })).toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'Go to Runs' })).toHaveAttribute('href', '#/runs');
  });

  test('is followed to its end, with a Stop button, if it runs in this tab', async () => {
    const { services, release } = conductStage({ held: true });
    const live = await services.runs.start(newRunOf(services));
    const screen = await render(RunsHost, { services, id: live.id });
    await expect.element(screen.getByRole('button', { name: 'Stop' })).toBeVisible();
    await expect.element(screen.getByText(/says four/).first()).toBeVisible();
    release();
    await live.done;
    await expect.element(screen.getByRole('button', { name: 'Right' })).toBeVisible();
    await expect.element(current(screen)).toHaveTextContent('run-finished');
  });

  test('is shown as running, without a Stop button, if another tab runs it', async () => {
    const screen = await (await openRun([runStarted()])).show();
    await expect.element(screen.getByText('Running in another tab')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Stop' })).not.toBeInTheDocument();
  });

  test('shows only the beginning of a long question until the user presses “Show all”', async () => {
    const { services, store } = conductStage();
    await keepRun(store, 'long', 1000, 'A line of a long question.\n'.repeat(40));
    const screen = await render(RunsHost, { services, id: 'long' });
    const height = () => screen.getByRole('heading', { level: 1 }).element().clientHeight;
    const all = screen.getByRole('button', { name: 'Show all' });
    await expect.element(all).toBeVisible();
    const cut = height();
    await all.click();
    await expect.element(screen.getByRole('button', { name: 'Show less' })).toBeVisible();
    expect(height()).toBeGreaterThan(4 * cut);
  });

  test('fits a window that is 360 px wide', async () => {
    await page.viewport(360, 700);
    const screen = await (await openRun()).show();
    await expect.element(slider(screen)).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360);
  });
});

describe('where programs disagree', () => {
  const batch = { id: 'batch', dataset: 'programs', task: 'double', method: 'vote', repeat: 0 };
  const button = (screen: Screen) => screen.getByRole('button', { name: 'Compare programs by their tests' });

  /** A run of a batch with two independent programs. @param task the task of the run, if it has tests */
  async function openPrograms(task: EvaluationTask | null) {
    const bodies = finishedRunBodies().map((body): EventBody => {
      if (body.type === 'run-started') return { ...body, batch };
      return body.type === 'step-finished' ? { ...body, output: `\`\`\`python\nprint(${body.step})\n\`\`\`` } : body;
    });
    const opened = await openRun(bodies);
    const analyst: AnswerAnalyst = {
      compare: () => Promise.reject(new Error('No worker compares.')),
      testedTask: () => Promise.resolve(task),
      compareByTests: ({ runId, question, answers }) =>
        opened.services.runs.addComparison(runId, {
          ...{ by: 'the tests of the task', sha256: answersDigest(question, answers), usage: null, cost: 0 },
          analysis: testedAnalysis(answers.map(({ by }, index) => ({ answer: `fails test ${index + 1}`, by: [by] }))),
        }),
    };
    Object.assign(opened.services, { analyst: () => Promise.resolve(analyst) });
    return opened.show();
  }

  test('the tests of the task compare them', async () => {
    const screen = await openPrograms({ id: 'double', question: 'Double it.', grader: 'python', domain: 'code' });
    const region = screen.getByRole('region', { name: 'Where they disagree' });
    await expect.element(region).toHaveTextContent('Can’t be compared exactly');
    await button(screen).click();
    await expect.element(region).toHaveTextContent('Contradictions, according to the tests of the task');
    await expect.element(region).toHaveTextContent('fails test 2: Birch (step 2)');
    await expect.element(button(screen)).not.toBeInTheDocument();
  });

  test('they can’t be compared without tests', async () => {
    const screen = await openPrograms(null);
    await expect.element(screen.getByText('Can’t be compared exactly')).toBeVisible();
    await expect.element(screen.getByText(/A worker that is a model can compare/)).toBeVisible();
    await expect.element(button(screen)).not.toBeInTheDocument();
  });
});
