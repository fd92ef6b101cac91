import { expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-svelte';
import EventList from '../../../../src/app/components/run/EventList.svelte';
import { Replay } from '../../../../src/app/state/replay.svelte';
import { Timeline } from '../../../../src/app/state/timeline';
import { foldEvents } from '../../../../src/core/contract';
import { finishedRunBodies, stampEvents } from '../../../fixtures/run-events';

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

test('an event can be chosen while the list is still scrolling', async () => {
  const events = stampEvents(finishedRunBodies());
  const whole = foldEvents(events);
  if (!whole) throw new Error('The events are not a run.');
  const onchoose = vi.fn();
  const replay = new Replay(new Timeline(events));
  const screen = await render(EventList, { replay, whole, onchoose });
  const list = screen.getByRole('listbox').element();
  list.parentElement?.style.setProperty('height', '120px');
  await expect.poll(() => list.scrollHeight - list.clientHeight).toBeGreaterThan(100);
  // The scroll must change the position, so that the list receives a scroll event.
  list.scrollTop = list.scrollTop === 0 ? 60 : 0;
  await frame();
  await frame();
  const { left, top } = list.getBoundingClientRect();
  document.elementFromPoint(left + 100, top + 10)?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  expect(onchoose).toHaveBeenCalledOnce();
});
