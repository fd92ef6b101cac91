/**
 * @file Refuses to run in a frame, where another page could cover Podium and make the user click what they can't see. An HTTP
 * header can forbid frames, but not every host sends this header.
 */

/** Whether the page is in a frame. */
export function isFramed(): boolean {
  return window.top !== window.self;
}

/** Shows why the app does not start, with a link that opens it in its own tab. */
export function showFramed(target: Element): void {
  const reason = document.createElement('p');
  reason.textContent = 'Podium doesn’t run inside other pages.';
  const link = document.createElement('a');
  link.textContent = 'Open Podium in its own tab';
  link.href = location.href;
  link.target = '_blank';
  link.rel = 'noopener';
  target.replaceChildren(reason, link);
}
