/** @file Places a popover below a button, or above the button if there is too little space below. */

const GAP = 4;
const MARGIN = 8;

/** Shows a popover at a button. The popover closes when scrolling moves the button. */
export function showAt(popover: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  popover.showPopover();
  const { width, height } = popover.getBoundingClientRect();
  const left = Math.min(Math.max(MARGIN, at.right - width), document.documentElement.clientWidth - width - MARGIN);
  const isBelow = at.bottom + GAP + height <= window.innerHeight - MARGIN;
  popover.style.left = `${Math.max(MARGIN, left)}px`;
  popover.style.top = `${isBelow ? at.bottom + GAP : Math.max(MARGIN, at.top - GAP - height)}px`;
  const ending = new AbortController();
  const { signal } = ending;
  const close = () => {
    // A scroll event from before the popover was shown may arrive late. It must not close the popover.
    if (Math.abs(button.getBoundingClientRect().top - at.top) > 1) popover.hidePopover();
  };
  window.addEventListener('scroll', close, { signal, passive: true });
  // `showPopover` has queued a `toggle` event with the new state `open`. This listener ignores that event.
  popover.addEventListener('toggle', ({ newState }) => newState === 'closed' && ending.abort(), { signal });
}
