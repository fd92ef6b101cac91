import { beforeEach, describe, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import StopOnEscape from '../../../src/app/ui/StopOnEscape.svelte';
import '../../../src/app/ui/style/tokens.css';
import '../../../src/app/ui/style/base.css';

describe('the Escape key', () => {
  const onstop = vi.fn();
  beforeEach(() => onstop.mockReset());

  test('stops the run only after the user confirms', async () => {
    const screen = await render(StopOnEscape, { running: true, onstop });
    await userEvent.keyboard('{Escape}');
    const dialog = screen.getByRole('dialog', { name: 'Stop this run?' });
    await expect.element(dialog).toBeVisible();
    expect(onstop).not.toHaveBeenCalled();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    expect(onstop).not.toHaveBeenCalled();
    await userEvent.keyboard('{Escape}');
    await dialog.getByRole('button', { name: 'Stop', exact: true }).click();
    expect(onstop).toHaveBeenCalledOnce();
    await expect.element(dialog).not.toBeInTheDocument();
  });

  test('opens a dialog only during a run, and the dialog closes when the run ends', async () => {
    const screen = await render(StopOnEscape, { running: false, onstop });
    const dialog = screen.getByRole('dialog');
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await screen.rerender({ running: true, onstop });
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).toBeVisible();
    await screen.rerender({ running: false, onstop });
    await expect.element(dialog).not.toBeInTheDocument();
  });

  test('opens no dialog if an input method, an open menu or another handler uses the key', async () => {
    const screen = await render(StopOnEscape, { running: true, onstop });
    const dialog = screen.getByRole('dialog', { name: 'Stop this run?' });
    const press = (more: KeyboardEventInit, handled = false) => {
      const event = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true, ...more });
      if (handled) event.preventDefault();
      document.body.dispatchEvent(event);
    };
    press({ isComposing: true });
    press({}, true);
    const menu = document.createElement('div');
    menu.popover = 'auto';
    document.body.append(menu);
    menu.showPopover();
    press({});
    menu.remove();
    await new Promise((resolve) => setTimeout(resolve));
    await expect.element(dialog).not.toBeInTheDocument();
    press({});
    await expect.element(dialog).toBeVisible();
  });

  test('opens a new dialog if Escape is pressed before the last one has reported that it closed', async () => {
    const screen = await render(StopOnEscape, { running: true, onstop: vi.fn() });
    await userEvent.keyboard('{Escape}');
    const dialog = screen.getByRole('dialog', { name: 'Stop this run?' });
    await expect.element(dialog).toBeVisible();
    // Closes the dialog and presses Escape in one task. Its `close` event is a later task.
    const element = dialog.element();
    if (!(element instanceof HTMLDialogElement)) throw new Error('There is no dialog.');
    const closed = new Promise((resolve) => element.addEventListener('close', resolve));
    element.close();
    globalThis.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', cancelable: true }));
    await closed;
    await expect.element(dialog).toBeVisible();
  });
});
