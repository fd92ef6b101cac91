import { describe, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { userEvent } from 'vitest/browser';
import '../../../src/app/ui/style/tokens.css';
import '../../../src/app/ui/style/base.css';
import Answer from '../../../src/app/conduct/Answer.svelte';
import PlanEditor from '../../../src/app/shared/plan/PlanEditor.svelte';
import Steps from '../../../src/app/conduct/Steps.svelte';
import { fault, foldEvents, type EventBody, type Run } from '../../../src/core/contract';
import { draftOf, type PlanDraft } from '../../../src/app/state/plan-draft';
import { poolWorker, runStarted, stampEvents, step } from '../../fixtures/run-events';
import { finishedRun, POOL, scriptedRun } from '../scripted-runs';
import AnswerHost from './AnswerHost.svelte';

const verbs = () => ({
  ways: { resume: vi.fn(), resumeWithKey: vi.fn(), resumeWithCap: vi.fn(), reassignStep: vi.fn(), own: [] },
  onanswer: vi.fn(),
  onfollowup: vi.fn(),
  ongrade: vi.fn(),
});
const qwen = poolWorker(1, { id: 'w1', name: 'Qwen', kind: 'endpoint', origin: 'https://api.example.com' });

function failedRun(): Run {
  return scriptedRun({
    pool: [poolWorker(0), qwen, poolWorker(2)],
    rounds: [
      {
        steps: [
          { worker: 0, start: 100, first: 300, end: 2000 },
          { worker: 1, start: 100, first: 400, end: 800, failed: 'unauthorized', output: 'Half a thought' },
          { worker: 2, access: [0, 1], skippedBecause: 1 },
        ],
      },
    ],
    end: 'failed',
  });
}

describe('Steps', () => {
  test('shows a step as an article with its number, role, worker, access, duration, tokens and cost', async () => {
    const run = finishedRun();
    const screen = await render(Steps, { run, now: run.time });
    const third = screen.getByRole('article', { name: 'Step 3, Verify' });
    await expect.element(third).toHaveTextContent(/Cedar\s*sees\s*1\s*2/);
    await expect.element(third).toHaveTextContent('2.9 s · 520 tok · $0.0004');
  });

  test('shows the first 60 of 2,000 steps, and 60 more on request', async () => {
    const steps = Array.from({ length: 2_000 }, (_, index) => step(index % 3, `Part ${index}`));
    const bodies: EventBody[] = [
      runStarted(),
      { type: 'round-started', round: 0 },
      { type: 'plan-started', round: 0, conductor: runStarted().conductor, messages: [] },
      {
        type: 'plan-finished',
        round: 0,
        workflow: { steps },
        thought: '',
        text: '',
        source: 'conductor',
        usage: null,
        cost: null,
        finishReason: null,
      },
    ];
    const run = foldEvents(stampEvents(bodies));
    if (!run) throw new Error('no run');
    const screen = await render(Steps, { run, now: 0 });
    expect(screen.getByRole('article').elements()).toHaveLength(60);
    await expect.element(screen.getByText('60 of 2,000 steps shown.')).toBeVisible();
    await screen.getByRole('button', { name: 'Show more' }).click();
    await vi.waitFor(() => expect(screen.getByRole('article').elements()).toHaveLength(120));
  });

  test('puts parallel steps in one row only if the window is wide enough', async () => {
    const run = finishedRun();
    const screen = await render(Steps, { run, now: run.time });
    const tops = screen
      .getByRole('article')
      .elements()
      .map((card) => card.getBoundingClientRect().top);
    const wide = window.innerWidth > 640;
    expect(tops[0] === tops[1]).toBe(wide);
    expect(tops[2]).toBeGreaterThan(tops[1] ?? 0);
  });

  test('shows the fault of a step that failed without a call', async () => {
    const bodies: EventBody[] = [
      runStarted(),
      { type: 'round-started', round: 0 },
      { type: 'plan-started', round: 0, conductor: runStarted().conductor, messages: [] },
      {
        type: 'plan-finished',
        round: 0,
        workflow: { steps: [step(0, 'Solve it')] },
        thought: '',
        text: '',
        source: 'conductor',
        usage: null,
        cost: null,
        finishReason: null,
      },
      {
        type: 'step-failed',
        round: 0,
        step: 0,
        attempt: 0,
        fault: fault('cap-reached', 'The run may make at most 2 calls.'),
        output: '',
        reasoning: '',
        usage: null,
        cost: 0,
      },
    ];
    const run = foldEvents(stampEvents(bodies));
    if (!run) throw new Error('There is no run.');
    const screen = await render(Steps, { run, now: run.time });
    await expect.element(screen.getByText('The run may make at most 2 calls.')).toBeVisible();
  });

  test('shows the prompt of a step on demand', async () => {
    const run = finishedRun();
    const screen = await render(Steps, { run, now: run.time });
    const first = screen.getByRole('article', { name: 'Step 1, Solve' });
    await first.getByRole('button', { name: 'Prompt' }).click();
    await expect.element(first.getByText(run.question.text)).toBeVisible();
    await expect.element(first.getByRole('button', { name: 'Prompt' })).toHaveAttribute('aria-expanded', 'true');
  });

  test('shows the partial text of a failed step, and why its dependent step did not run', async () => {
    const run = failedRun();
    const screen = await render(Steps, { run, now: run.time });
    await expect.element(screen.getByText('Half a thought')).toBeVisible();
    await expect.element(screen.getByText('The partial text of this step is kept.')).toBeVisible();
    await expect.element(screen.getByText('Not run, because step 2 has no result.')).toBeVisible();
  });
});

describe('Answer', () => {
  test('shows the answer with the number of tokens, and accepts a grade', async () => {
    const run = finishedRun();
    const given = verbs();
    const screen = await render(Answer, { run, now: run.time, ...given });
    const region = screen.getByRole('region', { name: 'Answer' });
    await expect.element(region).toHaveTextContent('twelve more make 537');
    await expect.element(region).toHaveTextContent('2,080 tokens');
    await expect.element(region.getByText('simulated')).toBeVisible();
    await region.getByRole('button', { name: 'Right' }).click();
    expect(given.ongrade).toHaveBeenCalledWith(true);
  });

  test('copies the answer as Markdown, shows whether the copy succeeded, and offers a follow-up', async () => {
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    const run = { ...finishedRun(), answer: 'It is **537**.' };
    const given = verbs();
    const screen = await render(AnswerHost, { run, now: run.time, ...given });
    await screen.getByRole('button', { name: 'Copy', exact: true }).click();
    expect(write).toHaveBeenCalledWith('It is **537**.');
    await expect.element(screen.getByRole('status')).toHaveTextContent('Copied');
    await expect.element(screen.getByRole('button', { name: 'Copied' })).toBeVisible();
    write.mockRejectedValue(new Error('no permission'));
    await screen.getByRole('button', { name: 'Copied' }).click();
    await expect.element(screen.getByRole('status')).toHaveTextContent('Couldn’t copy');
    await screen.getByRole('button', { name: 'Ask a follow-up' }).click();
    expect(given.onfollowup).toHaveBeenCalledOnce();
    write.mockRestore();
  });

  test('asks for a new key if a worker’s key was rejected, and resumes the run', async () => {
    const run = failedRun();
    const given = verbs();
    const screen = await render(Answer, { run, now: run.time, ...given });
    await expect.element(screen.getByRole('alert')).toHaveTextContent('Step 1 is kept and won’t be called again.');
    await screen.getByLabelText('Key for https://api.example.com').fill('sk-new');
    await screen.getByRole('button', { name: 'Save and resume' }).click();
    expect(given.ways.resumeWithKey).toHaveBeenCalledWith(qwen, 'sk-new');
  });

  test('offers to raise the cap that stopped the run, for this run or in Settings', async () => {
    const failed = failedRun();
    const stopped = fault('cap-reached', 'This run is limited to one call, which is already used.');
    const capReached = { cap: 'calls', limit: 1, wanted: 2 } as const;
    const run = { ...failed, fault: stopped, capReached, spent: { ...failed.spent, calls: 1 } };
    const given = verbs();
    const screen = await render(Answer, { run, now: run.time, ...given });
    await expect.element(screen.getByRole('alert')).toHaveTextContent('Step 1 is kept and won’t be called again.');
    await expect.element(screen.getByLabelText('Calls for this run')).toHaveValue('3');
    await screen.getByLabelText('Calls for this run').fill('5');
    await screen.getByRole('button', { name: 'Raise and resume' }).click();
    expect(given.ways.resumeWithCap).toHaveBeenCalledWith('calls', 5);
    const link = screen.getByRole('link', { name: 'Change the setting' });
    await expect.element(link).toHaveAttribute('href', '#/settings?limit=calls');
  });

  test('assigns the failed step to another worker', async () => {
    const run = failedRun();
    const given = verbs();
    const screen = await render(Answer, { run, now: run.time, ...given });
    await screen.getByLabelText('or assign step 2 to').selectOptions('Cedar');
    await screen.getByRole('button', { name: 'Continue' }).click();
    expect(given.ways.reassignStep).toHaveBeenCalledWith({ round: 0, step: 1 }, poolWorker(2), []);
  });
});

describe('PlanEditor', () => {
  const pool = POOL;
  const draft = draftOf({ steps: [step(0, 'Solve'), step(1, 'Check', [0])] }, pool);

  test('changes the worker, the access and the order of steps', async () => {
    const onchange = vi.fn();
    const screen = await render(PlanEditor, { draft, pool, maxSteps: 5, onchange, ondiscard: vi.fn() });
    await screen.getByLabelText('Worker of step 2').selectOptions('Elm');
    expect(onchange.mock.lastCall?.[0][1]).toMatchObject({ workerId: 'sim:elm' });
    await screen.getByRole('group', { name: 'Step 2 sees' }).getByRole('checkbox', { name: 'step 1' }).click();
    expect(onchange.mock.lastCall?.[0][1]).toMatchObject({ sees: [] });
    await screen.getByRole('button', { name: 'Move step 2 up' }).click();
    expect(onchange.mock.lastCall?.[0]).toMatchObject([{ subtask: 'Check' }, { subtask: 'Solve' }]);
  });

  test('continues the step numbers of the earlier rounds in a later round', async () => {
    const onchange = vi.fn();
    const given = { draft, pool, maxSteps: 5, stepsBefore: 3, ondiscard: vi.fn() };
    const screen = await render(PlanEditor, { ...given, onchange });
    await screen.getByRole('group', { name: 'Step 5 sees' }).getByRole('checkbox', { name: 'step 4' }).click();
    expect(onchange.mock.lastCall?.[0][1]).toMatchObject({ sees: [] });
    await screen.getByRole('button', { name: 'Move step 5 up' }).click();
    expect(onchange.mock.lastCall?.[0]).toMatchObject([{ subtask: 'Check' }, { subtask: 'Solve' }]);
    expect([...screen.container.querySelectorAll('.note-head')].map((head) => head.textContent)).toEqual(['4', '5']);
  });

  test('keeps the focus on a moved step, and at the position of a removed step', async () => {
    const three = draftOf({ steps: [step(0, 'Solve'), step(1, 'Check'), step(2, 'Decide')] }, pool);
    const given = { pool, maxSteps: 5, ondiscard: vi.fn() };
    const onchange = (draft: PlanDraft) => void screen.rerender({ ...given, draft, onchange });
    const screen = await render(PlanEditor, { ...given, draft: three, onchange });
    const focused = (name: string) => expect.element(screen.getByRole('button', { name })).toHaveFocus();
    await screen.getByRole('button', { name: 'Move step 3 up' }).click();
    await focused('Move step 2 up');
    await userEvent.keyboard('{Enter}');
    await focused('Move step 1 down');
    await screen.getByRole('button', { name: 'Remove step 2' }).click();
    await focused('Remove step 2');
    await userEvent.keyboard('{Enter}');
    await focused('Remove step 1');
    await userEvent.keyboard('{Enter}');
    await focused('Add step');
  });

  test('shows why the plan can’t run, and disables Add step at the step limit', async () => {
    const problem = 'Step 2 has no instruction.';
    const screen = await render(PlanEditor, {
      draft,
      pool,
      maxSteps: 2,
      problem,
      onchange: vi.fn(),
      ondiscard: vi.fn(),
    });
    await expect.element(screen.getByRole('status')).toHaveTextContent(problem);
    await expect.element(screen.getByRole('button', { name: 'Add step' })).toBeDisabled();
  });
});
