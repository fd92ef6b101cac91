import { beforeEach, describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import type { Archive } from '../../../src/app/services';
import { AppState } from '../../../src/app/state/app-state.svelte';
import {
  fault,
  FaultError,
  NOTHING_IMPORTED,
  SAMPLE_LABEL,
  sampleRunId,
  type RunFileOptions,
} from '../../../src/core/contract';
import { poolWorker, runStarted, stampEvents } from '../../fixtures/run-events';
import type { MemoryStore } from '../../fixtures/memory-store';
import { newRunOf } from '../new-runs';
import { MemoryIndex } from '../memory-index';
import { keepRun, storeOf } from '../run-summaries';
import { conductStage, scriptedArchive } from '../conduct/conduct-services';
import RunsHost from './RunsHost.svelte';
import { eventually } from '../../fixtures/eventually.ts';

const NOW = Date.now();

function stage(options: { held?: boolean; store?: MemoryStore } = {}) {
  const all = conductStage(options);
  const index = new MemoryIndex(all.store, all.otherTab);
  const services = { ...all.services, runIndex: () => Promise.resolve(index) };
  return { ...all, index, services, show: () => render(RunsHost, { services }) };
}

/** The questions of the listed runs. Leaves out the header row and the rows that name a day. */
const questions = () => [...document.querySelectorAll('[role="row"] a')].map((link) => link.textContent);

function importFile(name: string, text: string) {
  const chosen = new DataTransfer();
  chosen.items.add(new File([text], name));
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (!input) throw new Error('There is no file input.');
  input.files = chosen.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

beforeEach(async () => {
  localStorage.clear();
  location.hash = '#/runs';
  await page.viewport(1280, 800);
});

describe('runs as files', () => {
  /** Keeps the files that the page saves, so that the test can read them. */
  function pickerStage(archive: Partial<Archive>) {
    const all = stage();
    const written: { name: string; text: string }[] = [];
    const picker = (options: { suggestedName: string }) => {
      const file = { name: options.suggestedName, text: '' };
      const decoder = new TextDecoder();
      const createWritable = () =>
        Promise.resolve(
          new WritableStream<Uint8Array>({
            write: (piece) => void (file.text += decoder.decode(piece, { stream: true })),
            close: () => void written.push(file),
          }),
        );
      return Promise.resolve({ createWritable });
    };
    Object.assign(window, { showSaveFilePicker: picker });
    const services = { ...all.services, archive: () => Promise.resolve(scriptedArchive(archive)) };
    return { ...all, services, written, show: () => render(RunsHost, { services }) };
  }
  const streamOf = (text: string) => new Blob([text]).stream();

  test('are exported: the selected runs, all runs or the runs that match the search', async () => {
    const exports: RunFileOptions[] = [];
    const { store, written, show } = pickerStage({
      exportRuns(options) {
        exports.push(options);
        const count = options.ids?.length ?? 3;
        options.onprogress?.(count, count);
        return streamOf('runs');
      },
    });
    for (const [index, name] of ['one', 'two', 'three'].entries()) {
      await keepRun(store, name, NOW - index, `Question ${name}`);
    }
    const screen = await show();
    await screen.getByRole('checkbox', { name: 'Select: Question two' }).click();
    await screen.getByRole('checkbox', { name: 'Select: Question three' }).click();
    const bar = screen.getByRole('group', { name: 'Selected runs' });
    await expect.element(bar.getByText('2 selected')).toBeVisible();
    const exported = async (title: string, button: { click(): Promise<void> }) => {
      await button.click();
      const dialog = screen.getByRole('dialog', { name: title });
      await dialog.getByRole('button', { name: 'Export' }).click();
      await expect.element(dialog.getByText(/^\d runs? exported as podium-runs-/)).toBeVisible();
      await dialog.getByRole('button', { name: 'Done' }).click();
      return exports.at(-1)?.ids;
    };
    expect(await exported('Export 2 runs', bar.getByRole('button', { name: 'Export' }))).toEqual(['two', 'three']);
    expect(written).toEqual([{ name: expect.stringMatching(/^podium-runs-.*\.podium\.jsonl$/), text: 'runs' }]);
    await bar.getByRole('button', { name: 'Clear' }).click();
    await expect.element(bar).not.toBeInTheDocument();
    const head = screen.getByRole('button', { name: 'Export', exact: true });
    expect(await exported('Export all runs', head)).toBeNull();
    await screen.getByRole('searchbox', { name: 'Search runs' }).fill('two');
    await eventually(() => expect(questions()).toEqual(['Question two']));
    expect(await exported('Export 1 run', head)).toEqual(['two']);
  });

  test('are imported from a file, and the page shows how many were added, copied or skipped', async () => {
    const { store, show } = pickerStage({
      async *importRuns(file) {
        await keepRun(store, 'came', NOW, `From ${await file.text()}`);
        const runs = { ...NOTHING_IMPORTED, added: 1, present: 2, copied: 1, busy: 1 };
        yield { read: 1, of: 1, lines: 6, runs, problems: [{ line: 4, message: 'It is not valid JSON.' }] };
      },
    });
    const screen = await show();
    await expect.element(screen.getByText(/No runs yet/)).toBeVisible();
    importFile('afar.podium.jsonl', 'afar');
    await expect.element(screen.getByRole('link', { name: 'From afar' })).toBeVisible();
    const status = screen.getByRole('status').filter({ hasText: 'afar.podium.jsonl' });
    await expect
      .element(status)
      .toHaveTextContent(/1 run added\. 1 run differs from the one here and was added as a copy\./);
    await expect.element(status).toHaveTextContent(/2 runs were already here\. 1 run is running and was skipped\./);
    await expect.element(status).toHaveTextContent(/1 line could not be read:.*Line 4\. It is not valid JSON\./);
    await screen.getByRole('button', { name: 'Dismiss' }).click();
    await expect.element(status).not.toBeInTheDocument();
  });

  test('continue to be imported while another page is shown', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const { store, services, show } = pickerStage({
      async *importRuns() {
        await keepRun(store, 'first', NOW, 'The first');
        yield { read: 1, of: 2, lines: 1, runs: { ...NOTHING_IMPORTED, added: 1 }, problems: [] };
        await gate;
        await keepRun(store, 'second', NOW - 1, 'The second');
        yield { read: 2, of: 2, lines: 2, runs: { ...NOTHING_IMPORTED, added: 2 }, problems: [] };
      },
    });
    const screen = await show();
    await expect.element(screen.getByText(/No runs yet/)).toBeVisible();
    importFile('afar.podium.jsonl', 'afar');
    const progress = screen.getByRole('progressbar', { name: 'Importing' });
    await expect.element(progress).toBeVisible();
    await screen.rerender({ services, id: 'first' });
    await expect.element(screen.getByRole('heading', { name: 'The first' })).toBeVisible();
    await screen.rerender({ services, id: undefined });
    await expect.element(progress).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Stop' })).toBeVisible();
    release();
    await expect.element(screen.getByText('2 runs added.')).toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'The second' })).toBeVisible();
    await screen.rerender({ services, id: 'first' });
    await screen.rerender({ services, id: undefined });
    await expect.element(screen.getByRole('link', { name: 'The second' })).toBeVisible();
    await expect.element(screen.getByText('2 runs added.')).not.toBeInTheDocument();
  });

  test.each([
    ['very long', `${'x'.repeat(400)}.podium.jsonl`, /^x+…x+\.podium\.jsonl$/],
    ['reversed by a bidi override', 'runs\u202Elnosj.exe', /^runslnosj\.exe$/],
    ['markup', '<img src=x onerror="window.broken=1">.jsonl', /^<img src=x onerror="window\.broken=1">\.jsonl$/],
    ['split across lines', 'two\r\n\u0007lines.jsonl', /^two lines\.jsonl$/],
    ['a path', '../../../etc/passwd', /passwd$/],
  ])('are imported from a file whose name is shown in a safe, short form: %s', async (_what, name, shown) => {
    const { show } = pickerStage({
      async *importRuns() {
        yield { read: 1, of: 1, lines: 1, runs: { ...NOTHING_IMPORTED, added: 1 }, problems: [] };
      },
    });
    const screen = await show();
    await expect.element(screen.getByText(/No runs yet/)).toBeVisible();
    importFile(name, 'x');
    const panel = screen.getByRole('status').filter({ hasText: '1 run added.' });
    await expect.element(panel).toBeVisible();
    const strong = panel.element().querySelector('strong');
    expect(strong?.textContent).toMatch(shown);
    expect(strong?.querySelectorAll(':not(bdi)').length).toBe(0);
    expect(Reflect.get(window, 'broken')).toBeUndefined();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(window.innerWidth);
  });

  test('are marked if they were imported', async () => {
    const { store, show } = stage();
    await keepRun(store, 'here', NOW, 'Made here');
    await keepRun(store, 'afar', NOW - 1, 'Made afar');
    const last = (await store.read('afar')).at(-1);
    if (last) await store.put({ ...last, type: 'run-imported', seq: last.seq + 1 });
    const screen = await show();
    const row = screen.getByRole('row', { name: /Made afar/ });
    await expect.element(row.getByText('imported', { exact: true })).toBeVisible();
    await expect.element(screen.getByText('imported', { exact: true })).toBeVisible();
  });
});

describe('the list of runs', () => {
  test('explains where runs come from while there are none', async () => {
    const screen = await stage().show();
    await expect.element(screen.getByText(/No runs yet/)).toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'Conduct' })).toHaveAttribute('href', '#/');
    await expect.element(screen.getByRole('searchbox')).not.toBeInTheDocument();
  });

  test('groups runs by day, and shows the Conductor, number of steps, time, tokens and cost of each run', async () => {
    const { store, show } = stage();
    await keepRun(store, 'one', NOW - 86_400_000, 'Sort these dates');
    await keepRun(store, 'two', NOW, 'Reach 812');
    const screen = await show();
    await expect.element(screen.getByText('2 stored in this browser')).toBeVisible();
    await expect.element(screen.getByText('all simulated')).toBeVisible();
    const rows = () =>
      screen
        .getByRole('row')
        .elements()
        .map((row) => row.textContent?.trim());
    await eventually(() => expect(rows().length).toBe(5));
    expect(rows()[1]).toBe('Today');
    expect(rows()[3]).toBe('Yesterday');
    const row = screen.getByRole('row', { name: /Reach 812/ });
    await expect.element(row.getByRole('link', { name: 'Reach 812' })).toHaveAttribute('href', '#/runs/two');
    await expect.element(row.getByRole('img', { name: '3 steps, 2.1 s' })).toBeInTheDocument();
    const cells = row
      .getByRole('cell')
      .elements()
      .map((cell) => cell.textContent?.trim());
    expect(cells.slice(4, 9)).toEqual(['Built in', '3', '2.1 s', '45', '$0.0030']);
  });

  test('shows neither the plan nor the cost of a run whose two answers are not compared yet', async () => {
    const { store, show } = stage();
    await keepRun(store, 'one', NOW, 'Which is better?', { alone: { worker: poolWorker(1).id, share: 1 } });
    const screen = await show();
    const row = screen.getByRole('row', { name: /Which is better\?/ });
    await expect.element(row.getByText('not compared yet')).toBeVisible();
    const cells = row
      .getByRole('cell')
      .elements()
      .map((cell) => cell.textContent?.trim());
    expect(cells.slice(5, 10)).toEqual(['', '2.1 s', '', 'hidden', '']);
    await expect.element(row.getByRole('img', { name: /step/ })).not.toBeInTheDocument();
  });

  test('searches while the user types, and keeps the filter in the address', async () => {
    const { store, services, show } = stage();
    for (const [index, name] of ['Sort these dates', 'Reach 812', 'Reach 344'].entries()) {
      await keepRun(store, `run-${index}`, NOW - index, name);
    }
    await services.runs.grade('run-2', false);
    const screen = await show();
    await screen.getByRole('searchbox', { name: 'Search runs' }).fill('reach');
    await eventually(() => expect(questions()).toEqual(['Reach 812', 'Reach 344']));
    await screen.getByRole('combobox', { name: 'Grade' }).selectOptions('wrong');
    await eventually(() => expect(questions()).toEqual(['Reach 344']));
    expect(location.hash).toBe('#/runs?q=reach&grade=wrong');
    history.back();
    await eventually(() => expect(questions()).toEqual(['Reach 812', 'Reach 344']));
    await screen.getByRole('searchbox', { name: 'Search runs' }).fill('none such');
    await expect.element(screen.getByText(/No runs match/)).toBeVisible();
    await screen.getByRole('button', { name: 'Show all runs' }).click();
    await eventually(() => expect(questions().length).toBe(3));
    expect(location.hash).toBe('#/runs');
  });

  test('applies the filter of a link, and lets the user remove one condition or all', async () => {
    const { store, services, show } = stage();
    await keepRun(store, 'one', NOW, 'Reach 812');
    await keepRun(store, 'two', NOW - 1, 'Reach 344');
    await services.runs.grade('two', false);
    await services.runs.label('two', 'hard', true);
    location.hash = '#/runs?grade=wrong&tag=hard&cost=..5&colour=red';
    const screen = await show();
    await eventually(() => expect(questions()).toEqual(['Reach 344']));
    const chips = screen.getByRole('list', { name: 'Active filters' });
    await expect.element(chips).toHaveTextContent(/Grade: wrong.*Tag: hard.*Cost up to \$5/);
    await chips.getByRole('button', { name: 'Remove Tag: hard' }).click();
    await eventually(() => expect(location.hash).toBe('#/runs?grade=wrong&cost=..5'));
    await screen.getByRole('button', { name: 'Clear', exact: true }).click();
    await eventually(() => expect(questions().length).toBe(2));
  });

  test('saves a filter under a name, and applies it', async () => {
    const { store, preferences, show } = stage();
    await keepRun(store, 'one', NOW, 'Reach 812');
    await keepRun(store, 'two', NOW - 1, 'Sort these dates');
    const screen = await show();
    await screen.getByRole('searchbox', { name: 'Search runs' }).fill('dates');
    await screen.getByRole('button', { name: 'Saved filters' }).click();
    await screen.getByRole('textbox', { name: 'Name of the filter' }).fill('Dates');
    await screen.getByRole('button', { name: 'Save', exact: true }).click();
    expect(preferences().runFilters).toEqual([{ name: 'Dates', query: 'q=dates' }]);
    await screen.getByRole('button', { name: 'Clear', exact: true }).click();
    await eventually(() => expect(questions().length).toBe(2));
    await screen.getByRole('button', { name: 'Saved filters' }).click();
    await screen.getByRole('button', { name: 'Dates', exact: true }).click();
    await eventually(() => expect(questions()).toEqual(['Sort these dates']));
  });

  test('sorts by a column, and groups by day only if sorted by date', async () => {
    const { store, show } = stage();
    for (const [index, name] of ['Bananas', 'Apples', 'Cherries'].entries()) {
      await keepRun(store, `run-${index}`, NOW - index, name);
    }
    const screen = await show();
    const head = (name: string) => screen.getByRole('columnheader', { name });
    await expect.element(head('Started')).toHaveAttribute('aria-sort', 'descending');
    await expect.element(screen.getByText('Today')).toBeVisible();
    await head('Question').getByRole('button').click();
    await eventually(() => expect(questions()).toEqual(['Apples', 'Bananas', 'Cherries']));
    await expect.element(head('Question')).toHaveAttribute('aria-sort', 'ascending');
    await expect.element(head('Started')).toHaveAttribute('aria-sort', 'none');
    await expect.element(screen.getByText('Today')).not.toBeInTheDocument();
    await head('Question').getByRole('button').click();
    await eventually(() => expect(questions()).toEqual(['Cherries', 'Bananas', 'Apples']));
    expect(location.hash).toBe('#/runs?sort=-question');
  });

  test('shows the grade counts and the mean reward of all matching runs, not only of the visible ones', async () => {
    const { store, services, show } = stage({ store: await storeOf(260) });
    for (const name of ['a', 'b', 'c']) await keepRun(store, name, NOW, name);
    await services.runs.grade('a', true);
    await services.runs.grade('b', false);
    const screen = await show();
    const line = screen.getByRole('status').filter({ hasText: '263 runs' });
    await expect.element(line).toHaveTextContent(/1 right, 1 wrong, 261 not graded/);
    await expect.element(line).toHaveTextContent(/mean reward 0\.75 \(n = 2\)/);
  });

  test('shows indexing progress and the runs that are already indexed', async () => {
    const { store, index, show } = stage();
    await keepRun(store, 'one', NOW, 'Reach 812');
    index.progress = { indexed: 3000, of: 100_000 };
    const screen = await show();
    await expect.element(screen.getByText('Indexing 3,000 of 100,000 runs…')).toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'Reach 812' })).toBeVisible();
    index.progress = null;
    index.changed();
    await expect.element(screen.getByText(/^Indexing/)).not.toBeInTheDocument();
  });

  test('grades a run with one click, and stores a comment on the grade', async () => {
    const { store, show } = stage();
    await keepRun(store, 'one', NOW, 'Reach 812');
    const screen = await show();
    await screen.getByRole('button', { name: 'Right: Reach 812' }).click();
    await expect.element(screen.getByRole('row', { name: /Reach 812/ }).getByText('Right')).toBeVisible();
    expect((await store.summary('one'))?.correct).toBe(true);
    await screen.getByRole('textbox', { name: 'Comment on the grade' }).fill('Checked by hand');
    await screen.getByRole('button', { name: 'Save comment' }).click();
    await eventually(async () =>
      expect(await store.summary('one')).toMatchObject({ correct: true, gradeDetail: 'Checked by hand' }),
    );
  });

  test('shows a title in place of the question, and stores the note, tags and star', async () => {
    const { store, show } = stage();
    await keepRun(store, 'one', NOW, 'Reach 812');
    const screen = await show();
    const act = async (name: string) => {
      await screen.getByRole('button', { name: /^Actions:/ }).click();
      await screen.getByRole('button', { name }).click();
    };
    await act('Rename…');
    await screen.getByRole('textbox', { name: 'Title' }).fill('The hard one');
    await screen.getByRole('button', { name: 'Save', exact: true }).click();
    const link = screen.getByRole('link', { name: 'The hard one' });
    await expect.element(link).toHaveAttribute('title', 'Reach 812');
    await act('Note…');
    await screen.getByRole('textbox', { name: 'Note' }).fill('Needs 100.');
    await screen.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.element(link).toHaveAttribute('title', 'Reach 812\n\nNeeds 100.');
    await act('Tags…');
    await screen.getByRole('combobox', { name: 'Tag' }).fill('numbers');
    await screen.getByRole('button', { name: 'Add', exact: true }).click();
    await expect.element(screen.getByRole('button', { name: 'Remove the tag numbers' })).toBeVisible();
    await screen.getByRole('button', { name: 'Done' }).click();
    await expect.element(screen.getByRole('row', { name: /numbers/ })).toBeVisible();
    const star = screen.getByRole('button', { name: 'Star: The hard one' });
    await star.click();
    await expect.element(star).toHaveAttribute('aria-pressed', 'true');
    expect(await store.summary('one')).toMatchObject({
      title: 'The hard one',
      note: 'Needs 100.',
      starred: true,
      labels: ['numbers'],
    });
  });

  test('keeps a typed note or comment if storing it fails', async () => {
    const { store, show } = stage();
    await keepRun(store, 'one', NOW, 'Reach 812');
    const screen = await show();
    const append = store.append.bind(store);
    const refuse = () => Promise.reject(new FaultError(fault('storage-failed', 'The disk is full.')));
    await screen.getByRole('button', { name: 'Actions: Reach 812' }).click();
    await screen.getByRole('button', { name: 'Note…' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Note' });
    await dialog.getByRole('textbox').fill('Needs 100.');
    store.append = refuse;
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.element(dialog.getByText('The disk is full.')).toBeVisible();
    store.append = append;
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    await eventually(async () => expect((await store.summary('one'))?.note).toBe('Needs 100.'));
    await screen.getByRole('button', { name: 'Right: Reach 812' }).click();
    const popover = screen.getByRole('group', { name: 'Grade', exact: true });
    await popover.getByRole('textbox').fill('Checked by hand');
    store.append = refuse;
    await popover.getByRole('button', { name: 'Save comment' }).click();
    await expect.element(popover.getByText('The disk is full.')).toBeVisible();
    store.append = append;
    await popover.getByRole('button', { name: 'Save comment' }).click();
    await eventually(async () => expect((await store.summary('one'))?.gradeDetail).toBe('Checked by hand'));
    await expect.element(popover).not.toBeInTheDocument();
  });

  test('selects a range with Shift, and all runs with one checkbox', async () => {
    const { store, show } = stage();
    for (let index = 0; index < 6; index++) await keepRun(store, `run-${index}`, NOW - index, `Question ${index}`);
    const screen = await show();
    await screen.getByRole('checkbox', { name: 'Select: Question 1' }).click();
    await screen.getByRole('checkbox', { name: 'Select: Question 4' }).click({ modifiers: ['Shift'] });
    const bar = screen.getByRole('group', { name: 'Selected runs' });
    await expect.element(bar.getByText('4 selected')).toBeVisible();
    await screen.getByRole('checkbox', { name: 'Select all 6 runs' }).click();
    await expect.element(bar.getByText('6 selected')).toBeVisible();
    await screen.getByRole('checkbox', { name: 'Select: Question 2' }).click();
    await expect.element(bar.getByText('5 selected')).toBeVisible();
  });

  test('leaves “Select all” unchecked if only hidden runs are selected. A click then also selects the listed runs', async () => {
    const { store, show } = stage();
    for (const name of ['one', 'two', 'three']) await keepRun(store, name, NOW, name);
    const screen = await show();
    await screen.getByRole('checkbox', { name: 'Select: one' }).click();
    await screen.getByRole('checkbox', { name: 'Select: two' }).click();
    await screen.getByRole('searchbox', { name: 'Search runs' }).fill('three');
    const all = screen.getByRole('checkbox', { name: 'Select all 1 run' });
    await expect.element(all).not.toBeChecked();
    await all.click();
    await expect.element(screen.getByText('3 selected')).toBeVisible();
    await expect.element(all).toBeChecked();
  });

  test('tags all selected runs, checks their answers, and shows how many can’t be checked', async () => {
    const { store, show } = stage();
    await keepRun(store, 'one', NOW, 'What is 6 * 7?');
    await keepRun(store, 'two', NOW - 1, 'Who wrote Faust?');
    const screen = await show();
    await screen.getByRole('checkbox', { name: 'Select all 2 runs' }).click();
    const bar = screen.getByRole('group', { name: 'Selected runs' });
    await bar.getByRole('button', { name: 'Tag…' }).click();
    await screen.getByRole('combobox', { name: 'Tag' }).fill('new');
    await screen.getByRole('button', { name: 'Add', exact: true }).click();
    await screen.getByRole('button', { name: 'Done' }).click();
    await eventually(async () => expect((await store.summary('two'))?.labels).toEqual(['new']));
    expect((await store.summary('one'))?.labels).toEqual(['new']);
    await bar.getByRole('button', { name: 'Check answer' }).click();
    await expect.element(screen.getByText(/^Checked: .*1 can’t be checked\.$/)).toBeVisible();
    expect((await store.summary('one'))?.correct).not.toBeNull();
  });

  test('keeps a deleted run in the store while Undo is offered, and deletes it when another deletion starts', async () => {
    const { store, show } = stage();
    for (const name of ['one', 'two', 'three']) await keepRun(store, name, NOW, name);
    const screen = await show();
    const remove = async (name: string) => {
      await screen.getByRole('button', { name: `Actions: ${name}` }).click();
      await screen.getByRole('button', { name: 'Delete', exact: true }).click();
    };
    await remove('one');
    await expect.element(screen.getByText('1 run deleted.')).toBeVisible();
    await eventually(() => expect(questions().length).toBe(2));
    await expect.element(screen.getByText(/^2 runs/)).toBeVisible();
    expect(await store.count()).toBe(3);
    await screen.getByRole('button', { name: 'Undo' }).click();
    await eventually(() => expect(questions().length).toBe(3));
    expect(await store.count()).toBe(3);
    await remove('two');
    await remove('three');
    await eventually(async () => expect(await store.count()).toBe(2));
    expect(await store.summary('two')).toBeNull();
    await eventually(() => expect(questions()).toEqual(['one']));
  });

  test('removes sample runs, offers Undo, closes the import result and clears the selection', async () => {
    const { store, services } = stage();
    const archive = scriptedArchive({
      async *importRuns(file) {
        for (const number of [1, 2]) {
          const runId = sampleRunId(number);
          await keepRun(store, runId, NOW - number, `Sample ${number}`);
          await services.runs.label(runId, SAMPLE_LABEL, true);
        }
        const runs = { ...NOTHING_IMPORTED, added: 2 };
        yield { read: file.size, of: file.size, lines: 2, runs, problems: [] };
      },
    });
    await keepRun(store, 'own', NOW, 'Own');
    const screen = await render(RunsHost, { services: { ...services, archive: () => Promise.resolve(archive) } });
    importFile('sample.podium.jsonl', 'runs');
    await expect.element(screen.getByText('2 runs added.')).toBeVisible();
    await screen.getByRole('checkbox', { name: 'Select: Sample 1' }).click();
    const remove = screen.getByRole('button', { name: 'Remove sample runs' });
    await remove.click();
    await expect.element(screen.getByText('2 runs deleted.')).toBeVisible();
    await eventually(() => expect(questions()).toEqual(['Own']));
    expect(screen.getByText('2 runs added.').elements()).toEqual([]);
    expect(screen.getByRole('group', { name: 'Selected runs' }).elements()).toEqual([]);
    expect(remove.elements()).toEqual([]);
    await screen.getByRole('button', { name: 'Undo' }).click();
    await eventually(() => expect(questions()).toEqual(['Own', 'Sample 1', 'Sample 2']));
    expect(await store.count()).toBe(3);
    await expect.element(remove).toBeVisible();
  });

  test('focuses Undo after a deletion, and shows it above the bar of selected runs', async () => {
    const { store, show } = stage();
    for (const name of ['one', 'two', 'three']) await keepRun(store, name, NOW, name);
    const screen = await show();
    await screen.getByRole('button', { name: 'Actions: one' }).click();
    await screen.getByRole('button', { name: 'Delete', exact: true }).click();
    const undo = screen.getByRole('button', { name: 'Undo' });
    await expect.element(undo).toHaveFocus();
    await screen.getByRole('checkbox', { name: 'Select: two' }).click();
    const bar = screen.getByRole('group', { name: 'Selected runs' });
    await expect.element(bar).toBeVisible();
    const { bottom } = undo.element().getBoundingClientRect();
    expect(bottom).toBeLessThan(bar.element().getBoundingClientRect().top);
  });

  test('leaves runs with a pending deletion out of an export', async () => {
    const { store, show } = stage();
    for (const name of ['one', 'two', 'three']) await keepRun(store, name, NOW, name);
    const screen = await show();
    await screen.getByRole('button', { name: 'Actions: one' }).click();
    await screen.getByRole('button', { name: 'Delete', exact: true }).click();
    await screen.getByRole('button', { name: 'Export', exact: true }).click();
    await expect.element(screen.getByRole('dialog', { name: 'Export 2 runs' })).toBeVisible();
  });

  test('completes a pending deletion when the app starts after the tab was closed', async () => {
    const { store, services } = stage();
    for (const name of ['one', 'two']) await keepRun(store, name, NOW, name);
    localStorage.setItem('podium.deleted-runs', JSON.stringify([{ id: 'deletion', ids: ['one'], until: NOW }]));
    await new AppState(services, '').load();
    await eventually(async () => expect(await store.summary('one')).toBeNull());
    expect(await store.count()).toBe(1);
  });

  test('resumes an interrupted run and opens it', async () => {
    const { store, services, calls, show } = stage();
    const live = await services.runs.start(newRunOf(services, { question: 'Reach 812' }));
    await live.done;
    const events = await store.read(live.id);
    await store.delete(live.id);
    const broken = events.slice(0, events.findIndex(({ type }) => type === 'step-finished') + 1);
    for (const event of broken) await store.put(event);
    await services.runs.recover();
    const before = calls.length;
    const screen = await show();
    await expect.element(screen.getByText('interrupted', { exact: true })).toBeVisible();
    await screen.getByRole('button', { name: 'Resume: Reach 812' }).click();
    await eventually(() => expect(location.hash).toBe(`#/runs/${live.id}`));
    await eventually(async () => expect((await store.summary(live.id))?.status).toBe('finished'));
    expect(calls.length).toBeGreaterThan(before);
  });

  test('shows a running run, and offers no actions until it ends', async () => {
    const { services, release, show } = stage({ held: true });
    const live = await services.runs.start(newRunOf(services, { question: 'Reach 812' }));
    const screen = await show();
    await expect.element(screen.getByText('running', { exact: true })).toBeVisible();
    await expect.element(screen.getByRole('button', { name: /^Actions/ })).not.toBeInTheDocument();
    release();
    await live.done;
    await expect.element(screen.getByRole('button', { name: 'Actions: Reach 812' })).toBeVisible();
  });

  test('shows that a run is running in another tab, and offers no actions for it', async () => {
    const { store, show } = stage();
    for (const event of stampEvents([runStarted()], { runId: 'elsewhere', at: NOW })) await store.append(event);
    const screen = await show();
    await expect.element(screen.getByText('in another tab')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: /^(Actions|Resume)/ })).not.toBeInTheDocument();
  });

  test('renders fewer than 60 of 400 rows at a time, and reads more runs while scrolling', async () => {
    const { show } = stage({ store: await storeOf(400) });
    const screen = await show();
    await expect.element(screen.getByRole('link', { name: 'Question 0', exact: true })).toBeVisible();
    expect(questions().length).toBeLessThan(60);
    await eventually(() => {
      window.scrollTo(0, document.documentElement.scrollHeight);
      expect(questions()).toContain('Question 399');
    });
    expect(questions().length).toBeLessThan(60);
  });

  test('lets the user open a run while the list is still scrolling', async () => {
    await stage({ store: await storeOf(5) }).show();
    await expect.poll(() => questions().length).toBe(5);
    const [link] = document.querySelectorAll<HTMLElement>('[role="row"] a');
    const scrolled = link?.closest('[role="rowgroup"]')?.firstElementChild;
    if (!link || !(scrolled instanceof HTMLElement)) throw new Error('The list is empty.');
    // The virtual list sets this style while the user scrolls with a wheel.
    scrolled.style.pointerEvents = 'none';
    const { left, top } = link.getBoundingClientRect();
    expect(document.elementFromPoint(left + 5, top + 5)?.closest('a')).toBe(link);
  });

  test('shows that runs could not be read, and retries on request', async () => {
    const { store, index, show } = stage();
    await keepRun(store, 'one', NOW, 'Reach 812');
    const { totals } = index;
    index.totals = () => Promise.reject(new FaultError(fault('storage-failed', 'The disk cannot be read.')));
    const screen = await show();
    await expect.element(screen.getByRole('alert')).toHaveTextContent('The disk cannot be read.');
    index.totals = totals;
    await screen.getByRole('button', { name: 'Try again' }).click();
    await expect.element(screen.getByRole('link', { name: 'Reach 812' })).toBeVisible();
    await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
  });

  test('fits a window that is 360 px wide', async () => {
    await page.viewport(360, 700);
    const { store, show } = stage();
    await keepRun(store, 'one', NOW, 'A question that goes on for a while, '.repeat(5));
    const screen = await show();
    await expect.element(screen.getByRole('img', { name: '3 steps, 2.1 s' })).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360);
  });
});
