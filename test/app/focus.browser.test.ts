import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { keepFocus } from '../../src/app/ui/focus';
import { eventually } from '../fixtures/eventually';

describe('keepFocus', () => {
  let end = () => {};
  const page = document.createElement('main');
  const button = (name: string) => page.querySelector<HTMLButtonElement>(`[name="${name}"]`);

  beforeEach(() => {
    page.innerHTML = `<h1>Page</h1><section><h2>Workers</h2><ul><li><button name="one">One</button></li></ul></section>
      <button name="two">Two</button>`;
    document.body.append(page);
    end = keepFocus();
  });
  afterEach(() => {
    end();
    page.remove();
  });

  test('focuses the nearest heading when the focused element is removed', async () => {
    button('one')?.focus();
    button('one')?.closest('li')?.remove();
    await eventually(() => expect(document.activeElement?.textContent).toBe('Workers'));
  });

  test('focuses the nearest heading when the focused element is disabled', async () => {
    button('two')?.focus();
    button('two')?.setAttribute('disabled', '');
    await eventually(() => expect(document.activeElement?.textContent).toBe('Page'));
  });

  test('does not override a focus that other code sets after the focused element is removed', async () => {
    button('one')?.focus();
    button('one')?.remove();
    button('two')?.focus();
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    expect(document.activeElement).toBe(button('two'));
  });

  test('does not focus a heading if the user left the element before it was removed', async () => {
    button('one')?.focus();
    await userEvent.click(document.body, { position: { x: 1, y: 1 } });
    button('one')?.blur();
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    button('one')?.remove();
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    expect(document.activeElement).toBe(document.body);
  });
});
