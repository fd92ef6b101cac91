import { afterEach, expect, test } from 'vitest';
import { showAt } from '../../../src/app/runs/floating';

const toggled = (element: HTMLElement) =>
  new Promise<void>((resolve) => element.addEventListener('toggle', () => resolve(), { once: true }));
const scrolled = () =>
  new Promise<void>((resolve) => window.addEventListener('scroll', () => resolve(), { once: true }));

function stage() {
  document.body.innerHTML = '<button>Actions</button><div popover>Delete</div><div style="height: 5000px"></div>';
  const button = document.querySelector('button');
  const popover = document.querySelector<HTMLElement>('[popover]');
  if (!button || !popover) throw new Error('The page is empty.');
  return { button, popover };
}

afterEach(() => {
  document.body.innerHTML = '';
});

test('a popover closes when the page scrolls, also when opened for the second time', async () => {
  const { button, popover } = stage();
  for (const top of [200, 0]) {
    const opened = toggled(popover);
    showAt(popover, button);
    await opened;
    const closed = toggled(popover);
    window.scrollTo(0, top);
    await closed;
    expect(popover.matches(':popover-open')).toBe(false);
  }
});

test('a popover stays open when the event of an earlier scroll arrives late', async () => {
  const { button, popover } = stage();
  const late = scrolled();
  window.scrollTo(0, 100);
  showAt(popover, button);
  await late;
  expect(popover.matches(':popover-open')).toBe(true);
});
