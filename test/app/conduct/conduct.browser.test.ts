import { beforeEach, describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { CONDUCTOR_MAX_STEPS } from '../../../src/core/contract';
import { SAMPLE_QUESTIONS } from '../../../src/core/tasks/samples';
import { conductStage, type ConductStage } from './conduct-services';
import ConductHost from './ConductHost.svelte';

const QUESTION = 'Use 3, 4, 7, 8, 25 and 50 to reach 537.';
const show = (stage: ConductStage, question = QUESTION) => render(ConductHost, { services: stage.services, question });

beforeEach(() => sessionStorage.clear());

describe('Conduct', () => {
  test('shows the plan before any worker is called', async () => {
    const stage = conductStage();
    const screen = await show(stage);
    await expect.element(screen.getByText('What Run will do. Nothing has been called yet.')).toBeVisible();
    const workflow = screen.getByRole('region', { name: 'Workflow' });
    await expect.element(workflow.getByRole('img', { name: /^Step 1, Solve, \w+, planned$/ })).toBeInTheDocument();
    await expect.element(screen.getByText(`At most ${CONDUCTOR_MAX_STEPS} calls, free`)).toBeVisible();
    expect(stage.calls).toEqual([]);
  });

  test.each([
    [true, 1],
    [false, 0],
  ])('requests persistent storage once, and only if the browser decides without a prompt: %s', async (alone, times) => {
    const stage = conductStage();
    let requests = 0;
    const storage = {
      ...stage.services.storage,
      persistsSilently: () => alone,
      persist: () => Promise.resolve(++requests > 0),
    };
    const screen = await show({ ...stage, services: { ...stage.services, storage } });
    for (let run = 0; run < 2; run++) {
      await screen.getByRole('button', { name: 'Run' }).click();
      await expect.element(screen.getByRole('button', { name: 'Right' })).toBeVisible();
      await expect.poll(() => requests).toBe(times);
    }
  });

  test('plans again when the user removes a worker from the pool', async () => {
    const stage = conductStage();
    const screen = await show(stage);
    const workflow = screen.getByRole('region', { name: 'Workflow' });
    await expect.element(workflow.getByRole('img', { name: /Cedar/ }).first()).toBeInTheDocument();
    await screen.getByRole('group', { name: 'Workers' }).getByText('Cedar').click();
    await expect.element(workflow.getByRole('img', { name: /Cedar/ })).not.toBeInTheDocument();
    expect(stage.preferences().pool).not.toContain('sim:cedar');
  });

  test('uses a grade when planning the next run of the same question', async () => {
    const stage = conductStage();
    const screen = await show(stage);
    const gradedIn = async (runId: string) => {
      const plan = (await stage.store.read(runId)).find(({ type }) => type === 'plan-finished');
      return JSON.stringify(plan).match(/"graded":[1-9]/g)?.length ?? 0;
    };
    await expect.element(screen.getByText('What Run will do. Nothing has been called yet.')).toBeVisible();
    await screen.getByRole('button', { name: 'Run' }).click();
    const wrong = screen.getByRole('button', { name: 'Wrong' });
    await wrong.click();
    await expect.element(wrong).toHaveAttribute('aria-pressed', 'true');
    expect(await gradedIn('run-1')).toBe(0);
    await screen.getByRole('button', { name: 'Run' }).click();
    await expect.poll(() => gradedIn('run-2')).toBeGreaterThan(0);
  });

  test('shows other ways before the run if the simulated workers cannot read the question, and Run moves there', async () => {
    const stage = conductStage();
    const screen = await show(stage, 'Which city is larger, Lyon or Marseille?');
    await expect
      .element(screen.getByText('The simulated workers can’t read this question. They can only solve puzzles.'))
      .toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'Add a connection' })).toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'Add a worker with your key' })).not.toBeInTheDocument();
    await screen.getByRole('button', { name: 'Run' }).click();
    await expect.element(screen.getByRole('heading', { name: 'Ways to answer it' })).toHaveFocus();
    expect(stage.calls).toEqual([]);
    await screen.getByRole('button', { name: SAMPLE_QUESTIONS[1]?.label ?? '' }).click();
    await expect.element(screen.getByText(/can’t read this question/)).not.toBeInTheDocument();
    await expect.element(screen.getByRole('heading', { name: 'Ways to answer it' })).not.toBeInTheDocument();
  });

  test('runs, shows the answer, and sets and removes a grade', async () => {
    const stage = conductStage();
    const screen = await show(stage);
    await screen.getByRole('button', { name: 'Run' }).click();
    const right = screen.getByRole('button', { name: 'Right' });
    await right.click();
    await expect.element(right).toHaveAttribute('aria-pressed', 'true');
    expect((await stage.store.summary('run-1'))?.correct).toBe(true);
    await right.click();
    await expect.element(right).toHaveAttribute('aria-pressed', 'false');
    expect((await stage.store.summary('run-1'))?.correct).toBeNull();
    await expect.element(screen.getByRole('region', { name: 'Answer' })).toHaveTextContent(/says four/);
    await expect.element(screen.getByRole('link', { name: 'Replay' })).toHaveAttribute('href', '#/runs/run-1');
  });

  test('replaces an automatic grade with the user’s own when the user presses the same grade', async () => {
    const stage = conductStage();
    const screen = await show(stage);
    await screen.getByRole('button', { name: 'Run' }).click();
    await screen.getByRole('button', { name: 'Check answer' }).click();
    const wrong = screen.getByRole('button', { name: 'Wrong' });
    await expect.element(wrong).toHaveAttribute('aria-pressed', 'true');
    expect((await stage.store.summary('run-1'))?.gradedBy).toBe('grader');
    await wrong.click();
    await expect.element(screen.getByText('Press again to remove the grade.')).toBeVisible();
    expect(await stage.store.summary('run-1')).toMatchObject({ correct: false, gradedBy: 'person' });
  });

  test('runs the plan that was shown before the run', async () => {
    const stage = conductStage();
    const screen = await show(stage);
    await expect.element(screen.getByText('What Run will do. Nothing has been called yet.')).toBeVisible();
    const named = (role: 'img' | 'link') =>
      screen
        .getByRole('region', { name: 'Workflow' })
        .getByRole(role)
        .elements()
        .map((note) => note.getAttribute('aria-label') ?? note.querySelector('.sr')?.textContent)
        .map((name) => name?.replace(/planned|finished/, ''));
    const planned = named('img');
    expect(planned.length).toBeGreaterThan(1);
    await screen.getByRole('button', { name: 'Run' }).click();
    await expect.element(screen.getByRole('button', { name: 'Right' })).toBeVisible();
    expect(named('link')).toEqual(planned);
  });

  test('shows outputs during the run, keeps them when the user presses Stop, and can resume the run', async () => {
    const stage = conductStage({ held: true });
    const screen = await show(stage);
    await screen.getByRole('button', { name: 'Run' }).click();
    const steps = screen.getByRole('region', { name: 'Steps' });
    await expect.element(steps.getByText('Birch says four.')).toBeVisible();
    await expect.element(steps.getByText(/^Waiting for steps? /).first()).toBeVisible();
    await screen.getByRole('button', { name: 'Stop' }).click();
    await expect.element(screen.getByText('Stopped. Finished steps are kept.')).toBeVisible();
    await expect.element(steps.getByText('Birch says four.')).toBeVisible();
    stage.release();
    await screen.getByRole('button', { name: 'Resume' }).click();
    await expect.element(screen.getByRole('button', { name: 'Right' })).toBeVisible();
  });

  test('asks before Escape stops a run, and the keyboard focus follows to the editor, to Stop and back', async () => {
    const screen = await show(conductStage({ held: true }));
    const press = async (name: string) => {
      const button = screen.getByRole('button', { name });
      await expect.element(button).toBeVisible();
      button.element().focus();
      await userEvent.keyboard('{Enter}');
    };
    await press('Edit plan');
    await expect.element(screen.getByLabelText('Worker of step 1')).toHaveFocus();
    await press('Use the Conductor’s plan');
    await expect.element(screen.getByRole('button', { name: 'Edit plan' })).toBeVisible();
    await press('Run');
    const stop = screen.getByRole('button', { name: 'Stop', exact: true }).first();
    await expect.element(stop).toHaveFocus();
    const dialog = screen.getByRole('dialog', { name: 'Stop this run?' });
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(stop).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await dialog.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect.element(screen.getByText('Stopped. Finished steps are kept.')).toBeVisible();
  });

  test('shows why a run failed, and does not call finished steps again on retry', async () => {
    const stage = conductStage();
    stage.refuse('Cedar');
    const screen = await show(stage);
    await screen.getByRole('button', { name: 'Run' }).click();
    await expect.element(screen.getByRole('alert').filter({ hasText: 'Cedar could not be reached.' })).toBeVisible();
    const before = stage.calls.filter((name) => name === 'Birch').length;
    stage.refuse(null);
    await screen.getByRole('button', { name: 'Try again' }).click();
    await expect.element(screen.getByRole('button', { name: 'Right' })).toBeVisible();
    expect(stage.calls.filter((name) => name === 'Birch')).toHaveLength(before);
  });

  test('runs an edited plan as written', async () => {
    const stage = conductStage();
    const screen = await show(stage);
    await screen.getByRole('button', { name: 'Edit plan' }).click();
    const remove = screen.getByRole('button', { name: /^Remove step/ });
    await expect.element(remove.first()).toBeVisible();
    for (let left = remove.elements().length; left > 1; left -= 1) {
      await remove.last().click();
      // Until the step is gone, the next click could remove nothing, or wait for the last step’s disabled button.
      await expect.poll(() => remove.elements().length).toBe(left - 1);
    }
    await screen.getByLabelText('Worker of step 1').selectOptions('Elm');
    await screen.getByLabelText('Subtask of step 1').fill('Answer in one word');
    await screen.getByRole('button', { name: 'Run' }).click();
    await expect.element(screen.getByRole('region', { name: 'Answer' }).getByText('Elm says four.')).toBeVisible();
    expect(stage.calls).toEqual(['Elm']);
    await expect.element(screen.getByText('1 step · written by hand')).toBeVisible();
  });

  test('starts no run with an empty question or pool, and shows what is missing', async () => {
    const stage = conductStage();
    const screen = await show(stage, '');
    await screen.getByRole('button', { name: 'Run' }).click();
    await expect.element(screen.getByText('Write a question first.')).toBeVisible();
    await screen.getByRole('textbox', { name: 'Question' }).fill('What is 2 + 2?');
    await expect.element(screen.getByText('Write a question first.')).not.toBeInTheDocument();
    for (const name of ['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm']) {
      await screen.getByRole('group', { name: 'Workers' }).getByText(name).click();
    }
    await screen.getByRole('textbox', { name: 'Question' }).click();
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    await expect.element(screen.getByRole('alert').getByText('Choose at least one worker.')).toBeVisible();
    expect(stage.calls).toEqual([]);
  });

  test('keeps the typed question when the page is opened again', async () => {
    const first = await show(conductStage());
    await first.getByRole('textbox', { name: 'Question' }).fill('Half a question');
    await first.unmount();
    const second = await show(conductStage());
    await expect.element(second.getByRole('textbox', { name: 'Question' })).toHaveValue('Half a question');
  });

  test('offers to resume an interrupted run, and resumes it', async () => {
    const stage = conductStage({ held: true });
    const first = await show(stage);
    await first.getByRole('button', { name: 'Run' }).click();
    await expect.element(first.getByRole('region', { name: 'Steps' }).getByText('Birch says four.')).toBeVisible();
    const events = await stage.store.read('run-1');
    await first.unmount();

    const next = conductStage();
    for (const event of events) await next.store.put(event);
    const screen = await show(next);
    await screen.getByRole('button', { name: 'Resume' }).click();
    await expect.element(screen.getByRole('button', { name: 'Right' })).toBeVisible();
    await expect.element(screen.getByText(/A run was interrupted/)).not.toBeInTheDocument();
  });
});
