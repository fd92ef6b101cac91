import { expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import Menu from '../../../src/app/ui/Menu.svelte';

async function menu() {
  const [svg, csv] = [vi.fn(), vi.fn()];
  const screen = await render(Menu, {
    label: 'Save',
    name: 'Save: Spending by day',
    items: [
      { name: 'SVG', note: 'for documents', onchoose: svg },
      { name: 'CSV', note: 'for spreadsheets', onchoose: csv },
    ],
  });
  const button = screen.getByRole('button', { name: 'Save: Spending by day' });
  return { screen, button, item: (name: RegExp) => screen.getByRole('button', { name }), svg, csv };
}

const focused = () => document.activeElement?.textContent?.trim();

test('a menu opens by keyboard, and closes before the chosen action runs', async () => {
  const { button, item, svg, csv } = await menu();
  await expect.element(item(/^SVG/)).not.toBeInTheDocument();
  button.element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(item(/^SVG/)).toBeVisible();

  csv.mockImplementation(() => expect(document.querySelector(':popover-open')).toBeNull());
  await userEvent.tab();
  await userEvent.tab();
  expect(focused()).toBe('CSV for spreadsheets');
  await userEvent.keyboard('{Enter}');
  expect(csv).toHaveBeenCalledOnce();
  expect(svg).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(button.element());
});

test('Escape closes a menu without running an action, and returns the focus to its button', async () => {
  const { button, item, svg } = await menu();
  button.element().focus();
  await userEvent.keyboard(' ');
  await userEvent.tab();
  expect(focused()).toBe('SVG for documents');
  await userEvent.keyboard('{Escape}');
  await expect.element(item(/^SVG/)).not.toBeInTheDocument();
  expect(svg).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(button.element());
});
