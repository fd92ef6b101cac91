/**
 * @file Tests the dialogs for the title and the tags of runs. A dialog closes only after a change is saved. If
 * saving fails, the dialog shows the reason.
 */
import { expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-svelte';
import AnnotationDialog from '../../../src/app/runs/AnnotationDialog.svelte';
import TagsDialog from '../../../src/app/runs/TagsDialog.svelte';
import { LongWork } from '../../../src/app/state/long-work.svelte';
import { fault } from '../../../src/core/contract';

/** A promise that the test settles. */
function deferred() {
  let resolve: (isSaved: boolean) => void = () => undefined;
  let reject: (reason: Error) => void = () => undefined;
  const promise = new Promise<boolean>((...settle) => ([resolve, reject] = settle));
  return { promise, resolve, reject };
}

const FULL = fault('storage-full', 'The storage of this browser is full.');
const TITLE = { kind: 'title', saved: 'Old', question: 'Why?' } as const;

test('the dialog keeps a title that couldn’t be saved and shows the reason, and Save tries again', async () => {
  const onsave = vi.fn<(title: string) => Promise<boolean>>().mockResolvedValueOnce(false).mockResolvedValueOnce(true);
  const onclose = vi.fn();
  const screen = await render(AnnotationDialog, { ...TITLE, fault: FULL, onsave, onclose });
  const save = screen.getByRole('button', { name: 'Save' });
  await screen.getByRole('textbox', { name: 'Title' }).fill(' New ');
  expect(screen.container.textContent).not.toContain(FULL.message);
  await save.click();

  await expect.element(screen.getByText(FULL.message)).toBeVisible();
  await expect.element(screen.getByRole('textbox', { name: 'Title' })).toHaveValue(' New ');
  expect(onclose).not.toHaveBeenCalled();
  await save.click();
  await vi.waitFor(() => expect(onclose).toHaveBeenCalledOnce());
  expect(onsave.mock.calls).toEqual([['New'], ['New']]);
});

test('a title is saved once if Save is pressed twice, and the dialog closes after the save', async () => {
  const { promise, resolve } = deferred();
  const onsave = vi.fn(() => promise);
  const onclose = vi.fn();
  const screen = await render(AnnotationDialog, { ...TITLE, fault: null, onsave, onclose });
  await screen.getByRole('button', { name: 'Save' }).click();
  await screen.getByRole('button', { name: 'Save' }).click();
  expect(onsave).toHaveBeenCalledOnce();
  expect(onclose).not.toHaveBeenCalled();
  resolve(true);
  await vi.waitFor(() => expect(onclose).toHaveBeenCalledOnce());
});

function tagsOf(runs: number, onadd: (tag: string) => Promise<boolean>, work = new LongWork()) {
  const onclose = vi.fn();
  const onremove = () => Promise.resolve(true);
  return { onclose, props: { runs, tags: [], known: [], fault: FULL, work, onadd, onremove, onclose } };
}

test('a tag that couldn’t be saved stays in the field, and the reason is shown until the tag is saved', async () => {
  const onadd = vi.fn<(tag: string) => Promise<boolean>>().mockResolvedValueOnce(false).mockResolvedValueOnce(true);
  const { props } = tagsOf(1, onadd);
  const screen = await render(TagsDialog, props);
  const field = screen.getByRole('combobox', { name: 'Tag' });
  await field.fill('hard');
  await screen.getByRole('button', { name: 'Add' }).click();
  await expect.element(screen.getByText(FULL.message)).toBeVisible();
  await expect.element(field).toHaveValue('hard');

  await screen.getByRole('button', { name: 'Add' }).click();
  await expect.element(field).toHaveValue('');
  expect(screen.container.textContent).not.toContain(FULL.message);
});

test.each([
  ['the dialog closes once the tag is saved', true],
  ['the dialog stays open if the tag couldn’t be saved', false],
] as const)('after Done is pressed while a tag is being saved, %s', async (_, isSaved) => {
  const { promise, resolve } = deferred();
  const { props, onclose } = tagsOf(1, () => promise);
  const screen = await render(TagsDialog, props);
  await screen.getByRole('combobox', { name: 'Tag' }).fill('hard');
  await screen.getByRole('button', { name: 'Add' }).click();
  await screen.getByRole('button', { name: 'Done' }).click();
  expect(onclose).not.toHaveBeenCalled();
  resolve(isSaved);
  if (isSaved) await vi.waitFor(() => expect(onclose).toHaveBeenCalledOnce());
  else {
    await expect.element(screen.getByText(FULL.message)).toBeVisible();
    expect(onclose).not.toHaveBeenCalled();
  }
});

test('no other tag can be removed while the removal of a tag is being saved', async () => {
  const { promise, resolve } = deferred();
  const { props } = tagsOf(1, () => Promise.resolve(true));
  const onremove = vi.fn(() => promise);
  const screen = await render(TagsDialog, { ...props, tags: ['hard', 'long'], onremove });
  await screen.getByRole('button', { name: 'Remove the tag hard' }).click();
  const other = screen.getByRole('button', { name: 'Remove the tag long' });
  await expect.element(other).toBeDisabled();
  resolve(true);
  await expect.element(other).toBeEnabled();
  await other.click();
  expect(onremove.mock.calls).toEqual([['hard'], ['long']]);
});

test('the dialog shows a Stop button while it tags several runs, and an alert if tagging fails', async () => {
  const work = new LongWork();
  const { promise, reject } = deferred();
  const { props } = tagsOf(3, async () => (await work.do('Adding the tag', () => promise)) === true, work);
  const screen = await render(TagsDialog, props);
  await screen.getByRole('combobox', { name: 'Tag' }).fill('hard');
  await screen.getByRole('button', { name: 'Add' }).click();
  await expect.element(screen.getByRole('button', { name: 'Stop' })).toBeVisible();
  reject(new Error('No disk.'));
  await expect.element(screen.getByRole('button', { name: 'Stop' })).not.toBeInTheDocument();
  await expect.element(screen.getByRole('combobox', { name: 'Tag' })).toHaveValue('hard');
  await expect.element(screen.getByRole('alert')).toHaveTextContent('No disk.');
});
