import { createRawSnippet } from 'svelte';
import { expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-svelte';
import LazyPart from '../../../src/app/ui/LazyPart.svelte';
import { loadOnce } from '../../../src/core/contract';
import '../../../src/app/ui/style/tokens.css';
import '../../../src/app/ui/style/base.css';

const children = createRawSnippet((part: () => unknown) => ({ render: () => `<p>${String(part())}</p>` }));

/** A loader whose first call fails. */
function failingOnce() {
  const load = vi.fn(() => Promise.resolve('The part.'));
  load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'));
  return load;
}

test('a part that failed to load is loaded again on request, without a reload of the page', async () => {
  const load = failingOnce();
  const screen = await render(LazyPart, { load: loadOnce(load, 'the result of the run'), children });
  await expect.element(screen.getByRole('alert')).toHaveTextContent("Couldn't load the result of the run.");
  await expect.element(screen.getByRole('button', { name: 'Close' })).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'Try again' }).click();
  await expect.element(screen.getByText('The part.')).toBeVisible();
  await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
  expect(load).toHaveBeenCalledTimes(2);
});

test('the error message of an optional part that failed to load can be closed', async () => {
  const onclose = vi.fn();
  const screen = await render(LazyPart, { load: loadOnce(failingOnce()), children, onclose });
  await screen.getByRole('button', { name: 'Close' }).click();
  expect(onclose).toHaveBeenCalledOnce();
});
