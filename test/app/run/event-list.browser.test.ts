import '../../../src/app/ui/style/tokens.css';
import '../../../src/app/ui/style/base.css';
import { expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-svelte';
import EventList from '../../../src/app/run/EventList.svelte';
import { Replay } from '../../../src/app/run/replay.svelte';
import { Timeline } from '../../../src/app/run/timeline';
import { foldEvents } from '../../../src/core/contract';
import { finishedRunBodies, stampEvents } from '../../fixtures/run-events';

test('an event can be chosen while the list is still scrolling', async () => {
  const events = stampEvents(finishedRunBodies());
  const whole = foldEvents(events);
  if (!whole) throw new Error('The events are not a run.');
  const onchoose = vi.fn();
  const replay = new Replay(new Timeline(events));
  const screen = await render(EventList, { replay, whole, onchoose });
  const list = screen.getByRole('listbox').element();
  list.parentElement?.style.setProperty('height', '120px');
  const content = list.firstElementChild;
  if (!(content instanceof HTMLElement)) throw new Error('The list is empty.');
  const clickVisibleRow = () => {
    const { top, bottom } = list.getBoundingClientRect();
    const rows = screen.getByRole('option').elements();
    const row = rows.map((each) => each.getBoundingClientRect()).find((at) => at.top >= top && at.bottom <= bottom);
    // The virtual list sets this style while the user scrolls with a wheel.
    content.style.pointerEvents = 'none';
    const hit = row && document.elementFromPoint(row.left + row.width / 2, row.top + 5);
    hit?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    return onchoose.mock.calls.length;
  };
  await expect.poll(clickVisibleRow).toBeGreaterThan(0);
});
