/**
 * @file Refuses to run in a frame: another page could lay its own things over Podium and have the user click what they do not see.
 * A header can forbid framing, but not every host sends it.
 */

/** Whether another page shows this one in a frame. */
export function isFramed(): boolean {
  return window.top !== window.self;
}

/** Says why nothing else is shown, and offers to open the page by itself. */
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
